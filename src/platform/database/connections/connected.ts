import pg from 'pg';

/** Runs `work` on a new connection with the role of the URL, and closes the connection. */
export async function connected<Result>(url: string, work: (client: pg.Client) => Promise<Result>): Promise<Result> {
  const client = new pg.Client({ connectionString: url, application_name: 'prepa db', connectionTimeoutMillis: 10_000 });
  // A lost connection is reported by the running statement.
  client.on('error', () => {});
  await client.connect();
  try {
    return await work(client);
  } finally {
    await client.end();
  }
}
