import { createWriteStream } from 'node:fs';
import { mkdir, open, rename, rm } from 'node:fs/promises';
import { join } from 'node:path';
import type { Writable } from 'node:stream';
import { partSuffix } from './retention.ts';

/**
 * Writes a file that only its owner can read. The file gets its name only once it is complete and flushed to the disk.
 * @returns its path, and the result of `write`
 */
export async function writeWhole<Result>(
  folder: string,
  name: string,
  write: (sink: Writable) => Promise<Result>,
): Promise<[string, Result]> {
  await mkdir(folder, { recursive: true, mode: 0o700 });
  const path = join(folder, name);
  const draft = `${path}${partSuffix}`;
  try {
    const result = await write(createWriteStream(draft, { mode: 0o600, flags: 'wx', flush: true }));
    await rename(draft, path);
    // Flushes the folder, so that the name survives a power cut.
    const directory = await open(folder);
    await directory.sync().finally(() => directory.close());
    return [path, result];
  } catch (error) {
    // An existing draft belongs to another process.
    if ((error as NodeJS.ErrnoException).code !== 'EEXIST') await rm(draft, { force: true });
    throw error;
  }
}
