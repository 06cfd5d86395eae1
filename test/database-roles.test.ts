// Slow: roles are made and tried on databases of their own.
import { readFileSync } from 'node:fs';
import { join } from 'node:path';
import t from 'tap';
import { databaseRights } from '../src/database-roles.ts';
import { requireAlone } from '../src/platform/backup/restore-target.ts';
import { connect } from '../src/platform/backup/snapshot.ts';
import { projectRoot } from '../src/platform/settings/project-root.ts';
import { createTestApp } from './support/app.ts';
import { createTestDatabase } from './support/database.ts';
import { createAdministrator, createLearner } from './support/factories.ts';
import { bareEnvironment } from './support/process.ts';
import { sql } from './support/sql.ts';
import { asRole, onServer } from './support/template.ts';
import { runPrepa } from './support/terminal.ts';

const home = await createTestApp(t);
const { databaseUrl } = home;

/** Returns the role's privileges by table, in the letters of docs/database-roles.md. */
async function rightsOf(url: string, role: string): Promise<Record<string, string>> {
  const rows = await sql<{ table: string; rights: string }>(
    url,
    `select c.relname as table, coalesce(string_agg(right(left(p.type, 1), 1), ' ' order by p.place) filter (where granted.type is not null), '') as rights
     from pg_class c cross join unnest(array['SELECT', 'INSERT', 'UPDATE', 'DELETE', 'TRUNCATE', 'REFERENCES', 'TRIGGER', 'MAINTAIN']) with ordinality p(type, place)
     left join lateral (select a.privilege_type as type from aclexplode(c.relacl) a where a.grantee = $1::regrole and a.privilege_type = p.type) granted on true
     where c.relkind = 'r' and c.relnamespace = 'public'::regnamespace group by c.relname`,
    [role],
  );
  return Object.fromEntries(rows.map(({ table, rights }) => [table, rights.toLowerCase()]));
}

const letters = (rights: string) =>
  rights
    .split(', ')
    .map(([first]) => first)
    .join(' ');

/** Returns the privileges that `src/database-roles.ts` defines, for every table. */
async function said(work: keyof typeof databaseRights): Promise<Record<string, string>> {
  const { ordinary, tables }: { ordinary: string; tables: Record<string, string> } = databaseRights[work];
  const names = await sql<{ name: string }>(
    databaseUrl,
    `select relname as name from pg_class where relkind = 'r' and relnamespace = 'public'::regnamespace`,
  );
  return Object.fromEntries(names.map(({ name }) => [name, letters(tables[name] ?? ordinary)]));
}

t.test('each database role has exactly the documented rights on every table', async (t) => {
  for (const work of ['web', 'commands'] as const) t.same(await rightsOf(databaseUrl, `prepa_${work}`), await said(work), work);

  const lines = readFileSync(join(projectRoot, 'docs/database-roles.md'), 'utf8').split('\n');
  const rows = lines.flatMap((line) => {
    const [, of = '', web = '', commands = ''] = /^\| (`.*?`|every other) \| ([siud ]+) \| ([siud ]+) \|/.exec(line) ?? [];
    return of.split(', ').flatMap((name) => (name ? [[name.replaceAll('`', ''), { web, commands }] as const] : []));
  });
  const { web, commands } = databaseRights;
  const expected = ['every other', ...new Set([...Object.keys(web.tables), ...Object.keys(commands.tables)])].map((name) => {
    const of = ({ ordinary, tables }: { ordinary: string; tables: Record<string, string> }) => letters(tables[name] ?? ordinary);
    return [name, { web: of(web), commands: of(commands) }];
  });
  t.same(Object.fromEntries(rows), Object.fromEntries(expected), 'as docs/database-roles.md shows');
});

const refused = async (statement: string, role: 'web' | 'commands') =>
  sql(asRole(databaseUrl, role), statement).then(
    () => 'done',
    ({ code }) => code,
  );

t.test('neither the server nor a command can change the schema, past events or its own role', async (t) => {
  await createLearner(home);
  await createAdministrator(home);
  const both = [
    ...[
      'drop table session',
      'alter table payment add column x int',
      'alter table audit_entry disable trigger user',
      'truncate attempt_limit',
    ],
    ...[
      'create table x (y int)',
      'create function x() returns int language sql as $$ select 1 $$',
      'create schema x',
      'drop function refuse_change()',
    ],
    ...['alter function refuse_change() security definer', 'create trigger x before delete on session execute function refuse_change()'],
    ...[
      'update payment_day_total set received = 0',
      'delete from payment_prepa_total',
      'delete from payment',
      'delete from app_user',
      'delete from enrolment',
    ],
    ...[
      'delete from audit_entry',
      'delete from payment_event',
      'delete from enrolment_extension',
      "insert into migration (name) values ('x')",
    ],
    ...['select rolpassword from pg_authid', "select pg_read_file('PG_VERSION')", "copy session to program 'cat'", 'create role x'],
    ...['alter role current_user createdb', 'set session_replication_role = replica', 'alter system set fsync = off'],
    ...[`select add_to_payment_totals(now(), 'zitopay', 1, 'x', 1, 1, 0, 0)`, `select recount_payment_totals('2026-01-01', '2026-02-01')`],
  ];
  for (const role of ['web', 'commands'] as const)
    for (const statement of both) t.equal(await refused(statement, role), '42501', `${role}: ${statement}`);
  const web = [
    ...["update audit_entry set label = 'x'", 'update payment_event set detail = null', "update enrolment_extension set reason = 'x'"],
    ...[
      'delete from item_version',
      'delete from practice_mark',
      'delete from answer',
      'delete from payment_notification',
      'set role prepa_commands',
    ],
  ];
  for (const statement of web) {
    t.equal(await refused(statement, 'web'), '42501', statement);
    t.equal(await refused(`set prepa.erasing = on; ${statement}`, 'web'), '42501', `${statement}, with prepa.erasing on`);
  }
  t.equal(await refused(web[0] ?? '', 'commands'), 'P0001', 'a command cannot change append-only tables either');
});

t.test('a restore sees the connections of other roles without superuser privileges', async (t) => {
  // Opens a connection of the server.
  t.equal((await home.app.inject('/readyz')).statusCode, 200);
  const client = await connect(asRole(databaseUrl, 'commands'));
  t.teardown(() => client.end());
  await t.rejects(requireAlone(client), { message: /connexion\(s\) sont ouvertes sur cette base de données/ });
});

t.test('prepa db roles makes both roles, and later tables belong to them too', async (t) => {
  const { url } = await createTestDatabase(t);
  const name = new URL(url).pathname.slice(1);
  const server = process.env.TEST_DATABASE_URL ?? '';
  const roles = { web: `${name}_site`, commands: `${name}_terminal`, owner: `${name}_owner` };
  const address = (role: string) => Object.assign(new URL(url), { username: role, password: encodeURIComponent('Ab-3 %é/d_2!zzz') }).href;
  t.teardown(async () => {
    await sql(server, `drop database if exists ${name} with (force)`);
    for (const role of Object.values(roles)) await sql(server, `drop role if exists ${role}`);
  });
  const env = { ...bareEnvironment(), NODE_ENV: 'test', DATABASE_URL: address(roles.web), COMMANDS_DATABASE_URL: address(roles.commands) };
  const prepa = (...args: string[]) => runPrepa(args, { ...env, MIGRATIONS_DATABASE_URL: url });

  const printed = await prepa('db', 'roles', '--print');
  t.equal(printed.code, 0, printed.error);
  t.match(
    printed.out,
    `grant select, insert on answer, audit_entry, enrolment_extension, exam_batch, exam_correction, item_version, payment_event, practice_mark to ${roles.web};`
      .replace(
        'answer, audit_entry, enrolment_extension, exam_batch, exam_correction, item_version, payment_event, practice_mark',
        '"answer", "audit_entry", "enrolment_extension", "exam_batch", "exam_correction", "item_version", "payment_event", "practice_mark"',
      )
      .replace(roles.web, `"${roles.web}"`),
  );
  t.notMatch(printed.out, /zzz/, 'the output contains no password');
  t.same(await sql(url, 'select from pg_roles where rolname = any($1)', [Object.values(roles)]), [], 'no role was created');

  t.same(await prepa('db', 'roles'), {
    code: 0,
    out: `Rôle créé : ${roles.web}\nRôle créé : ${roles.commands}\nDroits donnés à ${roles.web} et ${roles.commands}.\n`,
    error: '',
  });
  t.same(await rightsOf(url, roles.web), await said('web'));
  t.same(await rightsOf(url, roles.commands), await said('commands'));
  t.same(
    await sql(
      address(roles.web),
      'select rolsuper or rolcreaterole or rolcreatedb or rolbypassrls as more from pg_roles where rolname = current_user',
    ),
    [{ more: false }],
  );
  const temporary = await sql(address(roles.web), 'create temporary table payment_day_total (day date)').catch(({ code }) => code);
  t.equal(temporary, '42501', 'a temporary table cannot hide a real one');
  t.equal((await prepa('db', 'roles')).out, `Droits donnés à ${roles.web} et ${roles.commands}.\n`, 'a second run succeeds');

  await sql(url, 'create table of_a_later_release (id serial primary key)');
  t.same(await sql(address(roles.web), 'insert into of_a_later_release default values returning id'), [{ id: 1 }]);
  await sql(url, `grant truncate on session to ${roles.web}`);
  t.match((await prepa('db', 'migrate')).out, /^La base est à jour\.\nDroits donnés à /);
  t.equal((await rightsOf(url, roles.web)).session, 's i u d', 'privileges granted by hand are revoked');
  t.equal((await prepa('db', 'status')).code, 0, 'commands run with their own role');

  const alone = await runPrepa(['db', 'roles'], { ...env, DATABASE_URL: url, COMMANDS_DATABASE_URL: '' });
  t.equal(alone.code, 2);
  t.match(alone.error, 'Un seul rôle fait tout');
  t.match(
    (
      await runPrepa(['db', 'roles'], {
        ...env,
        DATABASE_URL: `${onServer(url, name)}`,
        COMMANDS_DATABASE_URL: address('autre'),
        MIGRATIONS_DATABASE_URL: address(roles.commands),
      })
    ).error,
    /ne peut pas en créer/,
  );
});
