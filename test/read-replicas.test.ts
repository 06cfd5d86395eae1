// Slow: a database with a standby of its own.
// A site with a replica whose replay is paused: reads that must be current use the primary, the others show the earlier state.
import { mkdtempSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import t, { type Test } from 'tap';
import { runChecks } from '../cli/checks/check.ts';
import { replica } from '../cli/checks/database/replicas.ts';
import type { Kernel } from '../src/kernel.ts';
import { indexItem } from '../src/modules/content/index.ts';
import { call, createTestApp, type TestApp, visit } from './support/app.ts';
import { createTestDatabase } from './support/database.ts';
import { createAdministrator, createDiscipline, createEnrolment, createItem, createLearner, createPrepa } from './support/factories.ts';
import { offlineCalls } from './support/offline-calls.ts';
import { startOwnPostgres } from './support/own-postgres.ts';
import { startStreamingStandby } from './support/replication/streaming-standby.ts';
import { sql } from './support/sql.ts';
import { asRole } from './support/template.ts';
import { onServer } from './support/topology.ts';

const METRICS_TOKEN = 'un-jeton-pour-les-mesures';
const postgres = await startOwnPostgres(t);
const standby = await startStreamingStandby(postgres, {
  dataDir: mkdtempSync(join(tmpdir(), 'prepa-replica-')),
  settings: { max_connections: '100' },
});
t.teardown(() => standby.close());

/** @param replicas returns the replicas' URLs for a database URL with the site's role */
async function openSite(t: Test, maxLagMs: number, replicas = (url: string) => [standby.at(url)]) {
  // Uses a separate primary and standby, independent of the topology of the run.
  const home = await onServer(postgres.url, () =>
    createTestApp(t, (url) => ({
      DATABASE_REPLICA_URLS: replicas(asRole(url, 'web')).join(','),
      DATABASE_REPLICA_MAX_LAG_MS: String(maxLagMs),
      METRICS_TOKEN,
    })),
  );
  await caughtUp();
  await home.app.ready();
  return home;
}

const pause = () => sql(standby.url, 'select pg_wal_replay_pause()');
const resume = () => sql(standby.url, 'select pg_wal_replay_resume()');
/** Waits until the standby has replayed everything. */
async function caughtUp(): Promise<void> {
  const [at] = await sql<{ lsn: string }>(postgres.url, 'select pg_current_wal_lsn() as lsn');
  const has = async () =>
    (await sql<{ has: boolean }>(standby.url, 'select pg_last_wal_replay_lsn() >= $1::pg_lsn as has', [at?.lsn]))[0]?.has;
  while (!(await has()));
}

const names = async ({ app }: TestApp, session?: string): Promise<string[]> => {
  const { payload } = await app.inject({ url: '/api/prepas/published', headers: session ? { cookie: session } : {} });
  return (JSON.parse(payload) as { nom: string }[]).map(({ nom }) => nom);
};
const metric = async ({ app }: TestApp, name: string): Promise<string | undefined> => {
  const { payload } = await app.inject({ url: '/metrics', headers: { authorization: `Bearer ${METRICS_TOKEN}` } });
  return new RegExp(`^${name}(?:\\{[^}]*\\})? (.+)$`, 'm').exec(payload)?.[1];
};
async function until(condition: () => Promise<boolean>): Promise<void> {
  while (!(await condition()));
}
/** Returns the number of reads served by a replica. */
const readsOf = async (home: TestApp) => Number(await metric(home, 'prepa_database_replica_reads_total\\{outcome="replica"\\}'));
const isRead = async (home: TestApp) => (await metric(home, 'prepa_database_replica_up')) === '1';

t.test('reads that may be some seconds old use the replica, all others the primary', async (t) => {
  const home = await openSite(t, 600_000);
  const { app, databaseUrl } = home;
  const prepa = await createPrepa(home, { nom: 'ENS' });
  const discipline = await createDiscipline(home, prepa.id);
  const lesson = await createItem(home, discipline.id, { titre: 'Le budget', contenu: '<p>Un texte ancien.</p>' });
  const learner = await createLearner(home);
  const administrator = await createAdministrator(home, 'super_admin');
  await createEnrolment(home, learner, prepa, 10);
  await caughtUp();
  await until(() => isRead(home));
  const query = (text: string, values: unknown[] = []) => sql(databaseUrl, text, values);
  const study = `/user/prepa/${prepa.id}/${discipline.id}`;
  const trial = `/user/prepa/consultation/${prepa.id}`;
  const text = () => app.inject({ url: `/api/items/${lesson.id}/texte`, headers: { cookie: learner.session } });
  const search = (words: string) => visit(app, `/user/recherche?q=${words}`, learner.session);
  const { textsOf } = offlineCalls(home);
  const kept = async () => JSON.stringify(await textsOf(`/api/hors-ligne/prepas/${prepa.id}`, learner.session));
  t.match((await visit(app, study, learner.session)).body, 'Un texte ancien.');
  t.match((await search('ancien')).body, 'Le budget');

  await pause();
  t.teardown(resume);
  await query("update prepa set nom = 'Sages-femmes', version = version + 1");

  let fresh = 0;
  t.test('visitors see the earlier catalogue', async (t) => {
    t.same(await names(home), ['ENS']);
    for (const url of ['/', trial, `${trial}/${discipline.id}`]) t.notMatch((await visit(app, url)).body, 'Sages-femmes', url);
    t.match((await visit(app, `/user/recherche?q=budget&prepa=${prepa.id}`)).body, 'Le budget');
  });
  t.test('learners see the current one, also on pages cached for all learners', async (t) => {
    for (const url of ['/user/preparations', study]) t.match((await visit(app, url, learner.session)).body, 'Sages-femmes', url);
    t.match((await visit(app, '/user/preparations?q=sages', learner.session)).body, 'Sages-femmes');
  });
  t.test('a prepa that was just published is found by its id', async (t) => {
    const { id } = await createPrepa(home, { nom: 'ENAM' });
    fresh = id;
    const maths = await createDiscipline(home, fresh);
    await createItem(home, maths.id, { titre: 'Les suites' });
    for (const url of [`/user/prepa/consultation/${fresh}`, `/user/prepa/consultation/${fresh}/${maths.id}`])
      t.equal((await visit(app, url)).statusCode, 200, url);
    for (const url of [`/api/prepas/${fresh}`, `/api/prepas/${fresh}/contenu`, `/api/disciplines/${maths.id}`])
      t.equal((await app.inject(url)).statusCode, 200, url);
    for (const url of [`/api/disciplines-user/prepa/${fresh}`, `/api/lecons/discipline/${maths.id}`])
      t.equal(JSON.parse((await app.inject(url)).payload).length, 1, url);
  });
  t.test('an outdated text is never shown, and never cached as the new one', async (t) => {
    await query("update item set contenu = '<p>Un texte nouveau.</p>', version = version + 1 where id = $1", [lesson.id]);
    await indexItem(home.kernel.fork(), lesson.id);
    const isNew = async (when: string) => {
      t.match((await visit(app, study, learner.session)).body, 'Un texte nouveau.', `the page ${when}`);
      t.match((await text()).body, 'Un texte nouveau.', `the text loaded later ${when}`);
      t.match(await kept(), 'Un texte nouveau.', `the offline texts ${when}`);
    };
    await isNew('while the replica has the old one');
    await resume();
    await caughtUp();
    await isNew('afterwards');
    t.match((await search('nouveau')).body, /<mark>nouveau</);
    await pause();
  });
  t.test('administrators see current public pages, and after a change by the process its visitors do too', async (t) => {
    t.same(await names(home), ['Sages-femmes', 'ENAM']);
    await query("update prepa set nom = 'Infirmiers', version = version + 1 where id = $1", [prepa.id]);
    t.same(await names(home, administrator.session), ['Infirmiers', 'ENAM']);
    t.same(await names(home), ['Sages-femmes', 'ENAM'], 'visitors still see the earlier name');
    const toggle = { method: 'PUT', url: `/api/prepas/${fresh}/toggle-publish`, session: administrator.session } as const;
    t.equal((await call(app, toggle)).statusCode, 200);
    t.same(await names(home), ['Infirmiers'], 'this process reads its own change');
  });
  t.test('access begins and ends without delay', async (t) => {
    await resume();
    await caughtUp();
    await until(async () => {
      const before = await readsOf(home);
      await names(home);
      return (await readsOf(home)) > before;
    });
    await pause();
    await query("update enrolment set statut = 'cancelled'");
    t.equal((await visit(app, study, learner.session)).statusCode, 303);
    t.equal((await text()).statusCode, 403);
    t.notMatch((await search('budget')).body, 'Un texte');
    t.match(
      await app.inject({ url: `/api/lecons/${lesson.id}`, headers: { cookie: learner.session } }),
      { statusCode: 200 },
      'the trial includes this lesson',
    );
    const other = await createLearner(home);
    await createEnrolment(home, other, prepa, 10);
    t.equal((await visit(app, study, other.session)).statusCode, 200);
    t.match((await visit(app, '/user/recherche?q=budget', other.session)).body, 'Le budget');
    await query('delete from session where user_id = $1', [other.id]);
    t.equal((await visit(app, study, other.session)).statusCode, 303, 'an ended session has no access');
    await query("update prepa set nom = 'Autrement'");
    t.notSame(await names(home), ['Autrement'], 'visitors still read from the replica');
  });
});

t.test('a late or unreachable replica is not used, and is used again after its recovery', async (t) => {
  const home = await openSite(t, 1_000);
  const { databaseUrl } = home;
  await createPrepa(home, { nom: 'Avant' });
  await caughtUp();
  await until(() => isRead(home));
  t.same(await names(home), ['Avant']);
  const rename = (nom: string) => sql(databaseUrl, 'update prepa set nom = $1', [nom]);

  await pause();
  await rename('En retard');
  t.same(await names(home), ['Avant']);
  await until(async () => (await names(home))[0] === 'En retard');
  t.not(await isRead(home), true, 'the late replica is not used');
  await resume();
  await until(() => isRead(home));
  t.ok(Number(await metric(home, 'prepa_database_replica_lag_seconds')) < 1);

  let over = false;
  const asking = (async () => {
    const waits: number[] = [];
    for (; !over; ) {
      const began = performance.now();
      if ((await names(home))[0] !== 'En retard') throw new Error('a response without the current catalogue');
      waits.push(performance.now() - began);
    }
    return Math.max(...waits);
  })();
  await standby.kill();
  await until(async () => !(await isRead(home)));
  await standby.start();
  await until(() => isRead(home));
  over = true;
  const longest = await asking;
  t.ok(longest < 2_500, `the slowest response took ${longest} ms`);
});

/** Returns doctor's lines about the replicas. */
const lookAt = async (kernel: Kernel) => (await runChecks(kernel.config.databaseReplicas.urls.map(replica), kernel)).lines;

t.test('a server that is not a replica of this primary is not used', async (t) => {
  const { url: other } = await createTestDatabase(t);
  const home = await openSite(t, 600_000, (url) => [url, asRole(other, 'web')]);
  const { payload } = await home.app.inject({ url: '/metrics', headers: { authorization: `Bearer ${METRICS_TOKEN}` } });
  t.equal(payload.match(/^prepa_database_replica_up\{.*\} 0$/gm)?.length, 2);
  await createPrepa(home, { nom: 'ENS' });
  t.same(await names(home), ['ENS']);
  t.match(await lookAt(home.kernel), [
    { ok: false, detail: "n'est pas une réplique mais une base où l'on écrit : retirez-la de DATABASE_REPLICA_URLS" },
    { ok: false },
  ]);
});

t.test('doctor reports the state of each replica', async (t) => {
  const { kernel, databaseUrl } = await openSite(t, 1_000);
  const look = () => lookAt(kernel);
  t.match(await look(), [{ name: /^Réplique 127\.0\.0\.1:\d+$/, ok: true, detail: /^en lecture seule, à jour à \d+ ms près$/ }]);
  await pause();
  await sql(databaseUrl, 'create table something ()');
  t.match(await look(), [{ ok: true, warning: true, detail: /^en retard de plus de 1000 ms \(\d+ Ko/ }]);
  await resume();
  await standby.kill();
  t.match(await look(), [
    {
      ok: true,
      warning: true,
      detail: /^La réplique est injoignable : vérifiez DATABASE_REPLICA_URLS : le site s'en passe jusque-là/,
    },
  ]);
  await standby.start();
});

t.test('a promoted standby is not used, whatever its content', async (t) => {
  const home = await openSite(t, 600_000);
  await createPrepa(home, { nom: 'ENS' });
  await caughtUp();
  await until(() => isRead(home));
  await sql(standby.url, 'select pg_promote()');
  await sql(standby.at(home.databaseUrl), "update prepa set nom = 'Ailleurs'");
  await until(async () => !(await isRead(home)));
  t.same(await names(home), ['ENS']);
});
