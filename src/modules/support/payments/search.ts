/** What support may be told of a payment. */
export type PaymentSearch =
  | { kind: 'email'; email: string }
  /** The last four digits of the telephone that paid. */
  | { kind: 'phone'; last: string }
  /** Our reference or the provider's id, as typed and as we write ours; of what may also be a whole telephone number, its last digits. */
  | { kind: 'reference'; references: string[]; phoneLast: string | null };

/** Ours: two letters, the milliseconds, the first characters of the learner's id. */
const ourReference = /^([a-z]{2})(\d{13}[0-9a-f]*)$/i;
/** A whole number of Cameroon, as people say it: 699 12 34 56, +237 699123456. */
const telephone = /^(?:(?:\+|00)?237[ .-]?)?[26](?:[ .-]?\d){8}$/;

/**
 * Decided by the shape of what is typed, so that each kind is a read by its index. Null: nothing was typed.
 * @param typed at most 255 characters of it count
 */
export function readSearch(typed: string): PaymentSearch | null {
  const text = typed
    .replaceAll(/\p{Cc}/gu, ' ')
    .trim()
    .slice(0, 255);
  if (text === '') return null;
  if (text.includes('@')) return { kind: 'email', email: text };
  if (/^\d{4}$/.test(text)) return { kind: 'phone', last: text };
  const [, prefix, rest] = ourReference.exec(text) ?? [];
  const written = prefix && rest ? `${prefix.toUpperCase()}${rest.toLowerCase()}` : text;
  const phoneLast = telephone.test(text) ? text.replaceAll(/\D/g, '').slice(-4) : null;
  return { kind: 'reference', references: [...new Set([text, written])], phoneLast };
}
