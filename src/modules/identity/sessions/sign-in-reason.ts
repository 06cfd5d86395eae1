import { itemKinds } from '../../../shared/item-kinds.ts';
import { studyKinds } from '../../../shared/study/kinds.ts';

/** Reasons shown on the sign-in page, by the guarded address that led there. The first match is used. */
const reasons: [address: RegExp, reason: string][] = [
  [/^\/user\/prepa\/\d+\/\d+\/entrainement\b/, 'Connectez-vous pour vous entraîner.'],
  ...itemKinds.map((kind): [RegExp, string] => [
    new RegExp(`^/user/prepa/\\d+/\\d+\\?type=${kind}\\b`),
    `Connectez-vous pour lire ${studyKinds[kind].thisOne}.`,
  ]),
  [/^\/user\/prepa\/\d+\/\d+\b/, 'Connectez-vous pour lire cette discipline.'],
  [/^\/user\/prepa(view)?\/\d+\b/, 'Connectez-vous pour ouvrir cette préparation.'],
  [/^\/user\/prepa\/consultation\/\d+\/\d+\/diagnostic\/resultat$/, 'Connectez-vous pour garder votre résultat.'],
  [/^\/user\/dashboard\?paiement=/, 'Connectez-vous pour payer cette préparation.'],
  [/^\/user\/paiements\b/, 'Connectez-vous pour voir vos paiements.'],
  [/^\/user\/notifications\b/, 'Connectez-vous pour lire vos notifications.'],
  [/^\/user\/profil\b/, 'Connectez-vous pour voir votre profil.'],
  [/^\/user\/recherche\b/, 'Connectez-vous pour chercher dans vos contenus.'],
  [/^\/user\/a-revoir\b/, 'Connectez-vous pour retrouver ce que vous avez à revoir.'],
  [/^\/user\/contenus\/\d+\/signaler\b/, 'Connectez-vous pour signaler une erreur.'],
  [/^\/documents\//, 'Connectez-vous pour télécharger ce document.'],
  [/^\/user\/concours-blancs\/\d+\b/, 'Connectez-vous pour ouvrir ce concours blanc.'],
  [/^\/user\/concours-blancs\b/, 'Connectez-vous pour voir les concours blancs.'],
  [/^\/user\//, 'Connectez-vous pour ouvrir votre espace.'],
];

/** Returns the reason to sign in before `suite`; null when none matches. No text is taken from the address. */
export const signInReason = (suite: string | null): string | null =>
  suite === null ? null : (reasons.find(([address]) => address.test(suite))?.[1] ?? null);
