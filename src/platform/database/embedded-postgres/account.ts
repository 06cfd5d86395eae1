/** PostgreSQL refuses to run as root: whom it runs as instead, and how. */
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

/** PostgreSQL refuses to run as root: root lends it the account that owns its data, `postgres` at first. */
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
  // It fails when another process creates the account at the same moment; what counts is that it is there afterwards.
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
 * The command line and spawn options that run `program` on `folder` as `account`. Below a folder that only root may enter (a clone in
 * /root, a temporary folder) the account also gets one right of root's, to walk through folders.
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
  // Without the last one, access(2), which initdb asks before it starts the server, would not count the right.
  const rights = ['--inh-caps', `+${right}`, '--ambient-caps', `+${right}`, '--securebits', '+no_setuid_fixup'];
  return { argv: ['setpriv', ...ids, ...rights, '--', ...program], options: {} };
}

/** The narrowest right that lets through closed folders and that this root has; containers keep some from it. */
async function walkingRight(): Promise<string | undefined> {
  try {
    await run('setpriv', ['--version']);
    const rights = BigInt(`0x${/^CapEff:\s*(\S+)/m.exec(await readFile('/proc/self/status', 'utf8'))?.[1] ?? '0'}`);
    return ['dac_read_search', 'dac_override'].find((_, index) => rights & (index === 0 ? 4n : 2n));
  } catch {
    return undefined;
  }
}

/** The first folder above `path` that the account may not enter. */
async function closedAncestor(path: string, { uid, gid }: Account): Promise<string | undefined> {
  for (let folder = dirname(path); folder !== dirname(folder); folder = dirname(folder)) {
    const { mode, uid: owner, gid: group } = await stat(folder);
    const bit = owner === uid ? 0o100 : group === gid ? 0o010 : 0o001;
    if ((mode & bit) === 0) return folder;
  }
  return undefined;
}

/** The machine's libpq and locale variables must not reach the server. */
export function environment(): NodeJS.ProcessEnv {
  return { PATH: process.env.PATH ?? '/usr/bin:/bin', LC_ALL: 'C', TZ: 'UTC' };
}
