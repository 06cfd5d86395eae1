// Slow: a PostgreSQL of its own, whose log is read.
import { chownSync, mkdirSync, readFileSync, statSync } from 'node:fs';
import { join } from 'node:path';
import { pipeline } from 'node:stream/promises';
import { from as copyFrom } from 'pg-copy-streams';
import t, { type Test } from 'tap';
import { issueKeys } from '../src/modules/identity/administrators/administration-keys.service.ts';
import { terminal } from '../src/modules/identity/index.ts';
import { call, createTestApp } from './support/app.ts';
import { createTestDatabase } from './support/database.ts';
import { startOwnPostgres } from './support/own-postgres.ts';
import { createSmallDisk } from './support/small-disk.ts';
import { connected, holding, sql, untilBlocked } from './support/sql.ts';
import { asRole } from './support/template.ts';
import { runPrepa } from './support/terminal.ts';
import { onServer } from './support/topology.ts';

// Checks what failing and slow statements write to PostgreSQL's log, on a server with the most verbose settings.

const talkative = {
  log_min_messages: 'info',
  log_min_error_statement: 'info',
  log_error_verbosity: 'verbose',
  log_parameter_max_length: '-1',
  log_parameter_max_length_on_error: '-1',
  log_statement: 'all',
  log_min_duration_statement: '0',
  log_lock_waits: 'on',
  deadlock_timeout: '50',
  shared_preload_libraries: 'auto_explain',
  'auto_explain.log_min_duration': '0',
};

const server = await startOwnPostgres(t, talkative);
/** Number of bytes of the log read so far. */
let read = 0;
const newLines = (): string => {
  const bytes = readFileSync(join(server.dataDir, 'postgres.log'));
  const text = bytes.subarray(read).toString();
  read = bytes.length;
  return text;
};
const linesWith = (what: string | RegExp): string[] =>
  newLines()
    .split('\n')
    .filter((line) => line.search(what) !== -1);

const secret = 'aicha.bello@gmail.com';
const account = `(id, username, email, password_hash, created_at)`;
const values = (name: string, email = secret) => `(gen_random_uuid(), '${name}', '${email}', '$argon2id$${secret}', now())`;

const home = await onServer(server.url, () => createTestDatabase(t));
const roles = { web: asRole(home.url, 'web'), commands: asRole(home.url, 'commands'), owner: home.url };

type Failing = (url: string, t: Test) => Promise<unknown>;
/** Failing statements, each with its SQLSTATE. */
const failing: Record<string, [code: string, Failing]> = {
  'a duplicate': ['23505', (url) => sql(url, `insert into app_user ${account} values ${values('aicha')}, ${values('aicha_b')}`)],
  'a parameter that is a duplicate': [
    '23505',
    (url) =>
      sql(url, `insert into app_user ${account} select gen_random_uuid(), name, $1, $2, now() from unnest(array['one', 'other']) name`, [
        secret,
        `$argon2id$${secret}`,
      ]),
  ],
  'a missing value': [
    '23502',
    (url) => sql(url, `insert into app_user (id, username, email) values (gen_random_uuid(), 'aicha', '${secret}')`),
  ],
  'a check': [
    '23514',
    (url) =>
      sql(
        url,
        `insert into administrator (id, username, email, password_hash, role, created_at) values (gen_random_uuid(), 'aicha', '${secret}', 'x', 'nobody', now())`,
      ),
  ],
  'a foreign key': [
    '23503',
    (url) =>
      sql(url, `insert into password_reset (id, user_id, created_at, expires_at) values ('${secret}', gen_random_uuid(), now(), now())`),
  ],
  'a value that is too long': ['22001', (url) => sql(url, `insert into app_user ${account} values ${values(secret.repeat(3))}`)],
  'a value of another type': ['22P02', (url) => sql(url, `select '${secret}'::int`)],
  'a parameter of another type': ['22P02', (url) => sql(url, 'select $1::uuid', [secret])],
  'a mistake in a statement': ['42601', (url) => sql(url, `select '${secret}' from from`)],
  'a text that does not end': ['42601', (url) => sql(url, `select '${secret}`)],
  'a statement that takes too long': [
    '57014',
    (url) =>
      connected(url, async (client) => {
        await client.query('set statement_timeout = 20');
        await client.query(`select pg_sleep(60), '${secret}'`);
      }),
  ],
  'a prepared statement, and what is asked after it': [
    '25P02',
    (url) =>
      connected(url, async (client) => {
        await client.query(`prepare find (text) as select $1::int`);
        await client.query('begin');
        await client.query(`execute find ('${secret}')`).catch(() => {});
        await client.query(`select '${secret}'`);
      }),
  ],
  'an error in a function': ['P0001', (url) => sql(url, `do $$ begin raise exception '${secret}'; end $$`)],
  'a copy': [
    '22P02',
    (url) =>
      connected(url, async (client) => {
        const copy = copyFrom('copy app_user (id, username, email, password_hash, created_at) from stdin');
        client.query(copy as never);
        await pipeline([`${secret}\taicha\t${secret}\tx\tnow\n`], copy);
      }),
  ],
  'a deadlock': ['40P01', deadlock],
};

async function deadlock(url: string): Promise<void> {
  const lock = (n: number) => `select pg_advisory_xact_lock(${n}), '${secret}'`;
  await connected(url, (one) =>
    connected(url, async (other) => {
      for (const [client, n] of [
        [one, 1],
        [other, 2],
      ] as const) {
        await client.query('begin');
        await client.query(lock(n));
      }
      const crossed = [one.query(lock(2)), other.query(lock(1))];
      const outcomes = await Promise.allSettled(crossed);
      for (const outcome of outcomes) if (outcome.status === 'rejected') throw outcome.reason;
    }),
  );
}

for (const [role, url] of Object.entries(roles))
  t.test(`statements that fail for ${role} leave no value and no statement in the log`, async (t) => {
    for (const [what, [code, fail]] of Object.entries(failing)) {
      newLines();
      await t.rejects(fail(url, t), { code }, what);
      // Then a successful statement, slow enough to be logged.
      await sql(url, `select '${secret}', count(*) from app_user where email = $1`, [secret]);
      t.same(linesWith(secret), [], what);
    }
  });

t.test('a full disk leaves no text in the log', async (t) => {
  const disk = createSmallDisk(t, 8);
  if (!disk) return;
  const { uid, gid } = statSync(join(server.dataDir, 'postgres'));
  const place = join(disk.folder, 'place');
  mkdirSync(place);
  for (const path of [disk.folder, place]) chownSync(path, uid, gid);
  await sql(server.url, `create tablespace small location '${place}'`);
  await sql(home.url, 'create table kept (text text) tablespace small');
  await sql(home.url, 'grant insert on kept to prepa_web');
  disk.fill();
  newLines();
  await t.rejects(sql(roles.web, `insert into kept select '${secret}' from generate_series(1, 100000)`), { code: '53100' });
  t.same(linesWith(secret), []);
  await sql(home.url, 'drop table kept');
  await sql(server.url, 'drop tablespace small');
});

t.test('without the privilege the command prints the statement for a superuser, after which the log settings apply', async (t) => {
  await sql(server.url, `create role log_owner login createrole password 'Jf5wq0ZbK3yXr7Nd'`);
  await sql(server.url, 'create database log owner log_owner');
  const address = (role: string) =>
    Object.assign(new URL(server.url), { pathname: '/log', username: role, password: 'Jf5wq0ZbK3yXr7Nd' }).href;
  const [owner, web, commands] = ['log_owner', 'log_web', 'log_commands'].map(address) as [string, string, string];
  const env = { NODE_ENV: 'test', DATABASE_URL: web, COMMANDS_DATABASE_URL: commands, MIGRATIONS_DATABASE_URL: owner };
  const run = async (...args: string[]) => {
    const { code, out, error } = await runPrepa([...args, '--json'], env);
    t.equal(code, 0, error);
    return JSON.parse(out) as Record<string, unknown>;
  };
  const permission =
    'grant set on parameter log_min_messages, log_min_error_statement, log_error_verbosity, log_parameter_max_length, log_parameter_max_length_on_error to "log_owner"';
  await run('db', 'migrate');
  t.match(await run('db', 'roles'), { created: ['log_web', 'log_commands'], logPermission: permission });
  await sql(server.url, permission);
  t.notOk('logPermission' in (await run('db', 'roles')));
  newLines();
  for (const url of [owner, web, commands]) await t.rejects(sql(url, `select '${secret}'::int`), { code: '22P02' });
  t.same(linesWith(secret), []);
});

t.test('two concurrent registrations with one e-mail cause no database error', async (t) => {
  // Resets the log settings of the roles, as on a server where the owner could not set them.
  for (const role of ['prepa_web', 'prepa_commands']) await sql(server.url, `alter role ${role} reset all`);
  const { app, kernel, databaseUrl } = await onServer(server.url, () => createTestApp(t));
  const password = 'Concours-2026!';
  const payload = { username: 'aicha', email: secret, password, confirmPassword: password };
  const keys = await issueKeys(kernel.fork(), kernel.context, terminal, { role: 'admin' });
  const registrations = {
    app_user: { url: '/api/users/register', payload, fault: 'Cet email est déjà utilisé' },
    administrator: {
      url: '/api/admin/register',
      payload: { ...payload, ...keys, role: 'admin' },
      fault: 'Cet email est déjà utilisé',
    },
  };
  for (const [table, { url, payload, fault }] of Object.entries(registrations)) {
    const role = table === 'administrator' ? { column: ', role', value: ", 'admin'" } : { column: '', value: '' };
    newLines();
    const first = `insert into ${table} (id, username, email, password_hash, created_at${role.column})
      values (gen_random_uuid(), 'other', '${secret.toUpperCase()}', 'x', now()${role.value})`;
    const answer = await holding(databaseUrl, first, async () => {
      const second = call(app, { method: 'POST', url, payload });
      await untilBlocked(databaseUrl, 1);
      return { second };
    });
    const { statusCode, body } = await answer.second;
    t.equal(statusCode, 409, body);
    t.match(JSON.parse(body).errors, [{ field: 'email', message: fault }]);
    t.same(linesWith(/ERROR/), [], table);
  }
});
