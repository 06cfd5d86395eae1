import { randomBytes } from 'node:crypto';
import pg from 'pg';
import { AppError } from '../errors.ts';
import { connected } from './connections/connected.ts';

/** A connection pooler in front of PostgreSQL, which shares its sessions among many clients. */
export interface Pooler {
  /** PgBouncer's version, which it reports to users in `stats_users`; null: unknown. */
  version: string | null;
  /** How long a client keeps a session: until it disconnects, for a transaction, or for a statement. */
  mode: 'session' | 'transaction' | 'statement';
  /** Whether a named prepared statement can be used again in any session. */
  keepsNames: boolean;
  /** Timeouts of the pooler's sessions, in ms; 0: none. Values that a client sends at start-up do not reach them. */
  statementTimeoutMs: number;
  idleInTransactionTimeoutMs: number;
}

/** Time within which a query must be answered, in ms: a pooler without a free session does not respond. */
const sessionWithinMs = 10_000;
/** Number of comparisons, since other clients may take or release sessions between two. */
const looks = 10;

/** Detects a pooler at an address by its behaviour. Returns null if PostgreSQL itself is there. */
export const findPooler = (url: string): Promise<Pooler | null> =>
  connected(url, async (client) => {
    if (await isAnsweredByPostgres(client)) return null;
    const { rows } = await client.query<{ name: string; ms: number }>(
      `select name, setting::int as ms from pg_settings where name in ('statement_timeout', 'idle_in_transaction_session_timeout')`,
    );
    const limits = new Map(rows.map(({ name, ms }) => [name, ms]));
    const mode = await connected(url, (other) => modeOf(client, other));
    return {
      version: await versionOf(url),
      mode,
      keepsNames: mode === 'session' || (mode === 'transaction' && (await keepsNames(client))),
      statementTimeoutMs: limits.get('statement_timeout') ?? 0,
      idleInTransactionTimeoutMs: limits.get('idle_in_transaction_session_timeout') ?? 0,
    };
  });

/** @throws AppError if this connection does not keep one session for its whole life */
export async function requireOwnSession(client: pg.Client, url: string): Promise<void> {
  if (await isAnsweredByPostgres(client)) return;
  const pooler = await findPooler(url);
  if (!pooler || pooler.mode === 'session') return;
  throw new AppError(
    'DATABASE.POOLED',
    409,
    `L'adresse de la base de données mène à ${nameOf(pooler)}, et cette commande a besoin d'une session à elle : donnez l'adresse de PostgreSQL lui-même dans COMMANDS_DATABASE_URL (commandes, sauvegardes) et MIGRATIONS_DATABASE_URL (migrations, restaurations, rôles). Rien n'a été changé.`,
  );
}

const modes = { session: 'session', transaction: 'transaction', statement: 'instruction (statement)' };

/** Returns a description of the pooler, in French. */
export const nameOf = ({ version, mode }: Pick<Pooler, 'version' | 'mode'>): string =>
  `${version ?? 'un pooler de connexions'} en mode ${modes[mode]}`;

/** Compares the process id sent at sign-in with the session's: a pooler has no session at sign-in and makes up an id. */
async function isAnsweredByPostgres(client: pg.Client): Promise<boolean> {
  return (client as pg.Client & { processID: number }).processID === (await sessionOf(client));
}

async function sessionOf(client: pg.Client): Promise<number | undefined> {
  const { rows } = await client.query<{ pid: number }>({
    text: 'select pg_backend_pid() as pid',
    query_timeout: sessionWithinMs,
  } as pg.QueryConfig);
  return rows[0]?.pid;
}

/**
 * Returns the pooler's mode. Two connections that keep different sessions are in session mode; otherwise sessions are lent. One connection
 * asks twice per round, since with sessions lent in turn, two that alternate could each get the same one every time.
 */
async function modeOf(one: pg.Client, other: pg.Client): Promise<Pooler['mode']> {
  const [ofOne, ofOther] = [new Set<number | undefined>(), new Set<number | undefined>()];
  const isLent = () => ofOne.size > 1 || ofOther.size > 1 || [...ofOne].some((session) => ofOther.has(session));
  for (let look = 0; look < looks && !isLent(); look += 1) {
    ofOne.add(await sessionOf(one));
    ofOther.add(await sessionOf(other)).add(await sessionOf(other));
  }
  if (!isLent()) return 'session';
  try {
    await other.query('begin');
    await other.query('commit');
    return 'transaction';
  } catch (error) {
    if (/statement pooling mode/.test((error as Error).message)) return 'statement';
    throw error;
  }
}

/** Returns whether the pooler manages named statements: it then uses its own names for them in PostgreSQL. */
async function keepsNames(client: pg.Client): Promise<boolean> {
  const name = `prepa.${randomBytes(8).toString('hex')}`;
  await client.query('begin');
  await client.query({ name, text: 'select 1' });
  const { rowCount } = await client.query('select from pg_prepared_statements where name = $1', [name]);
  if (rowCount) await client.query(`deallocate ${pg.escapeIdentifier(name)}`);
  await client.query('commit');
  return !rowCount;
}

/** Returns PgBouncer's version from its admin database, `pgbouncer`, if its settings permit this user; else null. */
async function versionOf(url: string): Promise<string | null> {
  const console = Object.assign(new URL(url), { pathname: '/pgbouncer' }).href;
  try {
    return await connected(console, async (client) => {
      const { rows } = await client.query<{ version: string }>('show version');
      return rows[0]?.version ?? null;
    });
  } catch {
    return null;
  }
}
