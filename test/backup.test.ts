// Slow: a database is restored in three ways.
import { execFile } from 'node:child_process';
import { readdirSync, rmSync } from 'node:fs';
import { join } from 'node:path';
import { promisify } from 'node:util';
import t, { type Test } from 'tap';
import { buildApp } from '../src/app.ts';
import { backupSubject } from '../src/backup.ts';
import { loadConfig } from '../src/config.ts';
import { createKernel } from '../src/kernel.ts';
import { grantEnrolment } from '../src/modules/enrolment/index.ts';
import { restoreBackup } from '../src/platform/backup/restore-backup.ts';
import { folderStores } from '../src/platform/files/open-stores.ts';
import { TestClock, visit } from './support/app.ts';
import { contentsOf, definitionsOf, findDumpTools, restoreFromCatalogue, withoutSearchPath } from './support/backup.ts';
import { backUp, emptyDatabase, sourceOf } from './support/backups.ts';
import { createDataFolder } from './support/data-folder.ts';
import { createTestDatabase } from './support/database.ts';
import { demoTemplate } from './support/demo.ts';
import { createAdministrator, createDocument, createLearner, createPayment } from './support/factories.ts';
import { sql } from './support/sql.ts';

/** Tables with triggers, generated columns or binary data. */
const telling = ['item', 'item_document', 'payment_event', 'payment_notification', 'enrolment_extension', 'audit_entry', 'migration'];

async function open(t: Test, databaseUrl: string) {
  const clock = new TestClock();
  const dataDir = createDataFolder();
  const config = loadConfig({ NODE_ENV: 'test', LOG_LEVEL: 'silent', SHED_LOAD: 'off', DATA_DIR: dataDir });
  const kernel = await createKernel(config, { databaseUrl, clock });
  t.teardown(async () => {
    await kernel.close();
    rmSync(dataDir, { recursive: true, force: true });
  });
  return { kernel, clock, dataDir };
}

/** Opens the demonstration with a learner who has paid for a prepa, granted days, and a provider's notification. */
async function openSite(t: Test) {
  const { url } = await createTestDatabase(t, (await demoTemplate()).database);
  const home = await open(t, url);
  const { kernel } = home;
  const learner = await createLearner(home);
  await createAdministrator(home);
  const [prepa] = await sql<{ id: number; nom: string; prix: number }>(url, 'select id, nom, prix from prepa order by id limit 1');
  if (!prepa) throw new Error('the demonstration is empty');
  await grantEnrolment(kernel.fork(), kernel.context, { email: learner.email, prepaId: prepa.id, reason: "l'essai" });
  const payment = await createPayment(home, learner, prepa, 'succeeded');
  await sql(
    url,
    `with given as (insert into payment_event (payment_id, type, actor, detail, at) values ($1, 'settled', 'server', '{"a": "é\\n"}', now()))
     insert into payment_notification (provider, reference, payment_id, content_type, body, headers, received_at)
     values ('zitopay', $2, $1, 'text/plain', '\\x00ff0a5c', '{"x-a": "b"}', now())`,
    [payment.id, payment.reference],
  );
  const [item] = await sql<{ id: number }>(url, 'select id from item order by id limit 1');
  await createDocument(home, item?.id ?? 0);
  return { url, learner, dataDir: home.dataDir, paid: prepa.prix };
}

/** Asserts that the restored database is equal to the site's and that the application runs on it. */
async function assertRestored(t: Test, site: { url: string; learner: { session: string } }, restored: string): Promise<void> {
  const contents = await contentsOf(restored);
  t.same(contents, await contentsOf(site.url), 'the restored rows are equal');
  for (const name of telling) t.ok((contents[`public.${name}`]?.rows ?? 0) > 0, `${name} had rows`);
  t.same(await definitionsOf(restored), await definitionsOf(site.url), 'the restored definitions are equal');

  const { kernel } = await open(t, restored);
  const app = await buildApp(kernel);
  t.teardown(() => app.close());
  t.equal((await app.inject('/readyz')).statusCode, 200);
  const [item] = await sql<{ id: number; discipline_id: number; titre: string; mot: string }>(
    restored,
    `select i.id, discipline_id, titre, substring(titre from '[[:alpha:]]{6,}') as mot from item i join discipline d on d.id = discipline_id
     where d.prepa_id = (select prepa_id from enrolment) and titre ~ '[[:alpha:]]{6,}' order by i.id limit 1`,
  );
  const found = await visit(app, `/user/recherche?q=${encodeURIComponent(item?.mot ?? '')}`, site.learner.session);
  t.match(found.body, `item=${item?.id}`, `found by "${item?.mot}"`);

  // A session without search_path, as replication and other tools use: names are not found without their schema.
  await withoutSearchPath(restored, async (client) => {
    const outline = async () => {
      const { rows } = await client.query('select outline_version as version from public.discipline where id = $1', [item?.discipline_id]);
      return rows[0].version as number;
    };
    const before = await outline();
    const [added] = (
      await client.query(
        `insert into public.item (discipline_id, kind, titre, numero_page, contenu, created_at, updated_at)
         values ($1, 'course', 'Restauré', 9999, '<p>Un <strong>alambic</strong> &amp; un ballon</p>', now(), now()) returning id, texte`,
        [item?.discipline_id],
      )
    ).rows;
    t.equal(added.texte.trim(), 'Un alambic & un ballon');
    await client.query(`update public.item set titre = 'Restauré deux fois' where id = $1`, [added.id]);
    const attach = `insert into public.item_document (item_id, nom, file, octets, created_at) values ($1, 'Fiche', 'fiche.pdf', 1, now())`;
    await client.query(attach, [added.id]);
    await client.query(`update public.item_document set nom = 'Fiche 2' where item_id = $1`, [added.id]);
    await client.query('delete from public.item_document where item_id = $1', [added.id]);
    await client.query('delete from public.item where id = $1', [added.id]);
    t.ok((await outline()) >= before + 6, 'the triggers count each change');
    await t.rejects(client.query('delete from public.payment_event'), { message: 'payment_event is append-only' });
    const { rows } = await client.query(`select public.passage(texte, 'alambic', 8000, '', '<b>') as passage
      from (values ('Un alambic et un ballon')) written(texte)`);
    t.same(rows, [{ passage: 'Un <b>alambic</b> et un ballon' }]);
  });
}

t.test('a backup is restored into an empty database, row for row', async (t) => {
  const site = await openSite(t);
  const restored = await emptyDatabase(t, site.url);
  await restoreFromCatalogue(site.url, restored);
  await assertRestored(t, site, restored);
});

t.test('prepa backup and prepa restore give the same result', async (t) => {
  const site = await openSite(t);
  const restored = await emptyDatabase(t, site.url);
  const backup = await backUp(site.url, site.dataDir);
  const dataDir = t.testdir({});
  // Rows written after the snapshot are not in the backup.
  const before = await contentsOf(site.url);
  await sql(site.url, "update prepa set nom = 'Plus tard'");
  const manifest = await restoreBackup(sourceOf(backup), backupSubject(), { url: restored, stores: folderStores(dataDir) });
  t.same(await contentsOf(restored), before);
  t.same(manifest.totals, [{ status: 'succeeded', currency: 'XAF', count: '1', amount: String(site.paid), refunded_amount: '0' }]);
  t.equal(readdirSync(join(dataDir, 'documents')).filter((name) => !name.startsWith('.')).length, 1);
  await restoreBackup(sourceOf(await backUp(site.url, site.dataDir)), backupSubject(), {
    url: restored,
    stores: folderStores(dataDir),
    overwrite: true,
  });
  await assertRestored(t, site, restored);
});

const tools = await findDumpTools(process.env.TEST_DATABASE_URL ?? '');
const missing = tools === null && 'no pg_dump here that is as new as the server';
t.test('pg_dump and pg_restore give the same result', { skip: missing }, async (t) => {
  const site = await openSite(t);
  const restored = await emptyDatabase(t, site.url);
  const file = join(t.testdir({}), 'prepa.dump');
  await promisify(execFile)(tools?.dump ?? '', ['--format=custom', `--file=${file}`, site.url]);
  await promisify(execFile)(tools?.restore ?? '', ['--exit-on-error', '--no-owner', `--dbname=${restored}`, file]);
  await assertRestored(t, site, restored);
});

t.test('none of our functions depends on its caller having a search_path', async (t) => {
  const { url } = await createTestDatabase(t);
  const loose = await sql<{ name: string }>(
    url,
    `select f.oid::regprocedure::text as name from pg_proc f
     where pronamespace = 'public'::regnamespace and not exists (select from pg_depend where classid = 'pg_proc'::regclass and objid = f.oid and deptype = 'e')
       and prosqlbody is null and not exists (select from unnest(proconfig) setting where setting like 'search_path=%')`,
  );
  t.same(
    loose.map(({ name }) => name),
    [],
    'give each a body that is SQL (return …, begin atomic …), or a search_path of its own (set search_path from current)',
  );
});
