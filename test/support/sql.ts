import { createRequire } from 'node:module';

/** One connection. */
export interface Client {
  connect(): Promise<void>;
  query<Row>(text: string, values?: unknown[]): Promise<{ rows: Row[] }>;
  end(): Promise<void>;
  on(event: 'error', listener: () => void): void;
}

/** The client that the ORM's driver brings along. */
const { Client } = createRequire(createRequire(import.meta.url).resolve('@mikro-orm/postgresql'))('pg') as {
  Client: new (options: { connectionString: string }) => Client;
};

/** Runs one statement on a connection of its own: for looking at a database from outside the application. */
export function sql<Row = Record<string, unknown>>(url: string, text: string, values?: unknown[]): Promise<Row[]> {
  return connected(url, async (client) => (await client.query<Row>(text, values)).rows);
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
