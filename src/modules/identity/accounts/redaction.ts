import { writtenPhones } from '../../../shared/phone-numbers.ts';

/** Removes all names of a learner from a text, or from the texts in a JSON value. */
export type Redaction = <Value>(value: Value) => Value;

/** Name shown for an erased account. */
export const erasedName = 'Compte effacé';

/** Replaces removed text. */
const mark = '[effacé]';

/**
 * Returns a function that removes the learner's e-mail (also URL-encoded), the username as a separate word, and all telephone
 * numbers.
 */
export function redactionOf({ email, username }: { email: string; username: string }): Redaction {
  const emails = [email, encodeURIComponent(email)].map(escaped);
  const name = String.raw`(?<![\p{L}\p{N}_])${escaped(username)}(?![\p{L}\p{N}_])`;
  const pattern = new RegExp([...emails, name, ...writtenPhones].join('|'), 'giu');
  const redact = (value: unknown): unknown => {
    if (typeof value === 'string') return value.replace(pattern, mark);
    if (Array.isArray(value)) return value.map(redact);
    if (typeof value !== 'object' || value === null) return value;
    return Object.fromEntries(Object.entries(value).map(([field, held]) => [field, redact(held)]));
  };
  return redact as Redaction;
}

const escaped = (text: string): string => text.replaceAll(/[\\^$.*+?()[\]{}|/]/g, String.raw`\$&`);
