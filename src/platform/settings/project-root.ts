import { existsSync } from 'node:fs';
import { dirname, join } from 'node:path';

/** The project's folder, searched upwards from this file, so that it is the same for the sources and for the bundle in `dist/`. */
export const projectRoot = findProjectRoot(import.meta.dirname);

function findProjectRoot(start: string): string {
  for (let folder = start; ; folder = dirname(folder)) {
    if (existsSync(join(folder, 'package.json')) && existsSync(join(folder, 'views'))) return folder;
    if (dirname(folder) === folder) throw new Error(`no project folder above ${start}`);
  }
}
