import { isIPv6 } from 'node:net';

/** Length of the longest address, an IPv4-mapped IPv6 address. */
const longestAddress = 45;

/**
 * Returns the network whose attempts count together: an IPv4 address, or the /64 prefix of an IPv6 address, in which one client can use any
 * address. No wider: mobile carriers already put thousands of people behind one IPv4 address.
 * @param address the client's address as Fastify reports it; of a text that is no address, the first 45 characters are returned
 */
export function networkOf(address: string): string {
  // Some proxies append the client's port, which differs per connection.
  const [, bracketed, dotted] = /^(?:\[(.+)\](?::\d+)?|(\d+\.\d+\.\d+\.\d+):\d+)$/.exec(address) ?? [];
  const [bare = ''] = (bracketed ?? dotted ?? address).split('%');
  if (!isIPv6(bare)) return bare.slice(0, longestAddress);
  // URL parsing normalises the address: no leading zeros, hexadecimal only.
  const [left = [], right = []] = new URL(`http://[${bare}]`).hostname
    .slice(1, -1)
    .split('::')
    .map((part) => part.split(':').filter(Boolean));
  const [first, ...last] = right;
  // IPv4-mapped IPv6 address (::ffff:a.b.c.d), in either notation.
  if (left.length === 0 && last.length === 2 && first === 'ffff')
    return last.flatMap((part) => [Number.parseInt(part, 16) >> 8, Number.parseInt(part, 16) & 255]).join('.');
  const zeros = Array.from({ length: 8 - left.length - right.length }, () => '0');
  return `${[...left, ...zeros, ...right].slice(0, 4).join(':')}::/64`;
}
