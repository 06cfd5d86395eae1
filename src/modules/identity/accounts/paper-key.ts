import { randomInt } from 'node:crypto';

/** Letters and digits without those that look alike on paper: 4.9 bits each. */
const alphabet = '23456789ABCDEFGHJKMNPQRSTVWXYZ';

/** Returns a random key of groups of four characters, to be copied by hand: `7KQM-2RTV-…`. */
export function newPaperKey(groups: number): string {
  const group = () => Array.from({ length: 4 }, () => alphabet[randomInt(alphabet.length)]).join('');
  return Array.from({ length: groups }, group).join('-');
}

/** Returns a typed key without blanks and hyphens, in upper case. */
export const bareKey = (typed: string): string => typed.replaceAll(/[\s-]/g, '').toUpperCase();
