/** Chooses the account under which the embedded PostgreSQL runs, since PostgreSQL refuses to run as root. */
import { execFile } from 'node:child_process';
import { readFile, stat } from 'node:fs/promises';
import { dirname } from 'node:path';
import { setTimeout as sleep } from 'node:timers/promises';
import { promisify } from 'node:util';

const run = promisify(execFile);

export interface Account {
  uid: number;
  gid: number;
}

/**
 * Returns the account for the server when this process is root: the owner of the data folder, initially `postgres`. Undefined otherwise.
 */
export async function accountFor(folder: string): Promise<Account | undefined> {
  if (process.getuid?.() !== 0) return undefined;
  const owner = await stat(folder).catch(() => undefined);
  if (owner && owner.uid !== 0) return { uid: owner.uid, gid: owner.gid };
  return (await findAccount()) ?? (await createAccount());
}

async function findAccount(): Promise<Account | undefined> {
  try {
    const [uid, gid] = await Promise.all([run('id', ['-u', 'postgres']), run('id', ['-g', 'postgres'])]);
    return { uid: Number(uid.stdout), gid: Number(gid.stdout) };
  } catch {
    return undefined;
  }
}

async function createAccount(): Promise<Account> {
  // Fails if another process creates the account at the same time; the loop below finds the account in either case.
  const failure = await run('useradd', ['--system', '--user-group', '--no-create-home', 'postgres']).catch((error: Error) => error);
  for (let tries = 0; tries < 20; tries += 1) {
    const account = await findAccount();
    if (account) return account;
    await sleep(50);
  }
  throw new Error("PostgreSQL ne s'exécute pas en root et le compte postgres n'a pas pu être créé : indiquez DATABASE_URL.", {
    cause: failure,
  });
}

/**
 * Returns the command line and spawn options that run `program` on `folder` as `account`. Below a folder that only root may enter (a clone
 * in /root, a temporary folder) the account also gets one of root's capabilities, for entering folders.
 */
export async function asAccount(
  program: string[],
  folder: string,
  account: Account | undefined,
): Promise<{ argv: string[]; options: Partial<Account> }> {
  if (!account) return { argv: program, options: {} };
  const closed = [program[0] as string, folder].map((path) => closedAncestor(path, account));
  const where = (await Promise.all(closed)).find((path) => path !== undefined);
  if (where === undefined) return { argv: program, options: account };
  const right = await walkingRight();
  if (right === undefined) {
    throw new Error(`Le compte de PostgreSQL ne peut pas entrer dans ${where} : ouvrez ce dossier (chmod o+x) ou indiquez DATABASE_URL.`);
  }
  const ids = ['--reuid', String(account.uid), '--regid', String(account.gid), '--clear-groups'];
  // initdb checks with access(2) before it starts the server; without no_setuid_fixup the capability would not count there.
  const rights = ['--inh-caps', `+${right}`, '--ambient-caps', `+${right}`, '--securebits', '+no_setuid_fixup'];
  return { argv: ['setpriv', ...ids, ...rights, '--', ...program], options: {} };
}

/** Returns the narrowest capability for entering closed folders that this root has; containers drop some. Undefined if there is none. */
async function walkingRight(): Promise<string | undefined> {
  try {
    await run('setpriv', ['--version']);
    const rights = BigInt(`0x${/^CapEff:\s*(\S+)/m.exec(await readFile('/proc/self/status', 'utf8'))?.[1] ?? '0'}`);
    return ['dac_read_search', 'dac_override'].find((_, index) => rights & (index === 0 ? 4n : 2n));
  } catch {
    return undefined;
  }
}

/** Returns the nearest folder above `path` that the account may not enter. */
async function closedAncestor(path: string, { uid, gid }: Account): Promise<string | undefined> {
  for (let folder = dirname(path); folder !== dirname(folder); folder = dirname(folder)) {
    const { mode, uid: owner, gid: group } = await stat(folder);
    const bit = owner === uid ? 0o100 : group === gid ? 0o010 : 0o001;
    if ((mode & bit) === 0) return folder;
  }
  return undefined;
}

/** Returns a minimal environment: the machine's libpq and locale variables must not reach the server. */
export function environment(): NodeJS.ProcessEnv {
  return { PATH: process.env.PATH ?? '/usr/bin:/bin', LC_ALL: 'C', TZ: 'UTC' };
}
