import pg from 'pg';
import { holdBackup } from '../database/advisory-lock.ts';
import { requireOwnSession } from '../database/pooler.ts';
import { AppError } from '../errors.ts';

/** Session settings: values have the same text form whatever the role's settings are, and there are no timeouts. */
const session = `
  set timezone = 'UTC'; set datestyle = 'ISO'; set intervalstyle = 'postgres'; set bytea_output = 'hex'; set extra_float_digits = 1;
  set row_security = off; set statement_timeout = 0; set idle_in_transaction_session_timeout = 0; set client_encoding = 'UTF8';`;

/** Opens a connection for a backup or a restore; the caller must close it. */
export async function connect(url: string): Promise<pg.Client> {
  const client = new pg.Client({
    connectionString: url,
    keepAlive: true,
    application_name: 'prepa backup',
    connectionTimeoutMillis: 10_000,
  });
  // A lost connection is reported by the running statement.
  client.on('error', () => {});
  await client.connect();
  try {
    await requireOwnSession(client, url);
    await client.query(session);
  } catch (error) {
    await client.end();
    throw error;
  }
  return client;
}

export interface Snapshot {
  client: pg.Client;
  /** Time of the snapshot, by the database's clock. */
  at: Date;
  postgres: string;
  /** Names of the database's migrations, oldest first. */
  migrations: string[];
  close(): Promise<void>;
}

/**
 * Opens a transaction that sees the whole database as it is now, whatever is written meanwhile. It blocks only schema changes, and
 * prunings, which could remove files that its rows refer to.
 */
export async function openSnapshot(url: string): Promise<Snapshot> {
  const client = await connect(url);
  try {
    await client.query("set lock_timeout = '10s'");
    // Before the transaction begins: its snapshot is taken at its first statement.
    await client.query(holdBackup);
    await client.query('begin isolation level repeatable read read only');
    const { rows } = await client.query<{ at: Date; postgres: string; migrated: boolean }>(
      `select clock_timestamp() as at, current_setting('server_version') as postgres, to_regclass('migration') is not null as migrated`,
    );
    const [row] = rows;
    const names = row?.migrated ? await client.query<{ name: string }>('select name from migration order by id') : { rows: [] };
    if (!row || names.rows.length === 0)
      throw new AppError('BACKUP.EMPTY', 409, "Il n'y a rien à sauvegarder : cette base de données n'a pas de tables.");
    return { client, at: row.at, postgres: row.postgres, migrations: names.rows.map(({ name }) => name), close: () => client.end() };
  } catch (error) {
    await client.end();
    throw error;
  }
}
