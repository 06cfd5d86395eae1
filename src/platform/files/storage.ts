import { randomUUID } from 'node:crypto';
import { mkdir, opendir, readdir, readFile, rename, rm, stat, writeFile } from 'node:fs/promises';
import { dirname, join, resolve } from 'node:path';
import type { Readable } from 'node:stream';

/**
 * Stores uploaded files, in a folder of this server or in an S3-compatible store. Pictures are served under `/media/`; documents are
 * separate, since they need permission. Names are content-addressed and never chosen by users: two writers of one name write the same
 * bytes, so they need no lock.
 *
 * Every implementation guarantees: a file is visible only complete, and permanently once `write` has resolved. `has` reflects all writes
 * and removals of any process that finished before the call. Every failure rejects.
 */
export interface FileStore {
  /** Where browsers get the files: from a folder of this server, or from a remote store. */
  readonly source: { readonly folder: string } | RemoteFiles;
  /** @param name path inside the store, e.g. `covers/3f…-960.webp` */
  write(name: string, bytes: Buffer): Promise<void>;
  has(name: string): Promise<boolean>;
  /** Returns the size in bytes; null if the file does not exist. */
  size(name: string): Promise<number | null>;
  /** Returns the complete file; null if it does not exist. */
  read(name: string): Promise<Buffer | null>;
  /** Removes files; ignores missing ones. Not atomic: after a failure it can be called again with the same names. */
  remove(names: readonly string[]): Promise<void>;
  /** Yields the names of files in a folder of the store ('' for its root) written before an instant, in no order; without subfolders. */
  list(folder: string, before: Date): AsyncIterable<string>;
  /** Returns whether the store contains nothing at all. */
  isEmpty(): Promise<boolean>;
}

/** Access to files that are in no folder of this server. */
export interface RemoteFiles {
  /** Opens a file, or a range of it, as a stream; null if it does not exist. @throws AppError 416 for a range beyond its end */
  open(name: string, part?: Part): Promise<OpenedFile | null>;
  /** Returns a short-lived address at which a browser gets the file from the store itself; null if the settings disable this. */
  signedAddress(name: string, headers: { type: string; disposition: string }): Promise<string | null>;
}

/** A range of bytes: first and last position, inclusive; without `to`, up to the end. */
export interface Part {
  from: number;
  to?: number;
}

export interface OpenedFile {
  /** Length of the body, in bytes. */
  length: number;
  modified: Date;
  /** Value for Content-Range, if a range was requested. */
  range: string | null;
  body: Readable;
}

export interface FileStores {
  /** Location of the stores, for operators, in French. */
  place: string;
  media: FileStore;
  documents: FileStore;
}

/** Returns the documents' folder. It is never inside the folder that is served directly. */
export const documentsFolder = (dataDir: string): string => join(dataDir, 'documents');

/** Subfolder for unfinished files: on the same disk, so that a rename is atomic, and not served. */
const drafts = '.parts';
/** Age after which an unfinished file is abandoned, in ms: longer than any write takes. */
const abandonedAfterMs = 3_600_000;

/** Removes unfinished files of processes that were killed while writing. */
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

/** Resolves to null if the file, or a folder in its path, does not exist. */
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

export function localFileStore(folder: string): FileStore {
  return {
    source: { folder: resolve(folder) },
    async write(name, bytes) {
      const path = join(folder, name);
      await mkdir(dirname(path), { recursive: true });
      await mkdir(join(folder, drafts), { recursive: true });
      const temporary = join(folder, drafts, randomUUID());
      try {
        // Flushed before the rename: the database row that refers to the file survives a power cut, so the file must too.
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
        // The file may have been removed since the listing.
        const found = await stat(join(folder, name)).catch(() => null);
        if (found?.isFile() && found.mtime < before) yield name;
      }
    },
    isEmpty: async () => ((await ifThere(readdir(folder))) ?? []).length === 0,
  };
}
