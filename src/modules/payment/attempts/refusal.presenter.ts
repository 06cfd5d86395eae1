import type { Refusal } from '../contract/refusal.ts';

/** Each reason in French, as a part of a sentence, and the next step. */
const refusals: Record<Refusal, { why: string; next: string }> = {
  funds: { why: 'le solde de votre compte ne suffisait pas', next: 'Rechargez-le en comptant les frais' },
  code: { why: "le code saisi n'était pas le bon", next: 'Vérifiez votre code' },
  limit: { why: 'le plafond de votre compte est atteint', next: 'Attendez demain, ou demandez à votre opérateur de le relever' },
  unapproved: { why: "la demande n'a pas été validée", next: 'Gardez votre téléphone à portée de main' },
};

/** The usual reasons, for a provider that gives none. */
const usual = 'Vérifiez le solde (frais compris), le code et le plafond de votre compte';

/** Returns the reason of a refusal, as a part of a sentence; null when the provider gives none. */
export const refusalCause = (refusal: Refusal | null | undefined): string | null => (refusal ? refusals[refusal].why : null);

/** Returns what a learner can do after a refusal. */
export function refusalHelp(refusal: Refusal | null | undefined): string {
  const { why, next } = refusal ? refusals[refusal] : { why: null, next: usual };
  const reason = why === null ? '' : `${why.charAt(0).toUpperCase()}${why.slice(1)}. `;
  return `${reason}${next}, puis réessayez, ou choisissez un autre moyen de paiement.`;
}
