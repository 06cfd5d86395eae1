import { Writable } from 'node:stream';
import t, { type Test } from 'tap';
import { createTestApp } from '../../../../../test/support/app.ts';
import { createAdministrator, createDiscipline } from '../../../../../test/support/factories.ts';
import { sql } from '../../../../../test/support/sql.ts';
import { asRole } from '../../../../../test/support/template.ts';
import { siteAddress } from '../../../../../test/support/topology.ts';
import { buildApp } from '../../../../app.ts';
import { createKernel } from '../../../../kernel.ts';
import { createLog } from '../../../../platform/observability/log.ts';
import { publishAllDue } from '../../index.ts';
import type { ItemRow } from '../item.repository.ts';
import { publishMeanwhile } from './publish-loop.ts';

// The passes over planned drafts: a server's own, and that of the command.

const site = await createTestApp(t);
await createAdministrator(site);

/** Creates drafts that have been due for a minute. */
async function createDue(count: number): Promise<number> {
  const { id } = await createDiscipline(site);
  await sql(
    site.databaseUrl,
    `insert into item_draft (id, discipline_id, kind, titre, annee, duree, bareme, contenu, publish_at, saved_at, saved_by)
     select nextval('item_id_seq'), $1, 'course', 'Chapitre ' || n, '', '', '', '<p>Texte.</p>', $2::timestamptz - interval '1 minute', $2, 'Awa'
     from generate_series(1, $3::int) n`,
    [id, site.clock.now().toISOString(), count],
  );
  return id;
}
const titles = async (discipline: number) =>
  (
    await sql<{ titre: string }>(site.databaseUrl, 'select titre from item where discipline_id = $1 order by numero_page', [discipline])
  ).map(({ titre }) => titre);

/** Starts a server with its own passes on the site's database. */
async function startServer(t: Test) {
  const kernel = await createKernel(
    { ...site.kernel.config, publishDrafts: true },
    { databaseUrl: siteAddress(asRole(site.databaseUrl, 'web')), clock: site.clock },
  );
  const app = await buildApp(kernel);
  t.teardown(async () => {
    await app.close();
    await kernel.close();
  });
  return app;
}

t.test('a server publishes planned drafts by itself, and does what follows a save', { timeout: 30_000 }, async (t) => {
  const discipline = await createDue(1);
  const app = await startServer(t);
  const followed = new Promise<ItemRow>((resolve) => {
    app.afterItemSave.push(async (item) => resolve(item));
  });
  await app.ready();
  t.match(await followed, { titre: 'Chapitre 1', disciplineId: discipline, version: 1 });
  t.same(await titles(discipline), ['Chapitre 1']);
});

t.test('a failed pass is logged, the next one publishes; the loop ends on its signal', async (t) => {
  const discipline = await createDue(2);
  const lines: object[] = [];
  const output = new Writable({
    write(line, _encoding, done) {
      lines.push(JSON.parse(String(line)));
      done();
    },
  });
  const stop = new AbortController();
  const passes: object[] = [];
  let isBroken = true;
  await publishMeanwhile(
    () => {
      if (!isBroken) return site.kernel.fork();
      isBroken = false;
      throw new Error('the database restarts');
    },
    { ...site.kernel.context, log: createLog('warn', output) },
    {
      everyMs: 1,
      signal: stop.signal,
      afterEach: () => Promise.reject(new Error('the disk is full')),
      onPass: (counts) => {
        passes.push(counts);
        if (passes.length === 2) stop.abort();
      },
    },
  );
  t.same(passes, [
    { published: 2, refused: 0 },
    { published: 0, refused: 0 },
  ]);
  t.match(lines, [{ level: 'error', alert: 'publication' }, { level: 'warn' }, { level: 'warn' }]);
  t.same(await titles(discipline), ['Chapitre 1', 'Chapitre 2']);
});

t.test('a draft that fails unexpectedly is reported, and keeps no other from its time', async (t) => {
  const discipline = await createDue(3);
  const on = (statement: string) => sql(site.databaseUrl, statement);
  await on(`create function fail_for_test() returns trigger language plpgsql as $$ begin raise exception 'unexpected'; end $$`);
  await on(
    `create trigger fail_for_test before insert on item for each row when (new.titre = 'Chapitre 1') execute function fail_for_test()`,
  );
  await t.rejects(publishAllDue(site.kernel.fork, site.kernel.context), { message: /unexpected/ });
  t.same(await titles(discipline), ['Chapitre 2', 'Chapitre 3']);
  await on('drop function fail_for_test cascade');
  t.same(await publishAllDue(site.kernel.fork, site.kernel.context), { published: 1, refused: 0 }, 'the next pass tries again');
});

t.test('the command publishes all that is due, also more than one pass takes', { timeout: 60_000 }, async (t) => {
  const discipline = await createDue(203);
  t.same(await publishAllDue(site.kernel.fork, site.kernel.context), { published: 203, refused: 0 });
  t.equal((await titles(discipline)).length, 203);
});
