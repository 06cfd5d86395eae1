import { createRequire } from 'node:module';

export interface Client {
  connect(): Promise<void>;
  query<Row>(text: string, values?: unknown[]): Promise<{ rows: Row[] }>;
  end(): Promise<void>;
  on(event: 'error', listener: () => void): void;
}

type Pool = Pick<Client, 'query' | 'end' | 'on'>;

/** The pg client that the ORM's driver depends on. */
const { Client, Pool } = createRequire(createRequire(import.meta.url).resolve('@mikro-orm/postgresql'))('pg') as {
  Client: new (options: { connectionString: string }) => Client;
  Pool: new (options: { connectionString: string; max: number; idleTimeoutMillis: number; allowExitOnIdle: boolean }) => Pool;
};

/**
 * Connection pools by database URL. Opening a connection takes longer than most statements, and the next statement often follows at once.
 */
const pools = new Map<string, Pool>();
/** More than the concurrent statements of any test. */
const maxConnections = 60;
/**
 * Idle time after which a connection closes, in ms. Commands that need the database alone wait longer than this for other connections to
 * close.
 */
const idleMs = 25;

/** Statements that change the state of their session need a separate connection. */
const lasting = /\b(set|set_config|begin|listen|temp|temporary|pg_advisory_lock)\b/i;

/** Runs one statement outside the application, on a connection that no other statement uses. */
export async function sql<Row = Record<string, unknown>>(url: string, text: string, values?: unknown[]): Promise<Row[]> {
  const run = async (client: Pick<Client, 'query'>) => (await client.query<Row>(text, values)).rows;
  return lasting.test(text) ? connected(url, run) : run(poolOf(url));
}

function poolOf(url: string): Pool {
  const pool = pools.get(url) ?? new Pool({ connectionString: url, max: maxConnections, idleTimeoutMillis: idleMs, allowExitOnIdle: true });
  if (!pools.has(url)) {
    // Stopping a server or dropping a database closes its connections.
    pool.on('error', () => {});
    pools.set(url, pool);
  }
  return pool;
}

/** Closes the idle connections to a database, since PostgreSQL cannot copy a database with connections. */
export async function leave(url: string): Promise<void> {
  const pool = pools.get(url);
  pools.delete(url);
  await pool?.end();
}

/** Holds an advisory lock with this name on the server while `work` runs. */
export function locked<Result>(url: string, name: string, work: () => Promise<Result>): Promise<Result> {
  return connected(url, async (client) => {
    await client.query('select pg_advisory_lock(hashtext($1))', [name]);
    return work();
  });
}

/** Runs `work` inside a transaction that has executed `statement`; `also` runs further statements in this transaction. Then commits. */
export function holding<Result>(
  url: string,
  statement: string,
  work: (also: (statement: string) => Promise<unknown>) => Promise<Result>,
): Promise<Result> {
  return connected(url, async (client) => {
    await client.query('begin');
    await client.query(statement);
    const result = await work((another) => client.query(another));
    await client.query('commit');
    return result;
  });
}

/** Waits until `count` statements on this database wait for a lock, or `over` returns true. */
export async function untilBlocked(url: string, count: number, over = () => false): Promise<void> {
  const waiting = "select pid from pg_stat_activity where datname = current_database() and wait_event_type = 'Lock'";
  while (!over() && (await sql(url, waiting)).length < count);
}

/** Opens a connection while `work` runs. */
export async function connected<Result>(url: string, work: (client: Client) => Promise<Result>): Promise<Result> {
  const client = new Client({ connectionString: url });
  // Stopping a server closes its connections; the statement itself reports the error.
  client.on('error', () => {});
  await client.connect();
  try {
    return await work(client);
  } finally {
    await client.end();
  }
}
