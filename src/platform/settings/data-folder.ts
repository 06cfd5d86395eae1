import { randomBytes } from 'node:crypto';
import { mkdir, realpath, rm, stat, writeFile } from 'node:fs/promises';
import { dirname, join } from 'node:path';
import { isDiskFull } from '../files/disk-full.ts';

/**
 * Creates the application's data folder if it is missing, and checks that it is writable.
 *
 * @returns its real path.
 * @throws Error with one French line.
 */
export async function openDataFolder(dataDir: string): Promise<string> {
  try {
    await createFolder(dataDir);
    const probe = join(dataDir, `.probe-${process.pid}-${randomBytes(4).toString('hex')}`);
    // A full disk is no fault: the existing data can still be served.
    await writeFile(probe, '').catch((error: unknown) => {
      if (!isDiskFull(error)) throw error;
    });
    await rm(probe, { force: true });
    return await realpath(dataDir);
  } catch (cause) {
    const { code } = cause as NodeJS.ErrnoException;
    throw new Error(`Impossible d'écrire dans le dossier de données ${dataDir} (${code}) : changez ses droits ou DATA_DIR.`, { cause });
  }
}

/** Creates a folder and its parents. Node's recursive `mkdir` never returns below a folder that hides its errors, such as /proc. */
async function createFolder(path: string): Promise<void> {
  if (await isFolder(path)) return;
  const parent = dirname(path);
  if (parent !== path) await createFolder(parent);
  try {
    await mkdir(path);
  } catch (error) {
    // Another process may have created it first.
    if (!(await isFolder(path))) throw error;
  }
}

async function isFolder(path: string): Promise<boolean> {
  return stat(path).then(
    (stats) => stats.isDirectory(),
    () => false,
  );
}
