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
  /** The site's origin, without a trailing slash; null: the origin is the request's own host. */
  publicUrl: env.PUBLIC_URL ?? null,
  /** The administration's own origin; null: it stands on the site's. */
  adminUrl: env.ADMIN_URL ?? null,
  /** Whether browsers are told that all names below the site's ask for HTTPS too. */
  hstsSubdomains: env.HSTS_SUBDOMAINS,
  /** Whose X-Forwarded-For is believed; false: nobody's. */
  trustProxy: env.TRUST_PROXY === 'none' ? (false as const) : env.TRUST_PROXY,
  dataDir: env.DATA_DIR,
  /** Where pictures and documents lie. */
  uploads: uploadsOf(env),
  /** Null: an embedded PostgreSQL in `dataDir`. */
  databaseUrl: env.DATABASE_URL ?? null,
  /** The same as the terminal's commands reach it, and as its owner does: both null in the server, which reads neither. */
  commandsDatabaseUrl: env.COMMANDS_DATABASE_URL ?? null,
  migrationsDatabaseUrl: env.MIGRATIONS_DATABASE_URL ?? null,
  /** Where what may be some seconds old is read. */
  databaseReplicas: {
    urls: env.DATABASE_REPLICA_URLS,
    /** What a read may be behind, in ms: a replica that is later is left out. */
    maxLagMs: env.DATABASE_REPLICA_MAX_LAG_MS,
  },
  /** What a request's statement may take, in ms. */
  databaseTimeoutMs: env.DATABASE_TIMEOUT_MS,
  /** Connections of this process at most, and whether statements are named on them. */
  databasePool: { poolSize: env.DATABASE_POOL_SIZE, namedStatements: env.DATABASE_NAMED_STATEMENTS },
  /** From SIGTERM to the end of the process, in ms, whatever hangs. */
  shutdownTimeoutMs: env.SHUTDOWN_TIMEOUT_MS,
  /** How much of it /readyz refuses while all else is still served, in ms. */
  shutdownDrainMs: env.SHUTDOWN_DRAIN_MS,
  /** Processes that serve the site on this machine. */
  webProcesses: env.WEB_PROCESSES,
  logLevel: env.LOG_LEVEL,
  site: {
    name: env.SITE_NAME,
    city: env.SITE_CITY,
    supportEmail: env.SUPPORT_EMAIL,
    supportPhone: env.SUPPORT_PHONE,
    supportWhatsapp: env.SUPPORT_WHATSAPP,
    /** The learners' first page, also from the administration's own host. */
    home: env.ADMIN_URL && env.PUBLIC_URL ? `${env.PUBLIC_URL}/` : '/',
  },
  /** Where faults are reported, as a URI. */
  securityContact: contactOf(env.SECURITY_CONTACT ?? env.SUPPORT_EMAIL),
  allowedEmailDomains: env.ALLOWED_EMAIL_DOMAINS,
  /** Whether new passwords that are guessed early are refused, beside the specification's rule. */
  refuseCommonPasswords: env.REFUSE_COMMON_PASSWORDS ?? env.NODE_ENV === 'production',
  /** Where the landing page's four figures come from. */
  landingFigures: env.LANDING_FIGURES,
  /** How long an administrator's session lasts without use, in ms. */
  administratorIdleMs: env.ADMIN_IDLE_MINUTES * 60_000,
  limits: {
    /** Sessions of one learner at once, on all devices; 0: any number. */
    sessionsPerLearner: env.SESSIONS_PER_LEARNER ?? (env.NODE_ENV === 'production' ? 5 : 0),
    /** Of one network, or of one known device, in `signInWindowMinutes`. */
    signInFailuresPerAccount: env.SIGN_IN_FAILURES_PER_ACCOUNT,
    /** From all unknown devices together. */
    signInFailuresPerAccountHour: env.SIGN_IN_FAILURES_PER_ACCOUNT_HOUR,
    signInWindowMinutes: env.SIGN_IN_WINDOW_MINUTES,
    signInAttemptsPerAddress: env.SIGN_IN_ATTEMPTS_PER_ADDRESS,
    registrationsPerAddressHour: env.REGISTRATIONS_PER_ADDRESS_HOUR,
    /** Registrations of administrators with keys that do not fit, in 15 minutes. */
    adminKeyFailuresPerAddress: env.ADMIN_KEY_FAILURES_PER_ADDRESS,
    /** Letters to those who have forgotten a password. */
    passwordResetsPerAccountHour: env.PASSWORD_RESETS_PER_ACCOUNT_HOUR,
    passwordResetsPerAddressHour: env.PASSWORD_RESETS_PER_ADDRESS_HOUR,
    /** New payments of a learner in 10 minutes. */
    paymentStartsPerLearner: env.PAYMENT_STARTS_PER_LEARNER,
    /** Different items that a learner opens in 10 minutes, on each machine; 0: any number. */
    itemReadsPerLearner: env.ITEM_READS_PER_LEARNER_10_MINUTES,
  },
  /** How long what is of no use any more is kept before `prepa prune` removes it, in days. */
  retention: {
    endedSessions: env.KEEP_ENDED_SESSIONS_DAYS,
    attemptCounts: env.KEEP_ATTEMPT_COUNTS_DAYS,
    passwordResets: env.KEEP_PASSWORD_RESETS_DAYS,
    /** From where administrators did what the audit log says. */
    journalNetworks: env.KEEP_JOURNAL_NETWORKS_DAYS,
    readNotifications: env.KEEP_READ_NOTIFICATIONS_DAYS,
    /** Of payment providers, without a payment that they name. */
    unknownNotifications: env.KEEP_UNKNOWN_NOTIFICATIONS_DAYS,
    /** All versions of a text, after it was replaced; then one a day. */
    allVersions: env.KEEP_ALL_VERSIONS_DAYS,
    dailyVersions: env.KEEP_DAILY_VERSIONS_DAYS,
  },
  administrators: {
    /** Whether super administrators must have a second step of the sign-in. */
    demandsSecondFactor: (env.SUPER_ADMIN_SECOND_FACTOR ?? (env.NODE_ENV === 'production' ? 'required' : 'optional')) === 'required',
    /** What their codes' secrets are sealed with; null: they are stored as they are. */
    secretsKey: env.ADMIN_SECRETS_KEY ?? null,
  },
  /** The mail server, and the address that letters come from; null: none is sent. */
  mail: env.SMTP_URL && env.MAIL_FROM ? { smtpUrl: env.SMTP_URL, from: env.MAIL_FROM } : null,
  /** Whether learners are asked to confirm their address by a letter. */
  confirmEmail: env.CONFIRM_EMAIL,
  /** Whether requests are refused when more come than can be answered in time. */
  shedLoad: env.SHED_LOAD,
  /** Whether learners may keep their prepas for reading without network. */
  offline: env.OFFLINE,
  /** Shows the simulation choices on the trial page; never in production. */
  paymentSimulation: env.PAYMENT_SIMULATION,
  /** Whether the server reconciles payments itself (it does unless told otherwise), and the seconds between two passes, also of `--watch`. */
  reconcile: { inServer: env.RECONCILE_PAYMENTS, everySeconds: env.RECONCILE_EVERY_SECONDS },
  /** Public keys that backups are encrypted for, where those of the timer are put (null: not said), and of how many days, weeks and months the last one is kept. */
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
  /** What opens /metrics; null: nothing does. */
  metricsToken: env.METRICS_TOKEN ?? null,
  demoPassword: env.DEMO_PASSWORD,
});
export type Config = ReturnType<typeof configOf>;

/** Every fault of the settings, in French, one a line. */
export class ConfigError extends Error {
  readonly faults: string[];

  constructor(faults: string[]) {
    super(`Réglages incorrects : ${faults.join(' ; ')}`);
    this.name = 'ConfigError';
    this.faults = faults;
  }
}

/** What a module reads from the same environment for itself. */
export interface ModuleSettings<Own> {
  /** From the environment's variables to what the module calls them. */
  schema: z.ZodType<Own>;
  /** What production asks for and refuses of them. */
  productionRules(variables: Variables): ProductionRules[];
  /** Names of the variables that it reads. */
  names(): string[];
  /** Those that may stand in files. */
  secrets: readonly string[];
}

const secrets = [
  'DATABASE_URL',
  'DATABASE_REPLICA_URLS',
  ...uploadSecrets,
  'SMTP_URL',
  'METRICS_TOKEN',
  'ADMIN_SECRETS_KEY',
  'DEMO_PASSWORD',
];
/** Addresses of roles that may do more than the server's. */
const commandSecrets = ['COMMANDS_DATABASE_URL', 'MIGRATIONS_DATABASE_URL'];

const secretsWith = ({ secrets: ofModule }: { secrets: readonly string[] }): string[] => [...secrets, ...commandSecrets, ...ofModule];

/** Names of every setting, and of those that may stand in files. */
export function namesOfSettings<Own>(own: ModuleSettings<Own>): { all: ReadonlySet<string>; secrets: readonly string[] } {
  return { all: new Set([...namesIn(environmentSchema), ...own.names()]), secrets: secretsWith(own) };
}

/** Whom the settings are read for. */
export type Reader = 'server' | 'commands';

/**
 * Parses the environment once. An empty variable counts as unset. A secret may stand in a file that NAME_FILE names.
 * @param reader the server never reads what the commands alone may know, not even from their files
 * @throws ConfigError with every fault at once
 */
export function readConfig<Own>(own: ModuleSettings<Own>, environment: Variables, reader: Reader = 'server'): Config & Own {
  const hidden = new Set(reader === 'server' ? commandSecrets.flatMap((name) => [name, `${name}_FILE`]) : []);
  const given = Object.fromEntries(Object.entries(environment).filter(([name, value]) => value && !hidden.has(name)));
  const { variables: set, faults: fileFaults } = readSecretFiles(given, secretsWith(own));
  // For the few limits without words of their own.
  const error = () => 'est trop court, trop long ou incorrect';
  const parsed = environmentSchema.extend({ own: own.schema }).safeParse({ ...set, own: set }, { error });
  const unread = Object.keys(fileFaults);
  const faults = [
    ...Object.values(fileFaults),
    // Of what could not be read there is nothing else to say.
    ...[
      ...(parsed.error?.issues ?? []).map((issue) => `${String(issue.path.at(-1))} ${issue.message}`),
      ...(set.NODE_ENV === 'production' ? productionFaults(set, own.productionRules(set)) : []),
      ...uploadFaults(set),
      ...(set.SMTP_URL ? mailFaults(set) : []),
      ...(set.ADMIN_URL ? administrationFaults(set.ADMIN_URL, set.PUBLIC_URL) : []),
      // Elsewhere the letters stand in the log.
      ...(parsed.data?.CONFIRM_EMAIL && set.NODE_ENV === 'production' && !set.SMTP_URL ? ['CONFIRM_EMAIL demande SMTP_URL'] : []),
      // A restoration, above all, must not work on what somebody has forgotten in the environment.
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

/** What sending letters asks for. Their links lead to PUBLIC_URL: a request's own host can be anything. */
function mailFaults(env: Variables): string[] {
  const faults: string[] = [];
  if (!env.MAIL_FROM) faults.push('MAIL_FROM est obligatoire avec SMTP_URL');
  if (!env.PUBLIC_URL && env.NODE_ENV !== 'production') faults.push('PUBLIC_URL est obligatoire avec SMTP_URL');
  return faults;
}

/** Cookies know hosts and no ports: on the same host the two would share them. */
function administrationFaults(adminUrl: string, publicUrl: string | undefined): string[] {
  if (!publicUrl) return ['PUBLIC_URL est obligatoire avec ADMIN_URL'];
  const isSame = URL.canParse(adminUrl) && URL.canParse(publicUrl) && new URL(adminUrl).hostname === new URL(publicUrl).hostname;
  return isSame ? ['ADMIN_URL doit nommer un autre hôte que PUBLIC_URL'] : [];
}
