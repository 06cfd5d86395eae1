import { trimBlanks } from '../../../shared/blanks.ts';
import { hyphens } from '../../../shared/search/fold.ts';

/** The identifiers of a payment that a learner may give. */
export type PaymentSearch =
  | { kind: 'email'; email: string }
  /** The last four digits of the payer's telephone. */
  | { kind: 'phone'; last: string }
  /**
   * Our reference or the provider's id, as typed and normalised like ours. `phoneLast`: last digits, when the text may also be a
   * telephone number.
   */
  | { kind: 'reference'; references: string[]; phoneLast: string | null };

const anyHyphen = new RegExp(`[${hyphens}]`, 'g');
/** Our references: two letters, the milliseconds, the first characters of the learner's id. */
const ourReference = /^([a-z]{2})(\d{13}[0-9a-f]*)$/i;
/** A telephone number of Cameroon as people write it: 699 12 34 56, +237 699123456. */
const telephone = /^(?:(?:\+|00)?237[ .-]?)?[26](?:[ .-]?\d){8}$/;

/**
 * Returns the search for a typed text. The form of the text decides its kind, so that each search uses one index. Null when the text
 * is empty.
 * @param typed only the first 255 characters are used
 */
export function readSearch(typed: string): PaymentSearch | null {
  const text = trimBlanks(
    typed
      .replaceAll(/\p{Cf}/gu, '')
      .replaceAll(anyHyphen, '-')
      .replaceAll(/[\p{Cc}\s]/gu, ' '),
  ).slice(0, 255);
  if (text === '') return null;
  if (text.includes('@')) return { kind: 'email', email: text };
  if (/^\d{4}$/.test(text)) return { kind: 'phone', last: text };
  const [, prefix, rest] = ourReference.exec(text) ?? [];
  const written = prefix && rest ? `${prefix.toUpperCase()}${rest.toLowerCase()}` : text;
  const phoneLast = telephone.test(text) ? text.replaceAll(/\D/g, '').slice(-4) : null;
  return { kind: 'reference', references: [...new Set([text, written])], phoneLast };
}
