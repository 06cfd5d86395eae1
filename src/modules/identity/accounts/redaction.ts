import { writtenPhones } from '../../../shared/phone-numbers.ts';

/** What a text, or the texts within a JSON value, say without what names a learner. */
export type Redaction = <Value>(value: Value) => Value;

/** What an account is called of which nothing is left. */
export const erasedName = 'Compte effacé';

/** In the place of what was taken out. */
const mark = '[effacé]';

/** Takes out an e-mail, also as addresses write it, a username as a word of its own, and telephone numbers, whosever they are. */
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
