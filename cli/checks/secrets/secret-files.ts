import { stat } from 'node:fs/promises';
import { type Check, good, notice } from '../check.ts';

/** Warns about secret files that every account on this machine can read. */
export const secretFiles: Check = {
  name: 'Fichiers de secrets',
  async look() {
    const named = Object.entries(process.env).filter(([name, path]) => name.endsWith('_FILE') && path && !process.env[name.slice(0, -5)]);
    const open: string[] = [];
    for (const [name, path = ''] of named) {
      const found = await stat(path).catch(() => null);
      if (found?.isFile() && (found.mode & 0o007) !== 0) open.push(`${name} (${path})`);
    }
    if (named.length === 0) return null;
    if (open.length === 0) return good('fermés aux autres comptes de la machine');
    return notice(`${open.join(', ')} : lisible par tous les comptes de la machine`, 'fermez-le avec « chmod o-rwx »');
  },
};
