import { randomUUID } from 'node:crypto';
import { mkdir, rename, rm, stat, writeFile } from 'node:fs/promises';
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
  /** A name that is not there is no fault. Not atomic: after a failure, removing the same names again is right. */
  remove(names: readonly string[]): Promise<void>;
}

/** The documents' folder: never below the one that is served as it is. */
export const documentsFolder = (dataDir: string): string => join(dataDir, 'documents');

/** A folder of the server. */
export function localFileStore(folder: string): FileStore {
  return {
    async write(name, bytes) {
      const path = join(folder, name);
      await mkdir(dirname(path), { recursive: true });
      const temporary = `${path}.${randomUUID()}.part`;
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
      return stat(join(folder, name)).then(
        (found) => found.isFile(),
        () => false,
      );
    },
    async remove(names) {
      await Promise.all(names.map((name) => rm(join(folder, name), { force: true })));
    },
  };
}
