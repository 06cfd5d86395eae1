import { readdir, stat } from 'node:fs/promises';
import { join } from 'node:path';
import { documentsFolder } from '../../../src/platform/files/storage.ts';
import { openDataFolder } from '../../../src/platform/settings/data-folder.ts';
import { type Check, fault, good, notice } from '../check.ts';

export const mediaFolder: Check = {
  name: 'Dossier des fichiers',
  async look({ kernel: { config } }) {
    if (config.uploads.kept === 's3') return null;
    const folder = join(config.dataDir, 'media');
    let path: string;
    try {
      path = await openDataFolder(folder);
      await readdir(path);
    } catch (error) {
      return fault((error as Error).message);
    }
    const others = await ofOthers(config.dataDir, [folder, documentsFolder(config.dataDir)]);
    if (others.length > 0)
      return notice(
        `${others.join(', ')} n'appartient pas au compte de ${config.dataDir}, qui est sans doute celui du serveur`,
        `« chown -R --reference=${config.dataDir} ${others.join(' ')} »`,
      );
    return good(`${path} accessible en écriture`);
  },
};

/**
 * Returns the folders whose owner differs from the data folder's. A trial write would not find them, because the check may run as root.
 */
async function ofOthers(dataDir: string, folders: string[]): Promise<string[]> {
  const ownerOf = async (path: string) => (await stat(path).catch(() => null))?.uid;
  const owner = await ownerOf(dataDir);
  const others: string[] = [];
  for (const folder of folders) {
    for (const name of ['', ...(await readdir(folder).catch(() => []))]) {
      const path = join(folder, name);
      const uid = await ownerOf(path);
      if (uid !== undefined && uid !== owner) others.push(path);
    }
  }
  return others.slice(0, 3);
}
