import { randomBytes } from 'node:crypto';
import pg from 'pg';
import { AppError } from '../errors.ts';
import { connected } from './connections/connected.ts';

/** What stands before PostgreSQL and lends its sessions to many. */
export interface Pooler {
  /** As PgBouncer says it, to those whom `stats_users` names; null: it does not say. */
  version: string | null;
  /** For how long somebody has a session: until they go, to the end of their transaction, or for a statement. */
  mode: 'session' | 'transaction' | 'statement';
  /** Whether a statement that was named once is found again in whatever session. */
  keepsNames: boolean;
  /** What holds in its sessions, in ms; 0: for ever. What a client asks for when it signs in does not arrive. */
  statementTimeoutMs: number;
  idleInTransactionTimeoutMs: number;
}

/** A pooler that has none left says nothing, in ms. */
const sessionWithinMs = 10_000;
/** Somebody else may take or leave a session between two looks. */
const looks = 10;

/** The pooler behind an address, by what it does; null: PostgreSQL itself answers there. */
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

/** @throws AppError where this connection has no session of its own for as long as it lasts */
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

/** In French. */
export const nameOf = ({ version, mode }: Pick<Pooler, 'version' | 'mode'>): string =>
  `${version ?? 'un pooler de connexions'} en mode ${modes[mode]}`;

/** Who signs in is told the process of their session; a pooler, which has none for them yet, makes one up. */
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
 * Two who are connected at once have two sessions, and each always the same one, unless they are lent. One of them asks twice: where sessions are lent in turn, two who
 * ask alternately could have one each for ever.
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

/** A pooler that knows names gives them its own in PostgreSQL. */
async function keepsNames(client: pg.Client): Promise<boolean> {
  const name = `prepa.${randomBytes(8).toString('hex')}`;
  await client.query('begin');
  await client.query({ name, text: 'select 1' });
  const { rowCount } = await client.query('select from pg_prepared_statements where name = $1', [name]);
  if (rowCount) await client.query(`deallocate ${pg.escapeIdentifier(name)}`);
  await client.query('commit');
  return !rowCount;
}

/** PgBouncer answers in a database of its own name those whom its settings let in. */
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
