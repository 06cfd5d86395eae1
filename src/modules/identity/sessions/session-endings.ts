import type { Config } from '../../../platform/settings/config.ts';

/** Reason for which a learner's session was ended early. A sign-out needs no reason. */
export type SessionEnding = 'devices' | 'elsewhere' | 'password' | 'support' | 'blocked';

declare module '../../../platform/use-cases/events.ts' {
  interface DomainEventMap {
    /** Emitted when learners' sessions were ended early. `sessions` are the hashes of their tokens. */
    'sessions.ended': { sessions: string[]; ending: SessionEnding | 'sign-out'; at: Date };
  }
}

/** Returns the message for the device of an ended session, shown at its next request. At most 300 characters, the limit of a toast. */
export function sayEnding(ending: SessionEnding, site: Config['site']): string {
  switch (ending) {
    case 'devices':
      return "Votre session a été fermée parce que votre compte a été utilisé sur un autre appareil : le nombre d'appareils connectés est limité. Vous pouvez vous reconnecter ici. Si ce n'était pas vous, changez votre mot de passe.";
    case 'elsewhere':
      return "Votre session a été fermée depuis un autre appareil de votre compte. Vous pouvez vous reconnecter ici. Si ce n'était pas vous, changez votre mot de passe.";
    case 'password':
      return 'Votre session a été fermée parce que le mot de passe de votre compte a été changé. Reconnectez-vous avec le nouveau.';
    case 'support':
      return `Votre session a été fermée par l'équipe de ${site.name}. Vous pouvez vous reconnecter.`;
    case 'blocked':
      return sayBlocked(site);
  }
}

/** Returns the message for a blocked learner, also used at the sign-in after the right password. */
export const sayBlocked = ({ supportEmail, supportPhone }: Config['site']): string =>
  `Votre compte est bloqué. Pour savoir pourquoi, écrivez à ${supportEmail}${supportPhone ? ` ou appelez le ${supportPhone}` : ''}.`;
