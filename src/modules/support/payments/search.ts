import { trimBlanks } from '../../../shared/blanks.ts';
import { hyphens } from '../../../shared/search/fold.ts';

/** How a learner may name a payment. */
export type PaymentSearch =
  | { kind: 'email'; email: string }
  /** The last four digits of the telephone that paid. */
  | { kind: 'phone'; last: string }
  /** Our reference or the provider's id, as typed and as we write ours. `phoneLast`: its last digits, when it may also be a telephone number. */
  | { kind: 'reference'; references: string[]; phoneLast: string | null };

const anyHyphen = new RegExp(`[${hyphens}]`, 'g');
/** Ours: two letters, the milliseconds, the first characters of the learner's id. */
const ourReference = /^([a-z]{2})(\d{13}[0-9a-f]*)$/i;
/** A number of Cameroon, as people write it: 699 12 34 56, +237 699123456. */
const telephone = /^(?:(?:\+|00)?237[ .-]?)?[26](?:[ .-]?\d){8}$/;

/**
 * The kind is decided by the form of what is typed, so that each search reads one index. Null: nothing was typed.
 * @param typed at most 255 characters of it count
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
