import { access, chmod, constants, mkdir, open, readFile, rename, stat } from 'node:fs/promises';
import { dirname, join, resolve } from 'node:path';
import { parseEnv } from 'node:util';
import { CliError } from '../failure.ts';

/** One of the files that hold the settings. Each file has its own readers. */
export interface SettingsFile {
  name: string;
  mode: number;
  about: string;
  settings: Readonly<Record<string, string>>;
}

const plain = /^[\w@%+=:,./-]*$/;

/** Returns a line that the shell, systemd, Docker Compose and Node read the same way. @throws CliError for any other value */
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
 * Checks that the files can be written, without creating anything: if the folder does not exist, checks its nearest existing parent.
 * @throws CliError when they cannot be written
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

/** Returns the paths of the files that already exist. */
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
 * Writes each file atomically, with its mode from the first byte on. An existing file is renamed to `<name>.<timestamp>` first.
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
      // Sets the exact mode, whatever the umask is.
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

/** Keys without which stored data is lost: second factors, and the browsers in which learners are reminded. */
const lasting = ['ADMIN_SECRETS_KEY', 'ADMIN_SECRETS_KEY_FILE', 'PUSH_PUBLIC_KEY', 'PUSH_PRIVATE_KEY', 'PUSH_PRIVATE_KEY_FILE'];

/** Returns the keys in existing settings that a new run must keep. */
export async function earlierKey(folder: string): Promise<Record<string, string>> {
  const earlier = parseEnv(await readFile(join(folder, 'prepa.env'), 'utf8').catch(() => ''));
  return Object.fromEntries(lasting.flatMap((name) => (earlier[name] ? [[name, earlier[name]]] : [])));
}

async function keepEarlier(path: string, as: string): Promise<void> {
  try {
    await rename(path, as);
    await chmod(as, 0o600);
  } catch (error) {
    if ((error as NodeJS.ErrnoException).code !== 'ENOENT') throw error;
  }
}
