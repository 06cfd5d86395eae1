import { createRequire } from 'node:module';

interface Client {
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

async function connected<Result>(url: string, work: (client: Client) => Promise<Result>): Promise<Result> {
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
