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
export async function sql<Row = Record<string, unknown>>(url: string, text: string, values?: unknown[]): Promise<Row[]> {
  const client = new Client({ connectionString: url });
  // A server that is stopped ends its connections; the statement itself reports what went wrong.
  client.on('error', () => {});
  await client.connect();
  try {
    return (await client.query<Row>(text, values)).rows;
  } finally {
    await client.end();
  }
}
