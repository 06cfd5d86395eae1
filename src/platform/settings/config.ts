import { isIP } from 'node:net';
import { z } from 'zod';
import { newPasswordSchema } from '../../shared/forms/password.ts';
import { productionFaults } from './production-settings.ts';

const flag = (fallback: 'on' | 'off') =>
  z
    .enum(['on', 'off', 'true', 'false', '1', '0'], { error: 'doit valoir on ou off' })
    .default(fallback)
    .transform((value) => value === 'on' || value === 'true' || value === '1');

const whole = (fallback: number, min: number, max: number) =>
  z.coerce
    .number({ error: 'doit être un nombre entier' })
    .int({ error: 'doit être un nombre entier' })
    .min(min, { error: `doit valoir au moins ${min}` })
    .max(max, { error: `doit valoir au plus ${max}` })
    .default(fallback);

/** An address that is an origin and nothing more. */
const originUrl = z
  .url({ protocol: /^https?$/, error: 'doit être une adresse http(s)', abort: true })
  .refine((value) => /^\/?$/.test(new URL(value).pathname) && !/[?#]/.test(value), { error: "doit s'arrêter après le nom du site" })
  .transform((value) => new URL(value).origin);

/** What Fastify calls trusted proxies: names, addresses and ranges. */
const isProxy = (value: string) => {
  const [address = '', prefix] = value.split('/');
  if (prefix === undefined) return ['loopback', 'linklocal', 'uniquelocal'].includes(value) || isIP(value) > 0;
  return isIP(address) > 0 && /^\d{1,3}$/.test(prefix) && Number(prefix) <= (isIP(address) === 4 ? 32 : 128);
};

/** A user and a password stand in it percent-encoded. */
const isMailServer = (value: string) => {
  if (!URL.canParse(value)) return false;
  const { protocol, hostname, username, password } = new URL(value);
  return /^smtps?:$/.test(protocol) && hostname !== '' && !/%(?![\da-f]{2})/i.test(username + password);
};

/** No call can be made to an address with a password in it, and pages would show it. */
const httpUrl = z
  .url({ protocol: /^https?$/, error: 'doit être une adresse http(s)', abort: true })
  .refine((value) => new URL(value).username + new URL(value).password === '', {
    error: "doit être une adresse sans nom d'utilisateur ni mot de passe",
  });

/** An address that paths are added to. */
const baseUrl = httpUrl
  .refine((value) => !/[?#]/.test(value), { error: "doit s'arrêter après le chemin" })
  .transform((value) => value.replace(/\/+$/, ''));

/** The payment providers that there are adapters for. */
const paymentProviderSlugs = ['zitopay', 'notchpay'] as const;
export type PaymentProviderSlug = (typeof paymentProviderSlugs)[number];

const listed = (value: string) => value.split(',').map((part) => part.trim());

const isChoice = (slugs: string[]): slugs is [PaymentProviderSlug, ...PaymentProviderSlug[]] =>
  slugs.length > 0 && new Set(slugs).size === slugs.length && slugs.every((slug) => paymentProviderSlugs.some((known) => known === slug));

/** It goes into a header as it is; how one begins is the provider's affair. */
const apiKey = z.string().regex(/^[\x21-\x7e]{1,200}$/, { error: 'doit tenir en 200 caractères sans espace ni accent' });

const environmentSchema = z.object({
  NODE_ENV: z.enum(['development', 'production', 'test'], { error: 'doit valoir development, test ou production' }).default('development'),
  HOST: z.string().default('127.0.0.1'),
  PORT: whole(3000, 0, 65_535),
  PUBLIC_URL: originUrl.optional(),
  TRUST_PROXY: z
    .string()
    .refine((value) => value.split(',').every((part) => isProxy(part.trim())), {
      error: 'doit nommer loopback, des adresses ou des plages',
    })
    .default('loopback'),
  DATA_DIR: z.string().default('.data'),
  DATABASE_URL: z.url({ protocol: /^postgres(ql)?$/, error: 'doit être une adresse postgresql://' }).optional(),
  DATABASE_TIMEOUT_MS: whole(10_000, 100, 600_000),
  SHUTDOWN_TIMEOUT_MS: whole(8_000, 100, 600_000),
  LOG_LEVEL: z.enum(['fatal', 'error', 'warn', 'info', 'debug', 'trace', 'silent'], { error: 'niveau inconnu' }).default('info'),
  SITE_NAME: z.string().min(1).max(40).default('PrépaConcours'),
  SITE_CITY: z.string().min(1).max(60).default('Yaoundé'),
  SUPPORT_EMAIL: z.email({ error: 'doit être une adresse électronique' }).default('support@prepaconcours.cm'),
  SUPPORT_PHONE: z.string().max(30).default('+237 222 00 00 00'),
  ALLOWED_EMAIL_DOMAINS: z
    .string()
    .default('gmail.com,yahoo.com,yahoo.fr,outlook.com')
    .transform((value) =>
      value
        .split(',')
        .map((domain) => domain.trim().toLowerCase())
        .filter(Boolean),
    )
    .refine((domains) => domains.length > 0, { error: 'doit nommer au moins un domaine' }),
  SIGN_IN_FAILURES_PER_ACCOUNT: whole(10, 1, 100_000),
  SIGN_IN_FAILURES_PER_ACCOUNT_HOUR: whole(100, 1, 1_000_000),
  SIGN_IN_WINDOW_MINUTES: whole(15, 1, 1_440),
  SIGN_IN_ATTEMPTS_PER_ADDRESS: whole(300, 1, 1_000_000),
  REGISTRATIONS_PER_ADDRESS_HOUR: whole(100, 1, 1_000_000),
  ADMIN_KEY_FAILURES_PER_ADDRESS: whole(10, 1, 100_000),
  PASSWORD_RESETS_PER_ACCOUNT_HOUR: whole(5, 1, 100_000),
  PASSWORD_RESETS_PER_ADDRESS_HOUR: whole(100, 1, 1_000_000),
  PAYMENT_STARTS_PER_LEARNER: whole(5, 1, 1_000_000),
  SMTP_URL: z
    .string()
    .refine(isMailServer, { error: 'doit être une adresse smtp:// ou smtps://, avec % devant ce qui est particulier' })
    .optional(),
  MAIL_FROM: z.email({ error: 'doit être une adresse électronique' }).optional(),
  PAYMENT_PROVIDERS: z
    .string()
    .default('zitopay')
    .transform(listed)
    .refine(isChoice, { error: 'doit nommer zitopay, notchpay ou les deux, une fois chacun, séparés par une virgule' }),
  PAYMENT_PROVIDER_FAILURES: whole(10, 1, 1_000),
  PAYMENT_PROVIDER_PAUSE_MS: whole(30_000, 0, 600_000),
  ZITOPAY_RECEIVER: z.string().max(100).optional(),
  ZITOPAY_BASE_URL: baseUrl.optional(),
  ZITOPAY_SCRIPT_URL: httpUrl.optional(),
  ZITOPAY_TIMEOUT_MS: whole(10_000, 100, 60_000),
  NOTCHPAY_PUBLIC_KEY: apiKey.optional(),
  NOTCHPAY_HASH_KEY: apiKey.optional(),
  NOTCHPAY_BASE_URL: baseUrl.optional(),
  NOTCHPAY_CHECKOUT_ORIGIN: originUrl.optional(),
  NOTCHPAY_SIGNATURE_HEADER: z
    .string()
    .regex(/^[A-Za-z0-9-]{1,60}$/, { error: "doit être un nom d'en-tête" })
    .default('x-notch-signature')
    .transform((value) => value.toLowerCase()),
  NOTCHPAY_SIGNATURE_ALGORITHM: z.enum(['sha256', 'sha512'], { error: 'doit valoir sha256 ou sha512' }).default('sha256'),
  NOTCHPAY_TIMEOUT_MS: whole(10_000, 100, 60_000),
  PAYMENT_SIMULATION: flag('off'),
  RECONCILE_PAYMENTS: flag('on'),
  RECONCILE_EVERY_SECONDS: whole(30, 1, 3_600),
  METRICS_TOKEN: z.string().min(16, { error: 'doit compter au moins 16 caractères' }).max(200).optional(),
  DEMO_PASSWORD: z
    .string()
    .refine((value) => newPasswordSchema.safeParse(value).success, {
      error: 'doit compter 8 caractères, une majuscule, une minuscule, un chiffre et un caractère spécial',
    })
    .default('Demo-2026!'),
});

export interface Config {
  environment: 'development' | 'production' | 'test';
  host: string;
  port: number;
  /** The site's origin, without a trailing slash; null: the origin is the request's own host. */
  publicUrl: string | null;
  trustProxy: string;
  dataDir: string;
  /** Null: an embedded PostgreSQL in `dataDir`. */
  databaseUrl: string | null;
  /** What a request's statement may take, in ms. */
  databaseTimeoutMs: number;
  /** From SIGTERM to the end of the process, in ms, whatever hangs. */
  shutdownTimeoutMs: number;
  logLevel: string;
  site: { name: string; city: string; supportEmail: string; supportPhone: string };
  allowedEmailDomains: string[];
  limits: {
    /** Of one network, or of one known device, in `signInWindowMinutes`. */
    signInFailuresPerAccount: number;
    /** From all unknown devices together. */
    signInFailuresPerAccountHour: number;
    signInWindowMinutes: number;
    signInAttemptsPerAddress: number;
    registrationsPerAddressHour: number;
    /** Registrations of administrators with keys that do not fit, in 15 minutes. */
    adminKeyFailuresPerAddress: number;
    /** Letters to those who have forgotten a password. */
    passwordResetsPerAccountHour: number;
    passwordResetsPerAddressHour: number;
    /** New payments of a learner in 10 minutes. */
    paymentStartsPerLearner: number;
  };
  /** The mail server, and the address that letters come from; null: none is sent. */
  mail: { smtpUrl: string; from: string } | null;
  payments: {
    /** Chosen providers; the first is the default. */
    providers: [PaymentProviderSlug, ...PaymentProviderSlug[]];
    /** Calls in a row that fail before a provider is left alone, and for how long. */
    failuresBeforePause: number;
    pauseMs: number;
  };
  zitopay: { receiver: string; baseUrl: string; scriptUrl: string; timeoutMs: number };
  notchpay: {
    /** Null: it can open nothing. */
    publicKey: string | null;
    /** What its notifications are signed with; null: none is believed. */
    hashKey: string | null;
    baseUrl: string;
    /** Where its checkout pages stand. */
    checkoutOrigin: string;
    signatureHeader: string;
    signatureAlgorithm: 'sha256' | 'sha512';
    /** A trial payment, made with test keys, opens access like any other; never in production. */
    acceptsSandbox: boolean;
    timeoutMs: number;
  };
  /** Shows the simulation choices on the trial page; never in production. */
  paymentSimulation: boolean;
  /** Whether the server reconciles payments itself (it does unless told otherwise), and the seconds between two passes, also of `--watch`. */
  reconcile: { inServer: boolean; everySeconds: number };
  /** What opens /metrics; null: nothing does. */
  metricsToken: string | null;
  demoPassword: string;
}

/** Every fault of the settings, in French, one a line. */
export class ConfigError extends Error {
  readonly faults: string[];

  constructor(faults: string[]) {
    super(`Réglages incorrects : ${faults.join(' ; ')}`);
    this.name = 'ConfigError';
    this.faults = faults;
  }
}

/**
 * Parses the environment once. An empty variable counts as unset.
 * @throws ConfigError with every fault at once
 */
export function loadConfig(environment: Record<string, string | undefined> = process.env): Config {
  const set = Object.fromEntries(Object.entries(environment).filter(([, value]) => value !== undefined && value !== ''));
  // For the few limits without words of their own.
  const parsed = environmentSchema.safeParse(set, { error: () => 'est trop court, trop long ou incorrect' });
  const faults = [
    ...(parsed.error?.issues ?? []).map((issue) => `${issue.path.join('.')} ${issue.message}`),
    ...(set.NODE_ENV === 'production' ? productionFaults(set, listed(set.PAYMENT_PROVIDERS ?? 'zitopay')) : []),
    ...(set.SMTP_URL ? mailFaults(set) : []),
  ];
  if (!parsed.success || faults.length > 0) throw new ConfigError(faults);
  const env = parsed.data;
  // Outside production nobody talks to a real provider by default: these are where the simulators listen.
  const real = env.NODE_ENV === 'production';
  const zitopayUrl = env.ZITOPAY_BASE_URL ?? (real ? 'https://zitopay.africa' : 'http://127.0.0.1:4010');
  const notchpayUrl = env.NOTCHPAY_BASE_URL ?? (real ? 'https://api.notchpay.co' : 'http://127.0.0.1:4011');
  return {
    environment: env.NODE_ENV,
    host: env.HOST,
    port: env.PORT,
    publicUrl: env.PUBLIC_URL ?? null,
    trustProxy: env.TRUST_PROXY,
    dataDir: env.DATA_DIR,
    databaseUrl: env.DATABASE_URL ?? null,
    databaseTimeoutMs: env.DATABASE_TIMEOUT_MS,
    shutdownTimeoutMs: env.SHUTDOWN_TIMEOUT_MS,
    logLevel: env.LOG_LEVEL,
    site: { name: env.SITE_NAME, city: env.SITE_CITY, supportEmail: env.SUPPORT_EMAIL, supportPhone: env.SUPPORT_PHONE },
    allowedEmailDomains: env.ALLOWED_EMAIL_DOMAINS,
    limits: {
      signInFailuresPerAccount: env.SIGN_IN_FAILURES_PER_ACCOUNT,
      signInFailuresPerAccountHour: env.SIGN_IN_FAILURES_PER_ACCOUNT_HOUR,
      signInWindowMinutes: env.SIGN_IN_WINDOW_MINUTES,
      signInAttemptsPerAddress: env.SIGN_IN_ATTEMPTS_PER_ADDRESS,
      registrationsPerAddressHour: env.REGISTRATIONS_PER_ADDRESS_HOUR,
      adminKeyFailuresPerAddress: env.ADMIN_KEY_FAILURES_PER_ADDRESS,
      passwordResetsPerAccountHour: env.PASSWORD_RESETS_PER_ACCOUNT_HOUR,
      passwordResetsPerAddressHour: env.PASSWORD_RESETS_PER_ADDRESS_HOUR,
      paymentStartsPerLearner: env.PAYMENT_STARTS_PER_LEARNER,
    },
    mail: env.SMTP_URL && env.MAIL_FROM ? { smtpUrl: env.SMTP_URL, from: env.MAIL_FROM } : null,
    payments: {
      providers: env.PAYMENT_PROVIDERS,
      failuresBeforePause: env.PAYMENT_PROVIDER_FAILURES,
      pauseMs: env.PAYMENT_PROVIDER_PAUSE_MS,
    },
    zitopay: {
      // Empty: no payment of ours stands there.
      receiver: env.ZITOPAY_RECEIVER ?? (real ? '' : 'demo'),
      baseUrl: zitopayUrl,
      scriptUrl: env.ZITOPAY_SCRIPT_URL ?? `${zitopayUrl}/assets/js/payment.js`,
      timeoutMs: env.ZITOPAY_TIMEOUT_MS,
    },
    notchpay: {
      publicKey: env.NOTCHPAY_PUBLIC_KEY ?? null,
      hashKey: env.NOTCHPAY_HASH_KEY ?? null,
      baseUrl: notchpayUrl,
      checkoutOrigin: env.NOTCHPAY_CHECKOUT_ORIGIN ?? (real ? 'https://pay.notchpay.co' : new URL(notchpayUrl).origin),
      signatureHeader: env.NOTCHPAY_SIGNATURE_HEADER,
      signatureAlgorithm: env.NOTCHPAY_SIGNATURE_ALGORITHM,
      acceptsSandbox: !real,
      timeoutMs: env.NOTCHPAY_TIMEOUT_MS,
    },
    paymentSimulation: env.PAYMENT_SIMULATION,
    reconcile: { inServer: env.RECONCILE_PAYMENTS, everySeconds: env.RECONCILE_EVERY_SECONDS },
    metricsToken: env.METRICS_TOKEN ?? null,
    demoPassword: env.DEMO_PASSWORD,
  };
}

/** What sending letters asks for. Their links lead to PUBLIC_URL: a request's own host can be anything. */
function mailFaults(env: Record<string, string | undefined>): string[] {
  const faults: string[] = [];
  if (!env.MAIL_FROM) faults.push('MAIL_FROM est obligatoire avec SMTP_URL');
  if (!env.PUBLIC_URL && env.NODE_ENV !== 'production') faults.push('PUBLIC_URL est obligatoire avec SMTP_URL');
  return faults;
}
