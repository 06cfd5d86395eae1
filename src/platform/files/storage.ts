import { randomUUID } from 'node:crypto';
import { mkdir, opendir, readdir, readFile, rename, rm, stat, writeFile } from 'node:fs/promises';
import { dirname, join, resolve } from 'node:path';
import type { Readable } from 'node:stream';

/**
 * Where uploaded files live, a folder of this server or an S3-compatible store: pictures served under `/media/`, and documents apart, for whoever may read them. Names are content-addressed and never come from a user: whoever writes one twice writes the
 * same bytes, so that writers need not wait for each other.
 *
 * What an implementation guarantees: a file is seen whole or not at all, and for good once `write` has resolved; `has` sees what was written or
 * removed before it was asked, by any process; whatever fails rejects.
 */
export interface FileStore {
  /** How browsers get its files: from a folder of this server, or from elsewhere. */
  readonly source: { readonly folder: string } | RemoteFiles;
  /** @param name path inside the store, e.g. `covers/3f…-960.webp` */
  write(name: string, bytes: Buffer): Promise<void>;
  has(name: string): Promise<boolean>;
  /** In bytes; null for a name that is not there. */
  size(name: string): Promise<number | null>;
  /** All of it; null for a name that is not there. */
  read(name: string): Promise<Buffer | null>;
  /** A name that is not there is no fault. Not atomic: after a failure, removing the same names again is right. */
  remove(names: readonly string[]): Promise<void>;
  /** Names of what stands in a folder of the store ('' for its root) and was written before an instant, in no order; not of what stands deeper. */
  list(folder: string, before: Date): AsyncIterable<string>;
  /** Whether nothing at all stands in it. */
  isEmpty(): Promise<boolean>;
}

/** Files that no folder of this server holds. */
export interface RemoteFiles {
  /** A file, or a part of it, as it arrives; null for a name that is not there. @throws AppError 416 for a part beyond its end */
  open(name: string, part?: Part): Promise<OpenedFile | null>;
  /** An address at which a browser gets the file from the store itself, and which ends soon; null where the settings want none. */
  signedAddress(name: string, headers: { type: string; disposition: string }): Promise<string | null>;
}

/** Bytes of a file: the first, and the last if not all that follow. */
export interface Part {
  from: number;
  to?: number;
}

export interface OpenedFile {
  /** Of what is sent, in bytes. */
  length: number;
  modified: Date;
  /** As Content-Range says it, where a part was asked for. */
  range: string | null;
  body: Readable;
}

/** Both stores of a site. */
export interface FileStores {
  /** Where they are, for operators, in French. */
  place: string;
  media: FileStore;
  documents: FileStore;
}

/** The documents' folder: never below the one that is served as it is. */
export const documentsFolder = (dataDir: string): string => join(dataDir, 'documents');

/** Where a file is written before it has its name: on the same disk, and not among those that are served. */
const drafts = '.parts';
/** Longer than writing takes anybody, in ms. */
const abandonedAfterMs = 3_600_000;

/** Removes what processes that were killed while they wrote have left. */
export async function removeAbandoned(folder: string): Promise<void> {
  const names = await readdir(join(folder, drafts)).catch(() => []);
  const before = Date.now() - abandonedAfterMs;
  await Promise.all(
    names.map(async (name) => {
      const path = join(folder, drafts, name);
      const found = await stat(path).catch(() => null);
      if (found && found.mtimeMs < before) await rm(path, { force: true });
    }),
  );
}

/** What is null where a file, or a folder on the way to it, is not there. */
const ifThere = <Found>(found: Promise<Found>): Promise<Found | null> =>
  found.catch((error: NodeJS.ErrnoException) => {
    if (error.code === 'ENOENT' || error.code === 'ENOTDIR') return null;
    throw error;
  });

const sizeOf = (path: string): Promise<number | null> =>
  stat(path).then(
    (found) => (found.isFile() ? found.size : null),
    () => null,
  );

/** A folder of the server. */
export function localFileStore(folder: string): FileStore {
  return {
    source: { folder: resolve(folder) },
    async write(name, bytes) {
      const path = join(folder, name);
      await mkdir(dirname(path), { recursive: true });
      await mkdir(join(folder, drafts), { recursive: true });
      const temporary = join(folder, drafts, randomUUID());
      try {
        // On the disk before it has its name: the row that shows it outlives a power cut too.
        await writeFile(temporary, bytes, { flush: true });
        await rename(temporary, path);
      } catch (error) {
        await rm(temporary, { force: true });
        throw error;
      }
    },
    async has(name) {
      return (await sizeOf(join(folder, name))) !== null;
    },
    size: (name) => sizeOf(join(folder, name)),
    read: (name) => ifThere(readFile(join(folder, name))),
    async remove(names) {
      await Promise.all(names.map((name) => rm(join(folder, name), { force: true })));
    },
    async *list(within, before) {
      const opened = await opendir(join(folder, within)).catch((error: NodeJS.ErrnoException) => {
        if (error.code === 'ENOENT') return [];
        throw error;
      });
      for await (const entry of opened) {
        const name = join(within, entry.name);
        // It may be gone by now.
        const found = await stat(join(folder, name)).catch(() => null);
        if (found?.isFile() && found.mtime < before) yield name;
      }
    },
    isEmpty: async () => ((await ifThere(readdir(folder))) ?? []).length === 0,
  };
}
