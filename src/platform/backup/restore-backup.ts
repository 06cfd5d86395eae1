import pg from 'pg';
import type { FileStores } from '../files/storage.ts';
import { damaged } from './backup-errors.ts';
import { type BackupSubject, totalsQuery } from './backup-subject.ts';
import { openLoad } from './load-tables.ts';
import { type Manifest, tooNew } from './manifest.ts';
import { type BackupSource, readBackup } from './read-backup.ts';
import { clearSchema, requireAlone, requireEmpty } from './restore-target.ts';
import { connect } from './snapshot.ts';

interface RestoreOptions {
  url: string;
  stores: FileStores;
  /** Replaces the database's content. Existing files are kept; only missing ones are added. */
  overwrite?: boolean;
  /** Checks the restored database before later migrations change it. */
  inspect?(client: pg.Client, manifest: Manifest): Promise<void>;
}

/**
 * Restores a backup into an empty database and empty file stores. The backup is read twice: nothing is changed before it has been checked
 * completely. The rows are written in one transaction, into tables at the backup's migration; later migrations follow.
 * @throws AppError if the backup is damaged or newer than this code, or if data would be lost
 */
export async function restoreBackup(source: BackupSource, subject: BackupSubject, options: RestoreOptions): Promise<Manifest> {
  const { url, stores, overwrite = false } = options;
  const manifest = await readBackup(source, subject.totals);
  // The order matters: a different history of migrations leads to different tables.
  if (!manifest.migrations.every((name, index) => name === subject.migrations[index])) throw tooNew();

  const client = await connect(url);
  const files = { media: [] as string[], documents: [] as string[] };
  try {
    await requireAlone(client);
    if (!overwrite) await requireEmpty(client, stores, manifest.media);
    if (overwrite) await clearSchema(client);
    try {
      await subject.migrate(url, manifest.migrations.at(-1));
      await client.query('begin');
      const load = await openLoad(client, manifest);
      await readBackup(
        source,
        subject.totals,
        {
          rows: load.add,
          file: async (folder, name, bytes) => {
            if (await stores[folder].has(name)) return;
            await stores[folder].write(name, bytes);
            files[folder].push(name);
          },
        },
        manifest,
      );
      await load.end();
      await requireSameTotals(client, subject, manifest);
      await client.query('commit');
    } catch (error) {
      // Restores the empty state.
      await client.query('rollback').catch(() => {});
      await clearSchema(client).catch(() => {});
      await Promise.all([stores.media.remove(files.media), stores.documents.remove(files.documents)]);
      throw error;
    }
    await client.query(`analyze ${manifest.tables.map(({ name }) => pg.escapeIdentifier(name)).join(', ')}`);
    await options.inspect?.(client, manifest);
  } finally {
    await client.end();
  }
  await subject.migrate(url);
  return manifest;
}

/** Compares the totals of the restored database, computed by SQL, with the manifest. */
async function requireSameTotals(client: pg.Client, { totals }: BackupSubject, manifest: Manifest): Promise<void> {
  const { rows } = await client.query<Record<string, string>>(totalsQuery(totals));
  if (JSON.stringify(rows) !== JSON.stringify(manifest.totals))
    throw damaged(`les sommes de ${totals.table} ne sont pas celles de son manifeste`);
}
