import { access, chmod, constants, mkdir, open, readFile, rename, stat } from 'node:fs/promises';
import { dirname, join, resolve } from 'node:path';
import { parseEnv } from 'node:util';
import { CliError } from '../failure.ts';

/** One of the files that the settings are parted into: whoever reads one does not read the next. */
export interface SettingsFile {
  name: string;
  mode: number;
  about: string;
  settings: Readonly<Record<string, string>>;
}

const plain = /^[\w@%+=:,./-]*$/;

/** As the shell, systemd, Docker Compose and Node read a line alike. @throws CliError for what they would not */
export function writtenAs(name: string, value: string): string {
  if (plain.test(value)) return `${name}=${value}`;
  if (/['\\\n\r\0]/.test(value))
    throw new CliError(
      `${name} contient une apostrophe, une barre oblique inverse ou une fin de ligne, que ce fichier ne peut pas porter.`,
    );
  return `${name}='${value}'`;
}

export const textOf = ({ about, settings }: SettingsFile): string =>
  [`# ${about}`, ...Object.entries(settings).map(([name, value]) => writtenAs(name, value)), ''].join('\n');

/**
 * Makes nothing: of a folder that is not there yet, the one in which it would be made is looked at.
 * @throws CliError when files cannot be written there
 */
export async function requireWritable(folder: string): Promise<void> {
  const place = resolve(folder);
  const there = await stat(place).catch(() => null);
  if (there === null && place !== dirname(place)) return requireWritable(dirname(place));
  if (!there?.isDirectory())
    throw new CliError(`${place} n'est pas un dossier : les réglages ne peuvent y être écrits. Choisissez-en un autre avec --folder.`);
  await access(place, constants.W_OK | constants.X_OK).catch((error: NodeJS.ErrnoException) => {
    throw new CliError(
      `Les réglages ne peuvent être écrits dans ${place} (${error.code}). Donnez-en le droit à qui lance cette commande, ou choisissez un autre dossier avec --folder.`,
    );
  });
}

/** Those of these files that are there already. */
export async function existing(folder: string, files: readonly SettingsFile[]): Promise<string[]> {
  const paths = files.map(({ name }) => join(folder, name));
  const found = await Promise.all(
    paths.map((path) =>
      stat(path).then(
        () => path,
        () => null,
      ),
    ),
  );
  return found.filter((path) => path !== null);
}

/**
 * Writes each file whole or not at all, with its mode from the first byte on. One that is there stays beside it, with the time in its name.
 * @returns the paths written
 */
export async function writeSettings(folder: string, files: readonly SettingsFile[], now: Date): Promise<string[]> {
  await mkdir(folder, { recursive: true, mode: 0o755 });
  const texts = files.map(textOf);
  const kept = now.toISOString().replaceAll(/[-:]|\.\d+/g, '');
  const written: string[] = [];
  for (const [index, { name, mode }] of files.entries()) {
    const path = join(folder, name);
    const part = `${path}.${process.pid}.part`;
    const file = await open(part, 'wx', mode);
    try {
      await file.writeFile(texts[index] ?? '');
      // The mask of the shell takes nothing from it, and adds nothing to it.
      await file.chmod(mode);
      await file.sync();
    } finally {
      await file.close();
    }
    await keepEarlier(path, `${path}.${kept}`);
    await rename(part, path);
    written.push(path);
  }
  return written;
}

/** The key that stands in settings written before, or the file that they name for it: with another one no administrator's telephone code would hold any more. */
export async function earlierKey(folder: string): Promise<Record<string, string>> {
  const earlier = parseEnv(await readFile(join(folder, 'prepa.env'), 'utf8').catch(() => ''));
  return Object.fromEntries(
    ['ADMIN_SECRETS_KEY', 'ADMIN_SECRETS_KEY_FILE'].flatMap((name) => (earlier[name] ? [[name, earlier[name]]] : [])),
  );
}

async function keepEarlier(path: string, as: string): Promise<void> {
  try {
    await rename(path, as);
    await chmod(as, 0o600);
  } catch (error) {
    if ((error as NodeJS.ErrnoException).code !== 'ENOENT') throw error;
  }
}
