import pg from 'pg';

/** Works on a connection of its own, as whoever the address names, and ends it. */
export async function connected<Result>(url: string, work: (client: pg.Client) => Promise<Result>): Promise<Result> {
  const client = new pg.Client({ connectionString: url, application_name: 'prepa db', connectionTimeoutMillis: 10_000 });
  // What goes wrong is thrown by the statement under way.
  client.on('error', () => {});
  await client.connect();
  try {
    return await work(client);
  } finally {
    await client.end();
  }
}
