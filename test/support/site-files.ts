import { readFile } from 'node:fs/promises';
import { join } from 'node:path';
import type { AppConfig } from '../../src/config.ts';
import { folderStores, openFileStores } from '../../src/platform/files/open-stores.ts';
import type { FileStore } from '../../src/platform/files/storage.ts';

/** Copies all pictures of a data folder to a site. */
export async function copyPictures(dataDir: string, config: AppConfig): Promise<void> {
  const [from, to] = [folderStores(dataDir).media, openFileStores(config).media];
  for (const folder of ['covers', 'content'])
    for (const name of await namesIn(from, folder)) await to.write(name, await readFile(join(dataDir, 'media', name)));
}

/** Returns the sorted names of the files in a folder of a store. */
export async function namesIn(store: FileStore, folder: string): Promise<string[]> {
  const names: string[] = [];
  for await (const name of store.list(folder, new Date(Date.now() + 86_400_000))) names.push(name);
  return names.sort();
}
