import { accessSync, constants } from 'node:fs';
import { BlockList, isIP } from 'node:net';
import { isPercentEncoded, percentDecoded } from './variables.ts';

const loopback = new BlockList();
loopback.addSubnet('127.0.0.0', 8, 'ipv4');
loopback.addAddress('::1', 'ipv6');

/** Where a database's address leads, as the driver finds it: the last of its parameters, the name, or PGHOST. */
const hostOf = ({ searchParams, hostname }: URL): string =>
  searchParams.getAll('host').at(-1) || decodeURIComponent(hostname).replace(/^\[|\]$/g, '') || (process.env.PGHOST ?? '');

/** Whether that is this machine: by a socket in a folder, or without leaving it. */
function isThisMachine(host: string): boolean {
  if (host === '' || host.startsWith('/') || host.toLowerCase() === 'localhost') return true;
  const family = isIP(host);
  return family > 0 && loopback.check(host, family === 6 ? 'ipv6' : 'ipv4');
}

/**
 * Why a password and learners' data may not travel by this address, in French; null when they may. Encryption whose other end nobody has looked at keeps
 * no one away who stands between, so one way of verifying is asked for, and not what the driver makes of the others.
 */
export function encryptionFault(address: string): string | null {
  if (!URL.canParse(address) || !/^postgres(ql)?:/.test(address)) return null;
  const { searchParams, hostname } = new URL(address);
  // That such a name cannot be read is said elsewhere.
  if (!isPercentEncoded(hostname)) return null;
  const host = hostOf(new URL(address));
  if (isThisMachine(host)) return null;
  if (searchParams.get('sslmode') === 'verify-full' && !searchParams.has('ssl') && !searchParams.has('uselibpqcompat')) {
    // The driver gives TLS no name to verify then, and Node takes « localhost ».
    return isIP(host) > 0 ? "nomme une autre machine par son adresse IP, qu'aucun certificat ne vérifie ici : donnez son nom" : null;
  }
  return "mène à une autre machine sans chiffrement vérifié : ajoutez sslmode=verify-full, et sslrootcert=FICHIER si l'autorité est la vôtre";
}

/** Whether the files that an address names for its encryption can be read. */
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

/** The password in an address; null where it has none. */
export function passwordOf(address: string): string | null {
  if (!URL.canParse(address)) return null;
  const { password, searchParams } = new URL(address);
  // The driver lets the parameter go before what stands in front of the name.
  const parameter = searchParams.getAll('password').at(-1);
  if (parameter) return parameter;
  return password === '' ? null : (percentDecoded(password) ?? password);
}

/** The addresses of a list, in which a comma of a password is written %2C. */
export const addressesIn = (list = ''): string[] =>
  list
    .split(',')
    .map((address) => address.trim())
    .filter(Boolean);

/** The name of the database that an address of the settings leads to, whose faults are known to be none; empty without one. */
export const databaseOf = (address = ''): string => (URL.canParse(address) ? decodeURIComponent(new URL(address).pathname.slice(1)) : '');
