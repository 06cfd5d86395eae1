import { createHash, type Hash } from 'node:crypto';
import type { Readable } from 'node:stream';
import { pipeline } from 'node:stream/promises';
import { promisify } from 'node:util';
import { gunzip } from 'node:zlib';
import { extract } from 'tar-stream';
import { damaged, incomplete, refused } from './backup-errors.ts';
import { addUp, type Totals } from './backup-subject.ts';
import { ageHeader, decrypted } from './encryption.ts';
import { digestOf, type Manifest, manifestName, type PartEntry, readManifest, sealName, tablesName } from './manifest.ts';
import { rowsIn, type Table } from './tables.ts';

const decompress = promisify(gunzip);
/** Largest part, in bytes; a larger length means that the backup is damaged. */
const maxPartBytes = 512 * 1024 * 1024;

/** A backup to read, and its private key. */
export interface BackupSource {
  /** Opens the backup from its first byte; called several times. */
  open(): Readable;
  identity?: string | undefined;
}

/** Receives each part in the order of writing, before the backup has been checked completely. */
export interface PartReader {
  rows(table: string, lines: Buffer): Promise<void>;
  file(folder: 'media' | 'documents', name: string, bytes: Buffer): Promise<void>;
}

const nobody: PartReader = { rows: async () => {}, file: async () => {} };

/**
 * Reads a backup from beginning to end and compares it with its manifest: the order of the parts, their bytes, and each table's rows and
 * sums.
 * @throws AppError if anything differs
 */
export async function readBackup(
  source: BackupSource,
  totals: Totals,
  reader: PartReader = nobody,
  expected?: Manifest,
): Promise<Manifest> {
  const parts: PartEntry[] = [];
  const tables = new Map<string, { hash: Hash; rows: number }>();
  const ends = new Map<string, Buffer>();
  let listed: Table[] = [];
  let sums: ReturnType<typeof addUp> | undefined;
  for await (const { name, bytes } of entriesOf(source)) {
    if (name === manifestName || name === sealName) {
      ends.set(name, bytes);
      continue;
    }
    if (ends.size > 0) throw damaged(`${name} vient après son manifeste`);
    parts.push({ name, bytes: bytes.length, sha256: digestOf(bytes) });
    if (name === tablesName) {
      listed = readTables(bytes);
      const counted = listed.find((table) => table.name === totals.table);
      sums =
        counted &&
        addUp(
          totals,
          counted.columns.map((column) => column.name),
        );
      continue;
    }
    const [, table] = /^tables\/([^/]+)\//.exec(name) ?? [];
    if (table === undefined) {
      const [, folder, file = ''] = /^(media|documents)\/(.+)$/.exec(name) ?? [];
      // Files are restored in the second reading, when their names are known to match the manifest.
      if (expected) await reader.file(folder as 'media' | 'documents', file, bytes);
      continue;
    }
    const lines = await decompress(bytes, { maxOutputLength: maxPartBytes }).catch((cause) => {
      throw damaged(`${name} n'est pas lisible`, cause);
    });
    const found = tables.get(table) ?? { hash: createHash('sha256'), rows: 0 };
    found.hash.update(lines);
    found.rows += rowsIn(lines);
    tables.set(table, found);
    if (table === totals.table) sums?.add(lines);
    if (expected) await reader.rows(table, lines);
  }
  const manifest = readEnd(ends);
  compareParts(manifest.parts, parts);
  if (JSON.stringify(listed) !== JSON.stringify(manifest.tables.map(({ name, columns }) => ({ name, columns }))))
    throw damaged('ses tables ne sont pas celles de son manifeste');
  for (const { name, rows, sha256 } of manifest.tables) {
    const found = tables.get(name) ?? { hash: createHash('sha256'), rows: 0 };
    if (found.rows !== rows) throw damaged(`${found.rows} lignes de ${name} au lieu de ${rows}`);
    if (found.hash.digest('hex') !== sha256) throw damaged(`les lignes de ${name} ne sont pas les siennes`);
    tables.delete(name);
  }
  for (const name of tables.keys()) throw damaged(`la table ${name} n'est pas dans son manifeste`);
  if (JSON.stringify(sums?.totals()) !== JSON.stringify(sorted(manifest.totals, totals)))
    throw damaged(`les sommes de ${totals.table} ne sont pas celles de son manifeste`);
  if (expected && JSON.stringify(manifest) !== JSON.stringify(expected)) throw damaged("elle a changé pendant qu'on la lisait");
  return manifest;
}

function readEnd(ends: Map<string, Buffer>): Manifest {
  const [manifest, seal] = [ends.get(manifestName), ends.get(sealName)];
  if (!manifest || !seal) throw incomplete();
  return readManifest(manifest, seal);
}

function readTables(bytes: Buffer): Table[] {
  try {
    return JSON.parse(bytes.toString());
  } catch (cause) {
    throw damaged(`${tablesName} n'est pas lisible`, cause);
  }
}

function compareParts(expected: readonly PartEntry[], found: readonly PartEntry[]): void {
  const names = new Set(found.map(({ name }) => name));
  const missing = expected.find(({ name }) => !names.has(name));
  if (missing) throw damaged(`${missing.name} manque`);
  found.forEach((part, index) => {
    const written = expected[index];
    if (written?.name !== part.name) throw damaged(`${part.name} n'est pas à sa place`);
    if (written.bytes !== part.bytes || written.sha256 !== part.sha256) throw damaged(`${part.name} a été modifié`);
  });
}

const sorted = (rows: Manifest['totals'], { groups }: Totals) => {
  const key = (row: Record<string, string>) => groups.map((group) => row[group]).join('\t');
  return rows.toSorted((a, b) => (key(a) < key(b) ? -1 : 1));
};

/** Yields the entries of the tar, each completely in memory. */
async function* entriesOf(source: BackupSource): AsyncGenerator<{ name: string; bytes: Buffer }> {
  const archive = extract();
  const read = pipeline(await plainOf(source), archive);
  read.catch(() => {});
  try {
    for await (const entry of archive) {
      const { name, type, size = 0 } = entry.header;
      if (type !== 'file' || size > maxPartBytes) throw new Error(`${name}: ${type}, ${size} bytes`);
      const chunks: Buffer[] = [];
      for await (const chunk of entry) chunks.push(chunk as Buffer);
      yield { name, bytes: Buffer.concat(chunks) };
    }
    await read;
  } catch (cause) {
    if (/Unexpected end of data|Premature|truncated/i.test(String(cause))) throw incomplete(cause);
    throw damaged("elle n'est pas lisible jusqu'au bout", cause);
  } finally {
    archive.destroy();
  }
}

async function plainOf({ open, identity }: BackupSource): Promise<Readable> {
  const start = await firstBytes(open(), ageHeader.length);
  if (start.toString('latin1') !== ageHeader) return open();
  if (!identity) throw refused('Cette sauvegarde est chiffrée : donnez le fichier de la clé privée avec --identity.');
  return decrypted(open(), identity);
}

async function firstBytes(stream: Readable, count: number): Promise<Buffer> {
  const chunks: Buffer[] = [];
  let bytes = 0;
  for await (const chunk of stream) {
    chunks.push(chunk);
    bytes += chunk.length;
    if (bytes >= count) break;
  }
  return Buffer.concat(chunks).subarray(0, count);
}
