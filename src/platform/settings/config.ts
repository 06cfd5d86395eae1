import type { z } from 'zod';
import { databaseOf } from './database-address.ts';
import { environmentSchema } from './environment.ts';
import { type ProductionRules, productionFaults, type Variables } from './production-settings.ts';
import { readSecretFiles } from './secret-files.ts';
import { uploadFaults, uploadSecrets, uploadsOf } from './uploads-settings.ts';
import { namesIn } from './variables.ts';

const contactOf = (contact: string): string => (contact.startsWith('https:') ? contact : `mailto:${contact}`);

const configOf = (env: z.output<typeof environmentSchema>) => ({
  environment: env.NODE_ENV,
  host: env.HOST,
  port: env.PORT,
  /** The site's origin, without a trailing slash; null: each request's own host. */
  publicUrl: env.PUBLIC_URL ?? null,
  /** The administration's own origin; null: the same as the site's. */
  adminUrl: env.ADMIN_URL ?? null,
  hstsSubdomains: env.HSTS_SUBDOMAINS,
  /** Proxies whose X-Forwarded-For is trusted; false: none. */
  trustProxy: env.TRUST_PROXY === 'none' ? (false as const) : env.TRUST_PROXY,
  dataDir: env.DATA_DIR,
  uploads: uploadsOf(env),
  /** Null: an embedded PostgreSQL in `dataDir`. */
  databaseUrl: env.DATABASE_URL ?? null,
  /** The database's address for CLI commands, and for its owner; both null in the server, which never reads them. */
  commandsDatabaseUrl: env.COMMANDS_DATABASE_URL ?? null,
  migrationsDatabaseUrl: env.MIGRATIONS_DATABASE_URL ?? null,
  /** Read replicas, for data that may be some seconds old. */
  databaseReplicas: {
    urls: env.DATABASE_REPLICA_URLS,
    /** Maximum delay of a read behind the primary, in ms; a later replica is not used. */
    maxLagMs: env.DATABASE_REPLICA_MAX_LAG_MS,
  },
  /** Timeout of a request's statement, in ms. */
  databaseTimeoutMs: env.DATABASE_TIMEOUT_MS,
  /** Maximum number of connections of this process, and whether prepared statements have names. */
  databasePool: { poolSize: env.DATABASE_POOL_SIZE, namedStatements: env.DATABASE_NAMED_STATEMENTS },
  /** Time limit from SIGTERM to the end of the process, in ms. */
  shutdownTimeoutMs: env.SHUTDOWN_TIMEOUT_MS,
  /** First part of this time, in ms, in which only /readyz fails and everything else is still served. */
  shutdownDrainMs: env.SHUTDOWN_DRAIN_MS,
  /** Number of processes that serve the site on this machine. */
  webProcesses: env.WEB_PROCESSES,
  logLevel: env.LOG_LEVEL,
  site: {
    name: env.SITE_NAME,
    city: env.SITE_CITY,
    supportEmail: env.SUPPORT_EMAIL,
    supportPhone: env.SUPPORT_PHONE,
    supportWhatsapp: env.SUPPORT_WHATSAPP,
    /** Link to the learners' first page, also valid on the administration's own host. */
    home: env.ADMIN_URL && env.PUBLIC_URL ? `${env.PUBLIC_URL}/` : '/',
  },
  /** Where vulnerabilities are reported, as a URI. */
  securityContact: contactOf(env.SECURITY_CONTACT ?? env.SUPPORT_EMAIL),
  allowedEmailDomains: env.ALLOWED_EMAIL_DOMAINS,
  /** Whether commonly used new passwords are refused, in addition to the specification's rule. */
  refuseCommonPasswords: env.REFUSE_COMMON_PASSWORDS ?? env.NODE_ENV === 'production',
  landingFigures: env.LANDING_FIGURES,
  /** An administrator's session ends after this time without use, in ms. */
  administratorIdleMs: env.ADMIN_IDLE_MINUTES * 60_000,
  limits: {
    /** Maximum number of concurrent sessions of one learner, on all devices; 0: unlimited. */
    sessionsPerLearner: env.SESSIONS_PER_LEARNER ?? (env.NODE_ENV === 'production' ? 5 : 0),
    /** From one network, or from one known device, within `signInWindowMinutes`. */
    signInFailuresPerAccount: env.SIGN_IN_FAILURES_PER_ACCOUNT,
    /** From all unknown devices together. */
    signInFailuresPerAccountHour: env.SIGN_IN_FAILURES_PER_ACCOUNT_HOUR,
    signInWindowMinutes: env.SIGN_IN_WINDOW_MINUTES,
    signInAttemptsPerAddress: env.SIGN_IN_ATTEMPTS_PER_ADDRESS,
    registrationsPerAddressHour: env.REGISTRATIONS_PER_ADDRESS_HOUR,
    /** Registrations of administrators with wrong keys, within 15 minutes. */
    adminKeyFailuresPerAddress: env.ADMIN_KEY_FAILURES_PER_ADDRESS,
    /** E-mails to people who have forgotten their password. */
    passwordResetsPerAccountHour: env.PASSWORD_RESETS_PER_ACCOUNT_HOUR,
    passwordResetsPerAddressHour: env.PASSWORD_RESETS_PER_ADDRESS_HOUR,
    /** New payments of one learner within 10 minutes. */
    paymentStartsPerLearner: env.PAYMENT_STARTS_PER_LEARNER,
    /** Different items that a learner may open within 10 minutes, on each machine; 0: unlimited. */
    itemReadsPerLearner: env.ITEM_READS_PER_LEARNER_10_MINUTES,
  },
  /** Days for which obsolete data is kept before `prepa prune` removes it. */
  retention: {
    endedSessions: env.KEEP_ENDED_SESSIONS_DAYS,
    attemptCounts: env.KEEP_ATTEMPT_COUNTS_DAYS,
    passwordResets: env.KEEP_PASSWORD_RESETS_DAYS,
    /** Network addresses in the audit log of administrators. */
    journalNetworks: env.KEEP_JOURNAL_NETWORKS_DAYS,
    readNotifications: env.KEEP_READ_NOTIFICATIONS_DAYS,
    /** Payment providers' notifications that name no known payment. */
    unknownNotifications: env.KEEP_UNKNOWN_NOTIFICATIONS_DAYS,
    /** Replaced versions of a text: first all, then one per day. */
    allVersions: env.KEEP_ALL_VERSIONS_DAYS,
    dailyVersions: env.KEEP_DAILY_VERSIONS_DAYS,
    /** Learners' answers and attempts at series. What was counted from them stays. */
    answers: env.KEEP_ANSWERS_DAYS,
    /** Candidates' batches of answers in a mock exam, from the publication of its results on. */
    examBatches: env.KEEP_EXAM_BATCHES_DAYS,
  },
  administrators: {
    /** Whether super administrators must use two-factor authentication. */
    demandsSecondFactor: (env.SUPER_ADMIN_SECOND_FACTOR ?? (env.NODE_ENV === 'production' ? 'required' : 'optional')) === 'required',
    /** Key that encrypts the secrets of two-factor authentication; null: they are stored unencrypted. */
    secretsKey: env.ADMIN_SECRETS_KEY ?? null,
  },
  /** Mail server and sender address; null: no e-mail is sent. */
  mail: env.SMTP_URL && env.MAIL_FROM ? { smtpUrl: env.SMTP_URL, from: env.MAIL_FROM } : null,
  /** Whether learners must confirm their address by an e-mail. */
  confirmEmail: env.CONFIRM_EMAIL,
  /** Day of the week (1 is Monday) and hour, in Africa/Douala, from which weekly letters are sent. */
  weeklyLetter: { day: env.WEEKLY_LETTER_DAY, hour: env.WEEKLY_LETTER_HOUR },
  /** Keys for push messages, and the operator's address for push services, as a URI; null: no push messages. */
  push:
    env.PUSH_PUBLIC_KEY && env.PUSH_PRIVATE_KEY
      ? {
          publicKey: env.PUSH_PUBLIC_KEY,
          privateKey: env.PUSH_PRIVATE_KEY,
          subject: contactOf(env.PUSH_SUBJECT ?? env.SUPPORT_EMAIL),
        }
      : null,
  shedLoad: env.SHED_LOAD,
  /** Whether learners may save prepas for reading offline. */
  offline: env.OFFLINE,
  /** Shows the simulation choices on the trial page; never in production. */
  paymentSimulation: env.PAYMENT_SIMULATION,
  /** Whether the server publishes planned drafts itself, every minute. */
  publishDrafts: env.PUBLISH_DRAFTS,
  /** Whether the server reconciles payments itself, and the seconds between two passes, also with `--watch`. */
  reconcile: { inServer: env.RECONCILE_PAYMENTS, everySeconds: env.RECONCILE_EVERY_SECONDS },
  /**
   * Folder of the timer's backups (null: unknown), public keys for encrypting backups, and the number of hours, days, weeks and months of
   * which the last backup is kept.
   */
  backup: {
    folder: env.BACKUP_DIR ?? null,
    recipients: env.BACKUP_RECIPIENT,
    keep: {
      hourly: env.BACKUP_KEEP_HOURLY,
      daily: env.BACKUP_KEEP_DAILY,
      weekly: env.BACKUP_KEEP_WEEKLY,
      monthly: env.BACKUP_KEEP_MONTHLY,
    },
  },
  /** Bearer token of /metrics; null: /metrics is not served. */
  metricsToken: env.METRICS_TOKEN ?? null,
  demoPassword: env.DEMO_PASSWORD,
});
export type Config = ReturnType<typeof configOf>;

/** All faults of the settings, in French, one per entry. */
export class ConfigError extends Error {
  readonly faults: string[];

  constructor(faults: string[]) {
    super(`Réglages incorrects : ${faults.join(' ; ')}`);
    this.name = 'ConfigError';
    this.faults = faults;
  }
}

/** Settings that a module reads from the same environment. */
export interface ModuleSettings<Own> {
  /** Parses the environment's variables to the module's settings. */
  schema: z.ZodType<Own>;
  /** Returns the rules for these variables in production. */
  productionRules(variables: Variables): ProductionRules[];
  names(): string[];
  /** Names of variables that may be read from files. */
  secrets: readonly string[];
}

const secrets = [
  'DATABASE_URL',
  'DATABASE_REPLICA_URLS',
  ...uploadSecrets,
  'SMTP_URL',
  'METRICS_TOKEN',
  'ADMIN_SECRETS_KEY',
  'PUSH_PRIVATE_KEY',
  'DEMO_PASSWORD',
];
/** Addresses of database roles with more rights than the server's. */
const commandSecrets = ['COMMANDS_DATABASE_URL', 'MIGRATIONS_DATABASE_URL'];

const secretsWith = ({ secrets: ofModule }: { secrets: readonly string[] }): string[] => [...secrets, ...commandSecrets, ...ofModule];

/** Returns the names of all settings, and of those that may be read from files. */
export function namesOfSettings<Own>(own: ModuleSettings<Own>): { all: ReadonlySet<string>; secrets: readonly string[] } {
  return { all: new Set([...namesIn(environmentSchema), ...own.names()]), secrets: secretsWith(own) };
}

/** Program that reads the settings. */
export type Reader = 'server' | 'commands';

/**
 * Parses the environment. An empty variable counts as unset. A secret may be in a file named by NAME_FILE.
 * @param reader the server never reads settings that only commands may know, not even from their files
 * @throws ConfigError with all faults
 */
export function readConfig<Own>(own: ModuleSettings<Own>, environment: Variables, reader: Reader = 'server'): Config & Own {
  const hidden = new Set(reader === 'server' ? commandSecrets.flatMap((name) => [name, `${name}_FILE`]) : []);
  const given = Object.fromEntries(Object.entries(environment).filter(([name, value]) => value && !hidden.has(name)));
  const { variables: set, faults: fileFaults } = readSecretFiles(given, secretsWith(own));
  // Default message of the few limits without their own.
  const error = () => 'est trop court, trop long ou incorrect';
  const parsed = environmentSchema.extend({ own: own.schema }).safeParse({ ...set, own: set }, { error });
  const unread = Object.keys(fileFaults);
  const faults = [
    ...Object.values(fileFaults),
    // A secret whose file is unreadable gets no further messages.
    ...[
      ...(parsed.error?.issues ?? []).map((issue) => `${String(issue.path.at(-1))} ${issue.message}`),
      ...(set.NODE_ENV === 'production' ? productionFaults(set, own.productionRules(set)) : []),
      ...uploadFaults(set),
      ...(set.SMTP_URL ? mailFaults(set) : []),
      ...(set.PUSH_PUBLIC_KEY && !set.PUSH_PRIVATE_KEY ? ['PUSH_PRIVATE_KEY est obligatoire avec PUSH_PUBLIC_KEY'] : []),
      ...(set.PUSH_PRIVATE_KEY && !set.PUSH_PUBLIC_KEY ? ['PUSH_PUBLIC_KEY est obligatoire avec PUSH_PRIVATE_KEY'] : []),
      ...(set.ADMIN_URL ? administrationFaults(set.ADMIN_URL, set.PUBLIC_URL) : []),
      // Outside production the e-mails are written to the log.
      ...(parsed.data?.CONFIRM_EMAIL && set.NODE_ENV === 'production' && !set.SMTP_URL ? ['CONFIRM_EMAIL demande SMTP_URL'] : []),
      // Commands, above all a restore, must not use another database because of a forgotten variable.
      ...commandSecrets
        .filter((name) => parsed.success && databaseOf(set[name] ?? set.DATABASE_URL) !== databaseOf(set.DATABASE_URL))
        .map((name) => `${name} nomme une autre base que DATABASE_URL`),
      ...(set.DATABASE_URL && parsed.data?.DATABASE_REPLICA_URLS.some((url) => databaseOf(url) !== databaseOf(set.DATABASE_URL))
        ? ['DATABASE_REPLICA_URLS nomme une autre base que DATABASE_URL']
        : []),
    ].filter((fault) => !unread.some((name) => fault.startsWith(`${name} `))),
  ];
  if (!parsed.success || faults.length > 0) throw new ConfigError(faults);
  return { ...configOf(parsed.data), ...parsed.data.own };
}

/** Returns the faults of the mail settings. Links in e-mails need PUBLIC_URL, since a request's Host header can hold anything. */
function mailFaults(env: Variables): string[] {
  const faults: string[] = [];
  if (!env.MAIL_FROM) faults.push('MAIL_FROM est obligatoire avec SMTP_URL');
  if (!env.PUBLIC_URL && env.NODE_ENV !== 'production') faults.push('PUBLIC_URL est obligatoire avec SMTP_URL');
  return faults;
}

/** Returns the faults of ADMIN_URL. Its host must differ: cookies ignore ports, so both sites would share them. */
function administrationFaults(adminUrl: string, publicUrl: string | undefined): string[] {
  if (!publicUrl) return ['PUBLIC_URL est obligatoire avec ADMIN_URL'];
  const isSame = URL.canParse(adminUrl) && URL.canParse(publicUrl) && new URL(adminUrl).hostname === new URL(publicUrl).hostname;
  return isSame ? ['ADMIN_URL doit nommer un autre hôte que PUBLIC_URL'] : [];
}
