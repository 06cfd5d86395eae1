/** Why a payer's account refused a payment, as far as it helps the payer. */
export type Refusal = 'funds' | 'code' | 'limit' | 'unapproved';

/**
 * The words of each reason, in English and French, in the order in which they are looked for. They cover the codes of MTN
 * (NOT_ENOUGH_FUNDS, PAYER_LIMIT_REACHED, APPROVAL_REJECTED, COULD_NOT_PERFORM_TRANSACTION), which providers pass on.
 */
const words: readonly [Refusal, RegExp][] = [
  ['funds', /not enough|insufficient|insuffisan|low balance/],
  ['code', /\b(pin|otp|passcode|password|mot de passe)\b|\b(wrong|invalid|incorrect|bad) code\b|\bcode (incorrect|invalide|errone)/],
  ['unapproved', /time ?(out|limit)|timed out|delai|cancel|annul|\bnot (approved|confirmed|validated)|approval rejected|could not perform/],
  ['limit', /limit|plafond|exceed/],
];

/** Returns the reason in a provider's text about a failed payment; null when the text gives none that is known. */
export function readRefusal(text: string | undefined): Refusal | null {
  const said = (text ?? '').normalize('NFD').replaceAll(/\p{M}/gu, '').replaceAll(/[_-]+/g, ' ').toLowerCase();
  return words.find(([, pattern]) => pattern.test(said))?.[0] ?? null;
}
