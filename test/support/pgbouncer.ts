import { execFile, spawn } from 'node:child_process';
import { once } from 'node:events';
import { chownSync, mkdirSync, writeFileSync } from 'node:fs';
import { join } from 'node:path';
import { createInterface } from 'node:readline';
import { promisify } from 'node:util';
import { accountFor, asAccount } from '../../src/platform/database/embedded-postgres/account.ts';
import { freePort } from '../../src/platform/processes/free-port.ts';

const run = promisify(execFile);

/** Debian installs it in /usr/sbin, which only root's PATH has. PGBOUNCER is the path of another version to test. */
const programs = [process.env.PGBOUNCER, 'pgbouncer', '/usr/sbin/pgbouncer'].filter((path) => path !== undefined);

/** Shown when PgBouncer is not installed. */
export const missingPgbouncer = 'PgBouncer is missing (Debian: apt-get install pgbouncer)';

export interface Pgbouncer {
  program: string;
  /** Version such as 1.18.0. */
  version: string;
  /** Whether it supports named statements in transaction mode (1.21 or later). */
  knowsNames: boolean;
}

/** Returns this machine's PgBouncer, or null when there is none. */
export async function findPgbouncer(): Promise<Pgbouncer | null> {
  for (const program of programs) {
    const said = await run(program, ['--version']).catch(() => null);
    const [, version, major, minor] = /PgBouncer ((\d+)\.(\d+)\S*)/.exec(said?.stdout ?? '') ?? [];
    if (version) return { program, version, knowsNames: Number(major) > 1 || Number(minor) >= 21 };
  }
  return null;
}

interface Options {
  /** PostgreSQL's address, as host:port. */
  server: string;
  /** Allowed users and their passwords. */
  users: Record<string, string>;
  /** Folder for the configuration: created here, deleted with its parent. */
  folder: string;
  /** Settings that replace the default ones below. */
  settings?: Record<string, string>;
}

export interface RunningPgbouncer {
  /** Address of PgBouncer, as host:port. */
  host: string;
  close(): Promise<void>;
}

/**
 * Starts PgBouncer in transaction mode for every database of a server. It has fewer server sessions than a site has connections, and
 * alternates between them, so that code that depends on session state fails.
 */
export async function startPgbouncer(pgbouncer: Pgbouncer, { server, users, folder, settings = {} }: Options): Promise<RunningPgbouncer> {
  const port = await freePort();
  const [host, serverPort] = server.split(':');
  mkdirSync(folder);
  const account = await accountFor(folder);
  const file = (name: string, text: string): string => {
    const path = join(folder, name);
    writeFileSync(path, text, { mode: 0o600 });
    if (account) chownSync(path, account.uid, account.gid);
    return path;
  };
  const all: Record<string, string> = {
    listen_addr: '127.0.0.1',
    listen_port: String(port),
    unix_socket_dir: '',
    auth_type: 'scram-sha-256',
    auth_file: file(
      'users.txt',
      Object.entries(users)
        .map(([user, password]) => `"${user}" "${password}"\n`)
        .join(''),
    ),
    pool_mode: 'transaction',
    default_pool_size: '4',
    server_round_robin: '1',
    // A database that is available again is used at once.
    server_login_retry: '0',
    max_client_conn: '1000',
    ignore_startup_parameters: 'statement_timeout,idle_in_transaction_session_timeout,options',
    ...(pgbouncer.knowsNames && { max_prepared_statements: '200' }),
    ...settings,
  };
  const lines = Object.entries(all).map(([name, value]) => `${name} = ${value}\n`);
  const ini = file('pgbouncer.ini', `[databases]\n* = host=${host} port=${serverPort}\n[pgbouncer]\n${lines.join('')}`);
  if (account) chownSync(folder, account.uid, account.gid);
  const { argv, options } = await asAccount([pgbouncer.program, ini], folder, account);
  const child = spawn(argv[0] as string, argv.slice(1), { ...options, cwd: '/', stdio: ['ignore', 'ignore', 'pipe'] });
  const ended = once(child, 'exit');
  let written = '';
  await new Promise<void>((resolve, reject) => {
    createInterface(child.stderr).on('line', (line) => {
      // Later output is dropped, but must be read so that the pipe does not fill up.
      if (written.length < 10_000) written += `${line}\n`;
      if (/ LOG process up: /.test(line)) resolve();
    });
    child.once('error', reject);
    child.once('exit', () => reject(new Error(`PgBouncer ended before it was ready:\n${written}`)));
  });
  return {
    host: `127.0.0.1:${port}`,
    close: async () => {
      // Connections may be cut off at once.
      child.kill('SIGKILL');
      await ended;
    },
  };
}
