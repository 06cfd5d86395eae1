import { mkdir, writeFile } from 'node:fs/promises';
import { dirname, join } from 'node:path';
import type { Test } from 'tap';
import { formatFault } from '../../src/modules/content/seed/fault.ts';
import { readContentFolder } from '../../src/modules/content/seed/read-folder.ts';

/** The current year in the tests. */
export const YEAR = 2025;
/** A PNG image of 2 by 2 pixels. */
export const PNG = Buffer.from(
  'iVBORw0KGgoAAAANSUhEUgAAAAIAAAACCAIAAAD91JpzAAAACXBIWXMAAAPoAAAD6AG1e1JrAAAAEElEQVQI12PYxxAARAwQCgAfTgQ58Cti8AAAAABJRU5ErkJggg==',
  'base64',
);

type Files = Record<string, string | Buffer>;

const base: Files = {
  'ens/prepa.md': '---\nnom: ENS Yaoundé\nprix: 15000\npublie: oui\nimage: couverture.png\n---\nPremière ligne.\n\nSeconde.\n',
  'ens/couverture.png': PNG,
  'ens/maths/discipline.md': '---\nnom: Mathématiques\n---\nSuites et fonctions.\n',
  'ens/maths/lecons/01-suites.md': '---\ntitre: Les suites\n---\nTexte avec $u_n$.\n\n![Une courbe](courbe.png "La courbe de $f$")\n',
  'ens/maths/lecons/courbe.png': PNG,
  'ens/maths/lecons/03-limites.html': '---\ntitre: Les limites\n---\n<p>Soit $a$.</p>\n<p>$$x^2$$</p>\n',
  'ens/maths/exercices/01-etude.md': '---\ntitre: Une étude\n---\nÉnoncé.\n\n<!-- corrigé -->\n\nCorrigé.\n',
  'ens/maths/sujets/01-ens-2023.md': '---\ntitre: ENS 2023\nannee: 2023\n---\nSujet.\n',
};

/** Writes a content folder from `base` and `changes` (null removes a file) and reads it. */
export async function read(t: Test, changes: Record<string, string | Buffer | null> = {}) {
  const root = t.testdir({});
  for (const [name, content] of Object.entries({ ...base, ...changes })) {
    if (content === null) continue;
    await mkdir(dirname(join(root, name)), { recursive: true });
    await writeFile(join(root, name), content);
  }
  return { root, result: await readContentFolder(root, YEAR) };
}

/** Returns the folder's faults as messages with relative paths. */
export async function faultsOf(t: Test, changes: Record<string, string | Buffer | null>): Promise<string[]> {
  const { root, result } = await read(t, changes);
  return 'faults' in result ? result.faults.map((fault) => formatFault(fault).replace(`${root}/`, '')) : [];
}
