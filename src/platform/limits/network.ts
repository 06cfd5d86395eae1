import { isIPv6 } from 'node:net';

/**
 * Whose attempts count together: an IPv4 address, or the 64 bits that a line of IPv6 is given, within which it takes any address it likes. No wider:
 * mobile carriers put thousands of people behind one IPv4 address already.
 * @param address as Fastify names the client; what is no address is a network of its own
 */
export function networkOf(address: string): string {
  // Some proxies add the client's port, which differs with each connection.
  const [, bracketed, dotted] = /^(?:\[(.+)\](?::\d+)?|(\d+\.\d+\.\d+\.\d+):\d+)$/.exec(address) ?? [];
  const [bare = ''] = (bracketed ?? dotted ?? address).split('%');
  if (!isIPv6(bare)) return bare;
  // A URL writes it without leading zeros, and in hexadecimal throughout.
  const [left = [], right = []] = new URL(`http://[${bare}]`).hostname
    .slice(1, -1)
    .split('::')
    .map((part) => part.split(':').filter(Boolean));
  const [first, ...last] = right;
  // An IPv4 address within IPv6, in whichever notation.
  if (left.length === 0 && last.length === 2 && first === 'ffff')
    return last.flatMap((part) => [Number.parseInt(part, 16) >> 8, Number.parseInt(part, 16) & 255]).join('.');
  const zeros = Array.from({ length: 8 - left.length - right.length }, () => '0');
  return `${[...left, ...zeros, ...right].slice(0, 4).join(':')}::/64`;
}
