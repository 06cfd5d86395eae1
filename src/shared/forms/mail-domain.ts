import { editDistance } from '../edit-distance.ts';

/** Domains of mail services that are common in Cameroon: slips are corrected to these. */
const common = ['gmail.com', 'yahoo.fr', 'yahoo.com', 'outlook.com', 'outlook.fr', 'hotmail.com', 'hotmail.fr', 'live.fr', 'icloud.com'];
/** Domains of other mail services, which look like slips of a common one. */
const others = ['ymail.com', 'mail.com', 'email.com', 'gmx.com', 'gmx.fr', 'live.com', 'aol.com', 'orange.fr', 'orange.cm', 'orange.com'];

/** Longest domain in which two slips make a different word. */
const shortLength = 8;

/**
 * Returns the address that a learner probably meant when its domain has a slip, such as 'elodie@gmail.com' for 'elodie@gmial.com'; null if
 * the domain is known, or like none. @param typing true while the address is typed: the beginning of a domain is no slip
 * @param allowed the domains to propose; by default the common ones
 */
export function suggestEmail(
  typed: string,
  { typing = false, allowed = common }: { typing?: boolean; allowed?: readonly string[] } = {},
): string | null {
  const email = typed.trim();
  const at = email.lastIndexOf('@');
  const domain = email.slice(at + 1).toLowerCase();
  if (at < 1 || domain === '' || [...common, ...others, ...allowed].includes(domain)) return null;
  if (typing && (!domain.includes('.') || allowed.some((other) => other.startsWith(domain)))) return null;
  const most = domain.length <= shortLength ? 1 : 2;
  const [best] = allowed
    .map((other) => ({ other, distance: isForeign(domain, other) ? most + 1 : editDistance(domain, other, most) }))
    .filter(({ distance }) => distance <= most)
    .toSorted((one, other) => one.distance - other.distance);
  // This service has one domain only.
  const meant = best?.other ?? (domain.startsWith('gmail.') ? allowed.find((other) => other === 'gmail.com') : undefined);
  return meant ? `${email.slice(0, at)}@${meant}` : null;
}

/** Returns whether two domains are those of one service in two countries, other than by exchanged letters. */
function isForeign(one: string, other: string): boolean {
  const [[name, country = ''], [otherName, otherCountry = '']] = [one.split('.'), other.split('.')];
  const exchanged = [...country].toSorted().join('') === [...otherCountry].toSorted().join('');
  return name === otherName && country.length === 2 && otherCountry.length === 2 && !exchanged;
}
