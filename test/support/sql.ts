import { createRequire } from 'node:module';

/** One connection. */
export interface Client {
  connect(): Promise<void>;
  query<Row>(text: string, values?: unknown[]): Promise<{ rows: Row[] }>;
  end(): Promise<void>;
  on(event: 'error', listener: () => void): void;
}

type Pool = Pick<Client, 'query' | 'end' | 'on'>;

/** The client that the ORM's driver brings along. */
const { Client, Pool } = createRequire(createRequire(import.meta.url).resolve('@mikro-orm/postgresql'))('pg') as {
  Client: new (options: { connectionString: string }) => Client;
  Pool: new (options: { connectionString: string; max: number; idleTimeoutMillis: number; allowExitOnIdle: boolean }) => Pool;
};

/** Connections by their database's address: opening one costs more than most statements, and the next statement often comes at once. */
const pools = new Map<string, Pool>();
/** More than any test has statements waiting at once. */
const maxConnections = 60;
/** How long a connection waits for the next statement, in ms. Commands that want a database for themselves wait longer for others to leave it. */
const idleMs = 25;

/** What would be so for the statements that follow too. */
const lasting = /\b(set|set_config|begin|listen|temp|temporary|pg_advisory_lock)\b/i;

/** Runs one statement outside the application, on a connection that no other statement is using. */
export async function sql<Row = Record<string, unknown>>(url: string, text: string, values?: unknown[]): Promise<Row[]> {
  const run = async (client: Pick<Client, 'query'>) => (await client.query<Row>(text, values)).rows;
  return lasting.test(text) ? connected(url, run) : run(poolOf(url));
}

function poolOf(url: string): Pool {
  const pool = pools.get(url) ?? new Pool({ connectionString: url, max: maxConnections, idleTimeoutMillis: idleMs, allowExitOnIdle: true });
  if (!pools.has(url)) {
    // A server that is stopped, and a database that is dropped, end their connections.
    pool.on('error', () => {});
    pools.set(url, pool);
  }
  return pool;
}

/** Ends the connections that wait for another statement to this database: one that is in use cannot be copied. */
export async function leave(url: string): Promise<void> {
  const pool = pools.get(url);
  pools.delete(url);
  await pool?.end();
}

/** Holds a lock of that name on the server while `work` is done. */
export function locked<Result>(url: string, name: string, work: () => Promise<Result>): Promise<Result> {
  return connected(url, async (client) => {
    await client.query('select pg_advisory_lock(hashtext($1))', [name]);
    return work();
  });
}

/** Does `work` in the middle of a transaction that has run `statement`, and runs in it what `work` runs `also`; then commits it. */
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

/** Waits until so many statements on this database wait for a lock, or `over` says that none will. */
export async function untilBlocked(url: string, count: number, over = () => false): Promise<void> {
  const waiting = "select pid from pg_stat_activity where datname = current_database() and wait_event_type = 'Lock'";
  while (!over() && (await sql(url, waiting)).length < count);
}

/** A connection for as long as `work` takes. */
export async function connected<Result>(url: string, work: (client: Client) => Promise<Result>): Promise<Result> {
  const client = new Client({ connectionString: url });
  // A server that is stopped ends its connections; the statement itself reports what went wrong.
  client.on('error', () => {});
  await client.connect();
  try {
    return await work(client);
  } finally {
    await client.end();
  }
}
