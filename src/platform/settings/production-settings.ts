import { BlockList, isIP } from 'node:net';
import { addressesIn, encryptionFault, passwordOf } from './database-address.ts';

export type Variables = Readonly<Record<string, string | undefined>>;

/** What production asks for and refuses, by the names of variables. */
export interface ProductionRules {
  /** What must be set. */
  required: readonly string[];
  /** When it must, beside 'en production'. */
  when?: string;
  /** Where the site stands, and where money and its payers are sent. */
  addresses: readonly string[];
  /** What only chance must have made, taken out of the variable; null where it holds none. METRICS_TOKEN is looked at everywhere. */
  drawn: Readonly<Record<string, (value: string) => string | null>>;
  /** Values that everybody knows: the demonstration's, its simulators' and those of .env.example. */
  published: Readonly<Record<string, RegExp>>;
}

const databases = ['DATABASE_URL', 'COMMANDS_DATABASE_URL', 'MIGRATIONS_DATABASE_URL'] as const;
const replicas = 'DATABASE_REPLICA_URLS';
const publishedDatabase = /^\w+:\/\/([^/]*:password@|[^/]*@host[:/])/i;
const publishedReplica = /(^|,)\s*\w+:\/\/([^/,]*:password@|[^/,]*@host[:/])/i;
/** Characters of a secret that nobody guesses by trying. */
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

/** Of several addresses; null where none has a password. */
function shortestPassword(list: string): string | null {
  const passwords = addressesIn(list).flatMap((address) => passwordOf(address) ?? []);
  return passwords.sort((one, other) => one.length - other.length)[0] ?? null;
}

/** Every fault, in French, said of the variables as they are set: also beside faults of others, and never with a value. */
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
        // Of a value that everybody knows enough is said.
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
    // Too short is said elsewhere.
    ...(env.METRICS_TOKEN && env.METRICS_TOKEN.length >= 16 && isSimple(env.METRICS_TOKEN)
      ? ['METRICS_TOKEN est trop simple : tirez-le au hasard']
      : []),
    ...(env.ADMIN_SECRETS_KEY && env.ADMIN_SECRETS_KEY.length >= 32 && isSimple(env.ADMIN_SECRETS_KEY)
      ? ['ADMIN_SECRETS_KEY est trop simple : tirez-la au hasard']
      : []),
  ];
}

const isSimple = (secret: string): boolean => new Set(secret).size < 8;

/** Keys, payers and sessions travel there: never in the clear, and never to a simulator that was left in the settings. */
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

/** Whether an address is this machine's or of a network that only its own house reaches. */
export function isPrivateAddress(address: string): boolean {
  const family = isIP(address);
  return family > 0 && privateNetworks.check(address, family === 6 ? 'ipv6' : 'ipv4');
}

/** The same host in one form: without an IPv6 address' brackets, and without the dot that ends a whole name. */
const hostOf = (address: string): string => new URL(address).hostname.replace(/^\[|\]$|\.+$/g, '');

/** The same of a host: names without a dot, and those that only a house's own network knows, too. */
export function isPrivateHost(host: string): boolean {
  if (isIP(host)) return isPrivateAddress(host);
  return !host.includes('.') || /\.(localhost|localdomain|local|internal|lan|home\.arpa)$/.test(host);
}
