import { createHash } from 'node:crypto';
import { Readable, type Writable } from 'node:stream';
import { pipeline } from 'node:stream/promises';
import { promisify } from 'node:util';
import { gzip } from 'node:zlib';
import { pack } from 'tar-stream';
import type { FileStores } from '../files/storage.ts';
import { type BackupSubject, totalsQuery } from './backup-subject.ts';
import { encrypted } from './encryption.ts';
import { backupFormat, digestOf, type Manifest, type PartEntry, sealed, type TableEntry, tablesName } from './manifest.ts';
import type { Snapshot } from './snapshot.ts';
import { namedFiles, pathOf } from './stored-files.ts';
import { copyOut, listSequences, listTables, rowsIn, type Table } from './tables.ts';

const compress = promisify(gzip);

interface BackupOptions {
  stores: FileStores;
  media: boolean;
  /** Public keys for encryption; without any, the backup is not encrypted. */
  recipients: readonly string[];
}

/**
 * Writes the snapshot as one tar: the tables, then the files to which their rows refer, then the manifest. Files are content-addressed and
 * never change; files that were deleted since the snapshot are listed in `absent`.
 */
export async function writeBackup(snapshot: Snapshot, subject: BackupSubject, sink: Writable, options: BackupOptions): Promise<Manifest> {
  const began = performance.now();
  const archive = pack();
  const plain = Readable.from(archive, { objectMode: false });
  const written = pipeline(options.recipients.length > 0 ? await encrypted(plain, options.recipients) : plain, sink);
  // The error is thrown where `written` is awaited. A failed sink ends the archive and the entry being added.
  written.catch(() => {});
  const mtime = snapshot.at;
  const add = async (name: string, bytes: Buffer): Promise<PartEntry> => {
    await new Promise<void>((resolve, reject) => {
      archive.entry({ name, size: bytes.length, mode: 0o600, mtime }, (error) => (error ? reject(error) : resolve())).end(bytes);
    });
    return { name, bytes: bytes.length, sha256: digestOf(bytes) };
  };
  try {
    const { client } = snapshot;
    const parts: PartEntry[] = [];
    const tables: TableEntry[] = [];
    const listed = await listTables(client);
    parts.push(await add(tablesName, Buffer.from(`${JSON.stringify(listed)}\n`)));
    for (const table of listed) tables.push(await addTable(snapshot, table, add, parts));
    const totals = (await client.query<Record<string, string>>(totalsQuery(subject.totals))).rows;
    const sequences = await listSequences(client);
    const absent = options.media ? await addFiles(snapshot, subject, options.stores, add, parts) : [];
    const manifest: Manifest = {
      format: backupFormat,
      product: subject.product,
      postgres: snapshot.postgres,
      migrations: snapshot.migrations,
      snapshot: snapshot.at.toISOString(),
      finished: new Date().toISOString(),
      durationMs: Math.round(performance.now() - began),
      tables,
      sequences,
      totals,
      media: options.media,
      absent,
      parts,
    };
    for (const [name, bytes] of sealed(manifest)) await add(name, bytes);
    archive.finalize();
    await written;
    return manifest;
  } catch (error) {
    archive.destroy();
    // A full disk or a gone reader is reported by the sink, with a code. The error of the entry being added is only a consequence.
    const outcome = await written.catch((reason: NodeJS.ErrnoException) => reason);
    throw /^E[A-Z]+$/.test(outcome?.code ?? '') ? outcome : error;
  }
}

type Add = (name: string, bytes: Buffer) => Promise<PartEntry>;

async function addTable({ client }: Snapshot, table: Table, add: Add, parts: PartEntry[]): Promise<TableEntry> {
  const hash = createHash('sha256');
  let rows = 0;
  let number = 0;
  for await (const lines of copyOut(client, table)) {
    hash.update(lines);
    rows += rowsIn(lines);
    number += 1;
    parts.push(await add(`tables/${table.name}/${String(number).padStart(6, '0')}.copy.gz`, await compress(lines, { level: 4 })));
  }
  return { ...table, rows, sha256: hash.digest('hex') };
}

/** Adds all files to which the snapshot's rows refer; returns the paths of missing ones. */
async function addFiles({ client }: Snapshot, subject: BackupSubject, stores: FileStores, add: Add, parts: PartEntry[]): Promise<string[]> {
  const absent: string[] = [];
  for (const file of await namedFiles(async (query) => (await client.query(query)).rows, subject)) {
    const bytes = await stores[file.folder].read(file.name);
    if (bytes) parts.push(await add(pathOf(file), bytes));
    else absent.push(pathOf(file));
  }
  return absent;
}
