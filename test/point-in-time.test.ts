// Slow: pgBackRest keeps and restores a server of its own.
// The configuration of docs/backups.md, on the distribution's pgBackRest and PostgreSQL. No other test needs them.
import { execFile, execFileSync } from 'node:child_process';
import { chmodSync, chownSync, existsSync, globSync, mkdirSync, mkdtempSync, readFileSync, rmSync, writeFileSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { promisify } from 'node:util';
import t, { type Test } from 'tap';
import { migrateDatabase } from '../src/migrations.ts';
import { projectRoot } from '../src/platform/settings/project-root.ts';
import { sql } from './support/sql.ts';

const run = promisify(execFile);
const binaries = globSync('/usr/lib/postgresql/*/bin').sort().at(-1) ?? '';
const installed = existsSync('/usr/bin/pgbackrest') && binaries !== '';
const skip = !installed && 'no pgbackrest and PostgreSQL of the distribution here (apt-get install pgbackrest postgresql)';

/** Returns a configuration block of docs/backups.md. */
const block = (first: string): string =>
  new RegExp(`\`\`\`ini\n(${first}[\\s\\S]*?)\`\`\``).exec(readFileSync(join(projectRoot, 'docs/backups.md'), 'utf8'))?.[1] ?? '';

/** Starts PostgreSQL with archiving as docs/backups.md configures it, in its own folder. */
async function openArchived(t: Test) {
  const folder = mkdtempSync(join(tmpdir(), 'prepa-pitr-'));
  const root = process.getuid?.() === 0;
  const id = (flag: string) => Number(execFileSync('id', [flag, 'postgres']).toString());
  const account = root ? { uid: id('-u'), gid: id('-g') } : {};
  const data = join(folder, 'main');
  for (const path of [folder, join(folder, 'repository'), join(folder, 'log')]) {
    mkdirSync(path, { recursive: true });
    if (root) chownSync(path, account.uid ?? 0, account.gid ?? 0);
  }
  chmodSync(folder, 0o755);
  const config = join(folder, 'pgbackrest.conf');
  const written = block('\\[global\\]')
    .replace('/var/lib/pgbackrest', join(folder, 'repository'))
    .replace(/pg1-path=.*/, `pg1-path=${data}\npg1-socket-path=${folder}\npg1-port=54329`)
    .replace('[global]', `[global]\nlog-path=${join(folder, 'log')}\nlock-path=${folder}`);
  writeFileSync(config, written);
  const env = { PATH: process.env.PATH ?? '', LC_ALL: 'C', PGBACKREST_CONFIG: config };
  const asPostgres = (program: string, ...args: string[]) => run(program, args, { ...account, env, cwd: folder });
  const backrest = (...args: string[]) => asPostgres('pgbackrest', '--stanza=prepa', ...args);
  const start = () => asPostgres(join(binaries, 'pg_ctl'), '-D', data, '-l', join(folder, 'log/postgres.log'), '-w', 'start');
  const stop = () => asPostgres(join(binaries, 'pg_ctl'), '-D', data, '-m', 'fast', '-w', 'stop');
  t.teardown(async () => {
    await stop().catch(() => {});
    rmSync(folder, { recursive: true, force: true });
  });
  await asPostgres(join(binaries, 'initdb'), '-D', data, '-U', 'postgres', '--auth', 'trust', '--encoding', 'UTF8');
  const settings = `${block('archive_mode')}listen_addresses='127.0.0.1'\nport=54329\nunix_socket_directories='${folder}'\n`;
  writeFileSync(join(data, 'postgresql.auto.conf'), settings);
  await start();
  return { url: 'postgresql://postgres@127.0.0.1:54329/postgres', data, backrest, start, stop };
}

t.test('a restore to the moment before a mistake has all earlier rows', { skip, timeout: 300_000 }, async (t) => {
  const { url, data, backrest, start, stop } = await openArchived(t);
  await migrateDatabase(url);
  await backrest('stanza-create');
  await backrest('check');
  const learner = (name: string) =>
    sql(
      url,
      "insert into app_user (id, username, email, password_hash, created_at) values (gen_random_uuid(), $1::text, $1::text || '@gmail.com', '-', now())",
      [name],
    );
  await learner('avant');
  await backrest('--type=full', 'backup');
  await learner('apres');
  // The recovery target has whole seconds and must be after the end of the backup.
  const copied = Date.now();
  while (Date.now() < copied + 2_000) await sql(url, 'select 1');
  const [moment] = await sql<{ at: string }>(url, 'select clock_timestamp()::text as at');
  await sql(url, 'delete from app_user');
  await sql(url, 'select pg_switch_wal()');
  await backrest('check');
  await stop();
  rmSync(data, { recursive: true });

  await backrest('--delta', '--type=time', `--target=${moment?.at}`, '--target-action=promote', 'restore');
  await start();
  t.same(
    (await sql<{ username: string }>(url, 'select username from app_user order by created_at')).map(({ username }) => username),
    ['avant', 'apres'],
    'those of the backup and of the archive, as they were at that moment',
  );
});
