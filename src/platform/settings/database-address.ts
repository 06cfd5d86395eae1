import { accessSync, constants } from 'node:fs';
import { BlockList, isIP } from 'node:net';
import { isPercentEncoded, percentDecoded } from './variables.ts';

const loopback = new BlockList();
loopback.addSubnet('127.0.0.0', 8, 'ipv4');
loopback.addAddress('::1', 'ipv6');

/** Returns the host of a database address in the driver's order: the last `host` parameter, the host name, PGHOST. */
const hostOf = ({ searchParams, hostname }: URL): string =>
  searchParams.getAll('host').at(-1) || decodeURIComponent(hostname).replace(/^\[|\]$/g, '') || (process.env.PGHOST ?? '');

/** Returns whether a host is this machine: a socket folder, or a loopback address. */
function isThisMachine(host: string): boolean {
  if (host === '' || host.startsWith('/') || host.toLowerCase() === 'localhost') return true;
  const family = isIP(host);
  return family > 0 && loopback.check(host, family === 6 ? 'ipv6' : 'ipv4');
}

/**
 * Returns, in French, why this address is not safe for passwords and learners' data; null if it is. TLS without verification does not stop
 * an attacker in between, so only sslmode=verify-full is accepted.
 */
export function encryptionFault(address: string): string | null {
  if (!URL.canParse(address) || !/^postgres(ql)?:/.test(address)) return null;
  const { searchParams, hostname } = new URL(address);
  // An undecodable host name is reported by another check.
  if (!isPercentEncoded(hostname)) return null;
  const host = hostOf(new URL(address));
  if (isThisMachine(host)) return null;
  if (searchParams.get('sslmode') === 'verify-full' && !searchParams.has('ssl') && !searchParams.has('uselibpqcompat')) {
    // For an IP address the driver passes no server name, and Node then verifies « localhost ».
    return isIP(host) > 0 ? "nomme une autre machine par son adresse IP, qu'aucun certificat ne vérifie ici : donnez son nom" : null;
  }
  return "mène à une autre machine sans chiffrement vérifié : ajoutez sslmode=verify-full, et sslrootcert=FICHIER si l'autorité est la vôtre";
}

/** Returns whether the certificate files in an address are readable. */
export function certificatesAreReadable(address: string): boolean {
  const { searchParams } = new URL(address);
  return ['sslrootcert', 'sslcert', 'sslkey'].every((name) => {
    const path = searchParams.get(name);
    if (!path) return true;
    try {
      accessSync(path, constants.R_OK);
      return true;
    } catch {
      return false;
    }
  });
}

/** Returns the password in an address; null if it has none. */
export function passwordOf(address: string): string | null {
  if (!URL.canParse(address)) return null;
  const { password, searchParams } = new URL(address);
  // The driver prefers the `password` parameter to the password before the host.
  const parameter = searchParams.getAll('password').at(-1);
  if (parameter) return parameter;
  return password === '' ? null : (percentDecoded(password) ?? password);
}

/** Returns the addresses of a list; a comma in a password must be written %2C. */
export const addressesIn = (list = ''): string[] =>
  list
    .split(',')
    .map((address) => address.trim())
    .filter(Boolean);

/** Returns the name of the database in an address that has been checked; '' without one. */
export const databaseOf = (address = ''): string => (URL.canParse(address) ? decodeURIComponent(new URL(address).pathname.slice(1)) : '');
