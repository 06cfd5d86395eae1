import { randomBytes } from 'node:crypto';
import { readdirSync } from 'node:fs';
import { Readable, Writable } from 'node:stream';
import { gunzipSync, gzipSync } from 'node:zlib';
import type { Test } from 'tap';
import { extract, pack } from 'tar-stream';
import { backupSubject } from '../../src/backup.ts';
import { digestOf, type Manifest, manifestName, sealed } from '../../src/platform/backup/manifest.ts';
import type { BackupSource } from '../../src/platform/backup/read-backup.ts';
import { openSnapshot } from '../../src/platform/backup/snapshot.ts';
import { writeBackup } from '../../src/platform/backup/write-backup.ts';
import { folderStores } from '../../src/platform/files/open-stores.ts';
import type { FileStores } from '../../src/platform/files/storage.ts';
import { sql } from './sql.ts';
import { onServer } from './template.ts';

/** Returns a backup as a buffer. @param files the file stores, or the data folder that contains them */
export async function backUp(url: string, files: string | FileStores, recipients: readonly string[] = []): Promise<Buffer> {
  const chunks: Buffer[] = [];
  const sink = new Writable({
    write(chunk, _encoding, done) {
      chunks.push(chunk);
      done();
    },
  });
  const snapshot = await openSnapshot(url);
  try {
    await writeBackup(snapshot, backupSubject(), sink, {
      stores: typeof files === 'string' ? folderStores(files) : files,
      media: true,
      recipients,
    });
  } finally {
    await snapshot.close();
  }
  return Buffer.concat(chunks);
}

export const sourceOf = (bytes: Buffer, identity?: string): BackupSource => ({
  open: () => Readable.from([bytes], { objectMode: false }),
  identity,
});

/** Creates an empty database for the test on the same server. */
export async function emptyDatabase(t: Test, url: string): Promise<string> {
  const name = `restored_${randomBytes(6).toString('hex')}`;
  await sql(url, `create database ${name} template template0`);
  t.teardown(() => sql(url, `drop database if exists ${name} with (force)`));
  // No replica reads this database, so the many commits of a restoration need not wait for the standby.
  await sql(url, `alter role current_user in database ${name} set synchronous_commit = off`);
  return onServer(url, name);
}

/** Returns the relations and files found; an empty list when nothing was restored. */
export async function leftovers(url: string, folder: string): Promise<string[]> {
  const relations = await sql<{ name: string }>(url, "select relname as name from pg_class where relnamespace = 'public'::regnamespace");
  return [...relations.map(({ name }) => name), ...(readdirSync(folder, { recursive: true }) as string[])];
}

/** A backup split into its entries, so that tests can change them. */
export interface Pieces {
  entries: [name: string, bytes: Buffer][];
  manifest: Manifest;
}

export async function takeApart(backup: Buffer): Promise<Pieces> {
  const archive = extract();
  archive.end(backup);
  const entries: Pieces['entries'] = [];
  for await (const entry of archive) {
    const chunks: Buffer[] = [];
    for await (const chunk of entry) chunks.push(chunk as Buffer);
    entries.push([entry.header.name, Buffer.concat(chunks)]);
  }
  const manifest = entries.find(([name]) => name === manifestName)?.[1];
  return { entries, manifest: JSON.parse(String(manifest)) };
}

export async function putTogether({ entries }: Pick<Pieces, 'entries'>): Promise<Buffer> {
  const archive = pack();
  for (const [name, bytes] of entries) archive.entry({ name }, bytes);
  archive.finalize();
  const chunks: Buffer[] = [];
  for await (const chunk of archive) chunks.push(chunk as Buffer);
  return Buffer.concat(chunks);
}

/** Returns the same pieces with a valid seal for this manifest. */
export const resealed = ({ entries, manifest }: Pieces): Pieces => {
  const ends = new Map(sealed(manifest));
  return { manifest, entries: entries.map(([name, bytes]) => [name, ends.get(name) ?? bytes]) };
};

/** Replaces the bytes of one part. With `known`, the manifest is updated with the new digest and sealed again. */
export function withPart(pieces: Pieces, part: string, change: (bytes: Buffer) => Buffer, known = false): Pieces {
  const entries = pieces.entries.map(([name, bytes]): [string, Buffer] => [name, name === part ? change(bytes) : bytes]);
  if (!known) return { ...pieces, entries };
  const bytes = entries.find(([name]) => name === part)?.[1] ?? Buffer.alloc(0);
  const parts = pieces.manifest.parts.map((entry) =>
    entry.name === part ? { name: part, bytes: bytes.length, sha256: digestOf(bytes) } : entry,
  );
  return resealed({ entries, manifest: { ...pieces.manifest, parts } });
}

/** Changes the rows of a compressed part. */
export const rewritten =
  (change: (lines: string) => string) =>
  (bytes: Buffer): Buffer =>
    gzipSync(change(gunzipSync(bytes).toString()));

/** Returns a copy with one bit flipped. */
export function flipped(bytes: Buffer, at = Math.floor(bytes.length / 2)): Buffer {
  const copy = Buffer.from(bytes);
  copy[at] = (copy[at] ?? 0) ^ 0b100;
  return copy;
}
