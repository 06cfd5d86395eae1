import { forwardedNotedAt } from '../../../src/platform/http/forwarded-note.ts';
import { formatInstant } from '../../../src/shared/dates.ts';
import { type Check, good, notice } from '../check.ts';

/** Warns if a server ignored X-Forwarded-For headers under the current TRUST_PROXY. The sender may be an unknown proxy, or a forger. */
export const forwarded: Check = {
  name: 'X-Forwarded-For',
  async look({ kernel: { config, fork } }) {
    const setting = config.trustProxy || 'none';
    const at = await forwardedNotedAt(fork(), setting);
    if (!at) return good('rien à signaler');
    return notice(
      `des demandes portent X-Forwarded-For sans venir d'un proxy nommé (TRUST_PROXY=${setting}, vu le ${formatInstant(at)})`,
      "si c'est votre proxy, nommez son adresse dans TRUST_PROXY, sinon tous les visiteurs comptent comme un seul",
    );
  },
};
