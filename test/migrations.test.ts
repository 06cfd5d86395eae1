// Slow: migrations go down and up again.
import { randomUUID } from 'node:crypto';
import { readdirSync } from 'node:fs';
import { join } from 'node:path';
import { MikroORM } from '@mikro-orm/postgresql';
import t, { type Test } from 'tap';
import { migrationList } from '../migrations/list.ts';
import { loadConfig } from '../src/config.ts';
import { createKernel } from '../src/kernel.ts';
import { grantEnrolment } from '../src/modules/enrolment/index.ts';
import { entities } from '../src/modules.ts';
import { ormOptions } from '../src/platform/database/open-database.ts';
import { projectRoot } from '../src/platform/settings/project-root.ts';
import { TestClock } from './support/app.ts';
import { contentsOf, definitionsOf } from './support/backup.ts';
import { createTestDatabase } from './support/database.ts';
import { demoTemplate } from './support/demo.ts';
import { createAdministrator, createDocument, createLearner, createPayment } from './support/factories.ts';
import { sql } from './support/sql.ts';

/** The last migration of the previous release. */
const released = '20261121213234-payment-operations';
const since = migrationList.map(({ name }) => name).filter((name) => name > released);

async function open(t: Test, template?: string) {
  const { url } = await createTestDatabase(t, template);
  const clock = new TestClock();
  const config = loadConfig({ NODE_ENV: 'test', LOG_LEVEL: 'silent', DATA_DIR: t.testdir({}) });
  const kernel = await createKernel(config, { databaseUrl: url, clock });
  t.teardown(() => kernel.close());
  const orm = await MikroORM.init(ormOptions({ url, entities, migrations: migrationList, poolSize: 2 }));
  t.teardown(() => orm.close(true));
  return { url, clock, kernel, migrator: orm.migrator };
}

t.test('each migration of the folder is in the list, oldest first', async (t) => {
  const names = readdirSync(join(projectRoot, 'migrations')).filter((name) => /^\d+-.*\.ts$/.test(name));
  t.same(
    migrationList.map(({ name }) => `${name}.ts`),
    names.sort(),
  );
  for (const migration of migrationList) t.match(String(migration.class), migration.name, 'under its own name');
});

t.test('migrating down to the previous release and up again keeps all data that it knows', async (t) => {
  const home = await open(t, (await demoTemplate()).database);
  const { url, kernel, migrator } = home;
  // The previous release has no place for series of questions, and none for the keys of questions in texts.
  await sql(url, `delete from item where kind = 'quiz'`);
  await sql(url, `delete from question`);
  await sql(url, `update item set keys = '[]'`);
  const learner = await createLearner(home);
  await createAdministrator(home);
  const [prepa] = await sql<{ id: number; nom: string; prix: number }>(url, 'select id, nom, prix from prepa order by id limit 1');
  if (!prepa) throw new Error('the demonstration is empty');
  await grantEnrolment(kernel.fork(), kernel.context, { email: learner.email, prepaId: prepa.id, reason: "l'essai" });
  for (const status of ['created', 'pending', 'succeeded', 'failed', 'cancelled', 'expired', 'review', 'refunded'] as const) {
    const payment = await createPayment(home, learner, prepa, status);
    await sql(
      url,
      `with given as (
         insert into payment_event (payment_id, type, actor, from_status, to_status, returned, detail, at)
         values ($1, 'transition', 'reconciliation', 'pending', $3, $4, '{"a": 1}', now()))
       insert into payment_notification (provider, reference, payment_id, content_type, body, headers, received_at)
       values ('zitopay', $2, $1, 'text/plain', '\\x00ff0a5c', '{"x-a": "b"}', now())`,
      [payment.id, payment.reference, status, status === 'refunded' ? prepa.prix : null],
    );
  }
  const [item] = await sql<{ id: number }>(url, 'select id from item order by id limit 1');
  await createDocument(home, item?.id ?? 0);
  await sql(url, `insert into attempt_limit (key, points, expire) values ('sign-in-account:abc', 3, 9999999999999)`);

  const [contents, definitions] = [await contentsOf(url), await definitionsOf(url)];
  for (const name of since.toReversed()) await migrator.down({ migrations: [name] });
  await migrator.up();
  // Tables that are not compared: migrations have times and ids, the catalogue's revision is random, picture sizes are read from files.
  const anew = /^public\.(migration|(catalogue_revision|content_image)$)/;
  const kept = (tables: typeof contents) => Object.fromEntries(Object.entries(tables).filter(([name]) => !anew.test(name)));
  t.same(kept(await contentsOf(url)), kept(contents));
  t.same(await definitionsOf(url), definitions);
});

t.test('the accounts of the demonstration are marked, and no others', async (t) => {
  const demoAccounts = '20261122102601-demo-accounts';
  /** Accounts from before the mark existed; real administrators have registered with keys. */
  const marked = async (t: Test, made: { withKeys: boolean }) => {
    const { url, migrator } = await open(t);
    for (const name of since.filter((name) => name >= demoAccounts).toReversed()) await migrator.down({ migrations: [name] });
    const id = randomUUID();
    await sql(
      url,
      `insert into administrator (id, username, email, role, password_hash, created_at) values ($1, 'admin', 'admin@gmail.com', 'super_admin', 'x', now())`,
      [id],
    );
    await sql(
      url,
      `insert into app_user (id, username, email, password_hash, created_at)
       values ($1, 'demo', 'demo@gmail.com', 'x', now()), ($2, 'demo_2', 'demo2@gmail.com', 'x', now())`,
      [randomUUID(), randomUUID()],
    );
    if (made.withKeys)
      await sql(
        url,
        `insert into administration_keys (role, first_hash, second_hash, created_at, expires_at, used_at, used_by_id)
         values ('super_admin', 'a', 'b', now(), now(), now(), $1)`,
        [id],
      );
    await migrator.up();
    const accounts = await sql<{ email: string }>(
      url,
      'select email from administrator where is_demo union all select email from app_user where is_demo order by email',
    );
    return accounts.map(({ email }) => email);
  };
  t.same(await marked(t, { withKeys: false }), ['admin@gmail.com', 'demo@gmail.com']);
  t.same(await marked(t, { withKeys: true }), [], 'a learner and an administrator who have chosen these names themselves');
});
