import { isIP } from 'node:net';
import { availableParallelism } from 'node:os';
import { z } from 'zod';
import { newPasswordSchema } from '../../shared/forms/password.ts';
import { addressesIn, certificatesAreReadable } from './database-address.ts';
import { uploadVariables } from './uploads-settings.ts';
import { flag, isPercentEncoded, openFlag, openWhole, originUrl, whole } from './variables.ts';

/** Returns whether Fastify accepts a value as trusted proxy: a name, an address or a range. */
const isProxy = (value: string) => {
  const [address = '', prefix] = value.split('/');
  if (prefix === undefined) return ['loopback', 'linklocal', 'uniquelocal'].includes(value) || isIP(value) > 0;
  return isIP(address) > 0 && /^\d{1,3}$/.test(prefix) && Number(prefix) <= (isIP(address) === 4 ? 32 : 128);
};

/** Returns whether a value is an SMTP address; user and password must be percent-encoded. */
const isMailServer = (value: string) => {
  if (!URL.canParse(value)) return false;
  const { protocol, hostname } = new URL(value);
  return /^smtps?:$/.test(protocol) && hostname !== '' && isPercentEncoded(value);
};

const postgresUrl = z
  .url({ protocol: /^postgres(ql)?$/, error: 'doit être une adresse postgresql://', abort: true })
  .refine(isPercentEncoded, { error: "porte un % qui n'encode aucun caractère : % s'écrit %25", abort: true })
  .refine(certificatesAreReadable, { error: 'nomme un certificat illisible (sslrootcert, sslcert ou sslkey)' });

const contact = z.union([z.email(), z.url({ protocol: /^https$/, hostname: /./ })], {
  error: 'doit être une adresse électronique ou une adresse https',
});

/** The platform's variables, with defaults and limits; .env.example describes them. */
export const environmentSchema = z.object({
  NODE_ENV: z.enum(['development', 'production', 'test'], { error: 'doit valoir development, test ou production' }).default('development'),
  HOST: z.string().default('127.0.0.1'),
  PORT: whole(3000, 0, 65_535),
  PUBLIC_URL: originUrl.optional(),
  ADMIN_URL: originUrl.optional(),
  HSTS_SUBDOMAINS: flag('off'),
  TRUST_PROXY: z
    .string()
    .refine((value) => value === 'none' || value.split(',').every((part) => isProxy(part.trim())), {
      error: 'doit nommer loopback, des adresses ou des plages, ou valoir none',
    })
    .refine((value) => !/\/0+\s*(,|$)/.test(value), {
      error: "laisserait n'importe qui choisir l'adresse dont il vient : nommez votre proxy",
    })
    .default('loopback'),
  /** Set by the container image: a proxy in front of a container always has another address. */
  CONTAINER_IMAGE: flag('off'),
  DATA_DIR: z.string().default('.data'),
  ...uploadVariables,
  DATABASE_URL: postgresUrl.optional(),
  COMMANDS_DATABASE_URL: postgresUrl.optional(),
  MIGRATIONS_DATABASE_URL: postgresUrl.optional(),
  DATABASE_NAMED_STATEMENTS: flag('on'),
  /** At least 2: a request that holds the only connection and asks for another one would wait for itself. */
  DATABASE_POOL_SIZE: whole(10, 2, 1_000),
  DATABASE_REPLICA_URLS: z
    .string()
    .default('')
    .transform(addressesIn)
    .superRefine((urls, { addIssue }) => {
      const faults = urls.flatMap((url) => postgresUrl.safeParse(url).error?.issues.map(({ message }) => message) ?? []);
      for (const message of new Set(faults)) addIssue({ code: 'custom', message });
    }),
  DATABASE_REPLICA_MAX_LAG_MS: whole(5_000, 100, 600_000),
  DATABASE_TIMEOUT_MS: whole(10_000, 100, 600_000),
  SHUTDOWN_TIMEOUT_MS: whole(8_000, 100, 600_000),
  SHUTDOWN_DRAIN_MS: whole(0, 0, 600_000),
  WEB_PROCESSES: z
    .string()
    .regex(/^(auto|[1-9]|[1-5]\d|6[0-4])$/, { error: 'doit valoir auto ou un nombre entier de 1 à 64' })
    .default('1')
    .transform((value) => (value === 'auto' ? availableParallelism() : Number(value))),
  LOG_LEVEL: z.enum(['fatal', 'error', 'warn', 'info', 'debug', 'trace', 'silent'], { error: 'niveau inconnu' }).default('info'),
  SITE_NAME: z.string().min(1).max(40).default('PrépaConcours'),
  SITE_CITY: z.string().min(1).max(60).default('Yaoundé'),
  SUPPORT_EMAIL: z.email({ error: 'doit être une adresse électronique' }).default('support@prepaconcours.cm'),
  SECURITY_CONTACT: contact.optional(),
  SUPPORT_PHONE: z.string().max(30).default('+237 222 00 00 00'),
  /** Empty: no WhatsApp link. */
  SUPPORT_WHATSAPP: z
    .string()
    .regex(/^(\+[\d ]{8,25})?$/, { error: 'doit être un numéro international, de la forme +237 6 00 00 00 00' })
    .default(''),
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
  LANDING_FIGURES: z.enum(['specification', 'database'], { error: 'doit valoir specification ou database' }).default('specification'),
  /** Default: on in production. */
  REFUSE_COMMON_PASSWORDS: openFlag(),
  /** Default: 5 in production, 0 elsewhere; 0: unlimited. */
  SESSIONS_PER_LEARNER: openWhole(0, 1_000),
  ADMIN_IDLE_MINUTES: whole(120, 5, 480),
  SIGN_IN_FAILURES_PER_ACCOUNT: whole(10, 1, 100_000),
  SIGN_IN_FAILURES_PER_ACCOUNT_HOUR: whole(100, 1, 1_000_000),
  SIGN_IN_WINDOW_MINUTES: whole(15, 1, 1_440),
  SIGN_IN_ATTEMPTS_PER_ADDRESS: whole(300, 1, 1_000_000),
  REGISTRATIONS_PER_ADDRESS_HOUR: whole(100, 1, 1_000_000),
  ADMIN_KEY_FAILURES_PER_ADDRESS: whole(10, 1, 100_000),
  PASSWORD_RESETS_PER_ACCOUNT_HOUR: whole(5, 1, 100_000),
  PASSWORD_RESETS_PER_ADDRESS_HOUR: whole(100, 1, 1_000_000),
  PAYMENT_STARTS_PER_LEARNER: whole(5, 1, 1_000_000),
  ITEM_READS_PER_LEARNER_10_MINUTES: whole(200, 0, 1_000_000),
  SUPER_ADMIN_SECOND_FACTOR: z.enum(['required', 'optional'], { error: 'doit valoir required ou optional' }).optional(),
  ADMIN_SECRETS_KEY: z.string().min(32, { error: 'doit compter au moins 32 caractères' }).max(200).optional(),
  KEEP_ENDED_SESSIONS_DAYS: whole(7, 0, 3_650),
  KEEP_ATTEMPT_COUNTS_DAYS: whole(1, 0, 3_650),
  KEEP_PASSWORD_RESETS_DAYS: whole(7, 0, 3_650),
  KEEP_JOURNAL_NETWORKS_DAYS: whole(365, 1, 36_500),
  /** At least the period of reminders: a reminder whose notification was removed could be sent again. */
  KEEP_READ_NOTIFICATIONS_DAYS: whole(365, 30, 36_500),
  /** At least as long as reconciliation retries them. */
  KEEP_UNKNOWN_NOTIFICATIONS_DAYS: whole(30, 7, 3_650),
  KEEP_ALL_VERSIONS_DAYS: whole(7, 0, 36_500),
  KEEP_DAILY_VERSIONS_DAYS: whole(365, 0, 36_500),
  /** At least a year: a learner who pays again finds the errors of the year before. */
  KEEP_ANSWERS_DAYS: whole(730, 365, 36_500),
  KEEP_EXAM_BATCHES_DAYS: whole(60, 14, 3_650),
  SMTP_URL: z
    .string()
    .refine(isMailServer, { error: 'doit être une adresse smtp:// ou smtps://, avec % devant ce qui est particulier' })
    .optional(),
  MAIL_FROM: z.email({ error: 'doit être une adresse électronique' }).optional(),
  CONFIRM_EMAIL: flag('off'),
  WEEKLY_LETTER_DAY: whole(7, 1, 7),
  WEEKLY_LETTER_HOUR: whole(17, 0, 23),
  /** Keys for push services (RFC 8292), in base64url: an uncompressed P-256 point, and the private number. */
  PUSH_PUBLIC_KEY: z
    .string()
    .regex(/^B[\w-]{86}$/, { error: 'doit être une clé publique de « prepa push keys »' })
    .optional(),
  PUSH_PRIVATE_KEY: z
    .string()
    .regex(/^[\w-]{43}$/, { error: 'doit être une clé privée de « prepa push keys »' })
    .optional(),
  PUSH_SUBJECT: contact.optional(),
  /** Replaced by a module's own schema, so that its faults are reported together with these. */
  own: z.unknown(),
  PAYMENT_SIMULATION: flag('off'),
  SHED_LOAD: flag('on'),
  OFFLINE: flag('on'),
  PUBLISH_DRAFTS: flag('on'),
  RECONCILE_PAYMENTS: flag('on'),
  RECONCILE_EVERY_SECONDS: whole(30, 1, 3_600),
  BACKUP_RECIPIENT: z
    .string()
    .default('')
    .transform((value) =>
      value
        .split(',')
        .map((key) => key.trim())
        .filter(Boolean),
    )
    .refine((keys) => keys.every((key) => /^age1[a-z0-9]{50,}$/.test(key)), { error: 'doit nommer des clés publiques age (age1…)' }),
  /** Empty: the folder of the backups is unknown. */
  BACKUP_DIR: z.string().optional(),
  BACKUP_KEEP_HOURLY: whole(48, 0, 1_000),
  BACKUP_KEEP_DAILY: whole(7, 1, 1_000),
  BACKUP_KEEP_WEEKLY: whole(4, 0, 1_000),
  BACKUP_KEEP_MONTHLY: whole(6, 0, 1_000),
  METRICS_TOKEN: z.string().min(16, { error: 'doit compter au moins 16 caractères' }).max(200).optional(),
  DEMO_PASSWORD: z
    .string()
    .refine((value) => newPasswordSchema.safeParse(value).success, {
      error: 'doit compter 8 caractères, une majuscule, une minuscule, un chiffre et un caractère spécial',
    })
    .default('Demo-2026!'),
});
