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
  /** Replaces what stands in the database, and adds to the files that are there. */
  overwrite?: boolean;
  /** Looks at the restored database before later migrations change it. */
  inspect?(client: pg.Client, manifest: Manifest): Promise<void>;
}

/**
 * Restores a backup into a database and stores of files that are empty. It is read twice: nothing is changed before all of it has been found sound. Its rows are written
 * in one transaction, into the tables of the migrations that it had; later migrations follow.
 * @throws AppError where the backup is damaged, or newer than this code, or something would be lost
 */
export async function restoreBackup(source: BackupSource, subject: BackupSubject, options: RestoreOptions): Promise<Manifest> {
  const { url, stores, overwrite = false } = options;
  const manifest = await readBackup(source, subject.totals);
  // Compared in order: a history that has parted from ours leads to other tables.
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
      // What was empty is empty again.
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

/** Said by the database itself, of what it holds now. */
async function requireSameTotals(client: pg.Client, { totals }: BackupSubject, manifest: Manifest): Promise<void> {
  const { rows } = await client.query<Record<string, string>>(totalsQuery(totals));
  if (JSON.stringify(rows) !== JSON.stringify(manifest.totals))
    throw damaged(`les sommes de ${totals.table} ne sont pas celles de son manifeste`);
}
