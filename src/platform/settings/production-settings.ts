import { BlockList, isIP } from 'node:net';
import { addressesIn, encryptionFault, passwordOf } from './database-address.ts';

export type Variables = Readonly<Record<string, string | undefined>>;

/** Rules for the settings in production, by variable names. */
export interface ProductionRules {
  required: readonly string[];
  /** Condition, in French, under which they must, besides 'en production'. */
  when?: string;
  /** Addresses of the site, of payment providers and of pages to which payers are sent. */
  addresses: readonly string[];
  /** Functions that extract a secret from a variable, which must be random; null if it contains none. METRICS_TOKEN has its own check. */
  drawn: Readonly<Record<string, (value: string) => string | null>>;
  /** Publicly known values: of the demonstration, the simulators and .env.example. */
  published: Readonly<Record<string, RegExp>>;
}

const databases = ['DATABASE_URL', 'COMMANDS_DATABASE_URL', 'MIGRATIONS_DATABASE_URL'] as const;
const replicas = 'DATABASE_REPLICA_URLS';
const publishedDatabase = /^\w+:\/\/([^/]*:password@|[^/]*@host[:/])/i;
const publishedReplica = /(^|,)\s*\w+:\/\/([^/,]*:password@|[^/,]*@host[:/])/i;
/** Shortest secret that cannot be guessed by trying, in characters. */
const minSecret = 16;

const ofSite: ProductionRules = {
  required: ['DATABASE_URL', 'PUBLIC_URL'],
  addresses: ['PUBLIC_URL', 'ADMIN_URL'],
  drawn: { ...Object.fromEntries(databases.map((name) => [name, passwordOf])), [replicas]: shortestPassword },
  published: {
    ...Object.fromEntries(databases.map((name) => [name, publishedDatabase])),
    [replicas]: publishedReplica,
    SMTP_URL: /^\w+:\/\/([^/]*:password@|[^/]*@host(:|\/|$))/i,
  },
};

/** Returns the shortest password of several addresses; null if none has a password. */
function shortestPassword(list: string): string | null {
  const passwords = addressesIn(list).flatMap((address) => passwordOf(address) ?? []);
  return passwords.sort((one, other) => one.length - other.length)[0] ?? null;
}

/** Returns all faults, in French, also if other checks have failed. Never quotes a value. */
export function productionFaults(env: Variables, ofModules: readonly ProductionRules[]): string[] {
  const rules = [ofSite, ...ofModules];
  return [
    ...rules.flatMap(({ required, when }) =>
      required.filter((name) => !env[name]).map((name) => `${name} est obligatoire ${['en production', when].filter(Boolean).join(' ')}`),
    ),
    ...(/^(on|true|1)$/.test(env.PAYMENT_SIMULATION ?? '') ? ['PAYMENT_SIMULATION est refusé en production'] : []),
    ...rules.flatMap(({ addresses }) => addresses).flatMap((name) => addressFaults(env, name)),
    ...[...ofModules, ofSite]
      .flatMap(({ published }) => Object.entries(published))
      .filter(([name, value]) => value.test(env[name] ?? ''))
      .map(([name]) => `${name} porte une valeur d'exemple, d'essai ou de démonstration`),
    ...rules.flatMap(({ drawn, published }) =>
      Object.entries(drawn)
        // A published value is already reported above.
        .filter(([name, secret]) => env[name] && !published[name]?.test(env[name]) && (secret(env[name])?.length ?? minSecret) < minSecret)
        .map(([name]) => `${name} porte un secret de moins de ${minSecret} caractères : tirez-le au hasard`),
    ),
    ...databases.flatMap((name) => {
      const fault = encryptionFault(env[name] ?? '');
      return fault === null || publishedDatabase.test(env[name] ?? '') ? [] : [`${name} ${fault}`];
    }),
    ...(publishedReplica.test(env[replicas] ?? '') ? [] : [...new Set(addressesIn(env[replicas]).map(encryptionFault))])
      .filter((fault) => fault !== null)
      .map((fault) => `${replicas} ${fault}`),
    ...(/^(on|true|1)$/.test(env.CONTAINER_IMAGE ?? '') && !env.TRUST_PROXY
      ? ["TRUST_PROXY est obligatoire dans l'image : l'adresse ou la plage de votre proxy, ou none s'il n'y en a pas"]
      : []),
    // A value that is too short is reported by the schema.
    ...(env.METRICS_TOKEN && env.METRICS_TOKEN.length >= 16 && isSimple(env.METRICS_TOKEN)
      ? ['METRICS_TOKEN est trop simple : tirez-le au hasard']
      : []),
    ...(env.ADMIN_SECRETS_KEY && env.ADMIN_SECRETS_KEY.length >= 32 && isSimple(env.ADMIN_SECRETS_KEY)
      ? ['ADMIN_SECRETS_KEY est trop simple : tirez-la au hasard']
      : []),
  ];
}

const isSimple = (secret: string): boolean => new Set(secret).size < 8;

/** Returns the faults of an address through which keys, payers and sessions travel: it must use https and must not be a simulator's. */
function addressFaults(env: Variables, name: string): string[] {
  const address = env[name] ?? '';
  if (!URL.canParse(address)) return [];
  const { protocol } = new URL(address);
  const host = hostOf(address);
  const site = env.PUBLIC_URL ?? '';
  const itself = name !== 'PUBLIC_URL' && name !== 'ADMIN_URL' && URL.canParse(site) && hostOf(site) === host && !isPrivateHost(host);
  return [
    ...(protocol === 'http:' ? [`${name} doit être une adresse https en production`] : []),
    ...(isPrivateHost(host) ? [`${name} désigne cette machine ou un réseau privé, ce qui est refusé en production`] : []),
    ...(itself ? [`${name} désigne le site lui-même (PUBLIC_URL)`] : []),
  ];
}

const privateNetworks = new BlockList();
for (const network of [
  '0.0.0.0/8',
  '127.0.0.0/8',
  '169.254.0.0/16',
  '10.0.0.0/8',
  '100.64.0.0/10',
  '172.16.0.0/12',
  '192.168.0.0/16',
  '::/127',
  'fe80::/10',
  'fc00::/7',
]) {
  const [address = '', prefix] = network.split('/');
  privateNetworks.addSubnet(address, Number(prefix), isIP(address) === 6 ? 'ipv6' : 'ipv4');
}

/** Returns whether an address belongs to this machine or to a private network. */
export function isPrivateAddress(address: string): boolean {
  const family = isIP(address);
  return family > 0 && privateNetworks.check(address, family === 6 ? 'ipv6' : 'ipv4');
}

/** Returns the normalised host of an address: without the brackets of IPv6 and without the trailing dot of an absolute name. */
const hostOf = (address: string): string => new URL(address).hostname.replace(/^\[|\]$|\.+$/g, '');

/** Returns whether a host is private: a private address, a name without a dot, or a name of a local network. */
export function isPrivateHost(host: string): boolean {
  if (isIP(host)) return isPrivateAddress(host);
  return !host.includes('.') || /\.(localhost|localdomain|local|internal|lan|home\.arpa)$/.test(host);
}
