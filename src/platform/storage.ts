import { randomUUID } from 'node:crypto';
import { mkdir, rename, rm, stat, writeFile } from 'node:fs/promises';
import { dirname, join } from 'node:path';

/** Where uploaded files live. Names are content-addressed: writing one twice writes the same bytes. */
export interface FileStore {
  /** @param name path inside the store, e.g. `covers/3f…-960.webp` */
  write(name: string, bytes: Buffer): Promise<void>;
  has(name: string): Promise<boolean>;
  remove(names: readonly string[]): Promise<void>;
}

/** A folder of the server, served under `/media/`. */
export function localFileStore(folder: string): FileStore {
  return {
    async write(name, bytes) {
      const path = join(folder, name);
      await mkdir(dirname(path), { recursive: true });
      // Whole or not at all: a crash half-way leaves only a temporary name behind.
      const temporary = `${path}.${randomUUID()}.part`;
      await writeFile(temporary, bytes);
      await rename(temporary, path);
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
