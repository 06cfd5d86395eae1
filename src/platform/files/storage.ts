import { randomUUID } from 'node:crypto';
import { mkdir, opendir, readdir, rename, rm, stat, writeFile } from 'node:fs/promises';
import { dirname, join } from 'node:path';

/**
 * Where uploaded files live: pictures served under `/media/`, and documents apart, for whoever may read them. Names are content-addressed and never come from a user: whoever writes one twice writes the
 * same bytes, so that writers need not wait for each other.
 *
 * What an implementation guarantees: a file is seen whole or not at all, and for good once `write` has resolved; `has` sees what was written or
 * removed before it was asked, by any process; whatever fails rejects.
 */
export interface FileStore {
  /** @param name path inside the store, e.g. `covers/3f…-960.webp` */
  write(name: string, bytes: Buffer): Promise<void>;
  has(name: string): Promise<boolean>;
  /** In bytes; null for a name that is not there. */
  size(name: string): Promise<number | null>;
  /** A name that is not there is no fault. Not atomic: after a failure, removing the same names again is right. */
  remove(names: readonly string[]): Promise<void>;
  /** Names of what stands in a folder of the store ('' for its root) and was written before an instant, in no order; not of what stands deeper. */
  list(folder: string, before: Date): AsyncIterable<string>;
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

const sizeOf = (path: string): Promise<number | null> =>
  stat(path).then(
    (found) => (found.isFile() ? found.size : null),
    () => null,
  );

/** A folder of the server. */
export function localFileStore(folder: string): FileStore {
  return {
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
  };
}
