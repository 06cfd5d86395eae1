import { randomInt } from 'node:crypto';

/** Without letters and digits that are taken for one another on paper: 4.9 bits each. */
const alphabet = '23456789ABCDEFGHJKMNPQRSTVWXYZ';

/** Groups of four random characters, to be copied by hand: `7KQM-2RTV-…`. */
export function newPaperKey(groups: number): string {
  const group = () => Array.from({ length: 4 }, () => alphabet[randomInt(alphabet.length)]).join('');
  return Array.from({ length: groups }, group).join('-');
}

/** What was typed, without what only makes it readable. */
export const bareKey = (typed: string): string => typed.replaceAll(/[\s-]/g, '').toUpperCase();
