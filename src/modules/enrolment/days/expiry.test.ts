import t, { type Test } from 'tap';
import { TestClock } from '../../../../test/support/app.ts';
import { createTestDatabase } from '../../../../test/support/database.ts';
import { createEnrolment, createLearner, createPrepa } from '../../../../test/support/factories.ts';
import { sql } from '../../../../test/support/sql.ts';
import { loadConfig } from '../../../config.ts';
import { createKernel } from '../../../kernel.ts';
import { expireEnrolments } from '../index.ts';

/** Opens `ended` enrolments with a past end, one running and one cancelled, each of another learner. */
async function openHome(t: Test, ended: number) {
  const { url: databaseUrl } = await createTestDatabase(t);
  const clock = new TestClock();
  const kernel = await createKernel(loadConfig({ NODE_ENV: 'test', LOG_LEVEL: 'silent' }), { databaseUrl, clock });
  t.teardown(() => kernel.close());
  const home = { kernel, clock };
  const prepa = await createPrepa(home);
  for (let count = 0; count < ended; count += 1) await createEnrolment(home, await createLearner(home), prepa, -1 - count);
  await createEnrolment(home, await createLearner(home), prepa, 1);
  await createEnrolment(home, await createLearner(home), prepa, -1, 'cancelled');
  return {
    ...home,
    databaseUrl,
    prepa,
    expire: (options?: { dryRun: boolean }) => expireEnrolments(kernel.fork(), clock.now(), options),
    counts: async () =>
      Object.fromEntries(
        (await sql<{ statut: string; n: number }>(databaseUrl, 'select statut, count(*)::int as n from enrolment group by 1')).map(
          ({ statut, n }) => [statut, n],
        ),
      ),
  };
}

t.test('ended enrolments are marked and counted, others are left alone', async (t) => {
  const { expire, counts } = await openHome(t, 3);
  t.equal(await expire(), 3);
  t.same(await counts(), { active: 1, expired: 3, cancelled: 1 });
  t.equal(await expire(), 0, 'a second run ends no further enrolment');
  t.same(await counts(), { active: 1, expired: 3, cancelled: 1 });
});

t.test('an end at this instant has passed', async (t) => {
  const { expire, clock } = await openHome(t, 0);
  clock.advance(24 * 3_600_000 - 1);
  t.equal(await expire(), 0);
  clock.advance(1);
  t.equal(await expire(), 1);
});

t.test('a dry run counts and changes nothing', async (t) => {
  const { expire, counts } = await openHome(t, 2);
  t.equal(await expire({ dryRun: true }), 2);
  t.same(await counts(), { active: 3, cancelled: 1 });
});

t.test('concurrent runs count each enrolment once', async (t) => {
  const { expire, counts } = await openHome(t, 20);
  const marked = await Promise.all(Array.from({ length: 4 }, () => expire()));
  t.equal(
    marked.reduce((sum, count) => sum + count),
    20,
  );
  t.match(await counts(), { expired: 20 });
});

t.test('a concurrent renewal wins over the run', async (t) => {
  const { kernel, expire, counts, databaseUrl, clock } = await openHome(t, 1);
  // The renewal holds the row lock, uncommitted, when the run starts.
  const em = kernel.fork();
  await em.begin();
  await em.execute(`update enrolment set date_expiration = ? where statut = 'active' and date_expiration < ?`, [
    new Date(clock.now().getTime() + 1_000_000),
    clock.now(),
  ]);
  const run = expire();
  let waits = false;
  while (!waits) {
    waits =
      (await sql(databaseUrl, `select 1 from pg_stat_activity where datname = current_database() and wait_event_type = 'Lock'`)).length > 0;
  }
  await em.commit();
  t.equal(await run, 0);
  t.same(await counts(), { active: 2, cancelled: 1 });
});

t.test('one statement for any number of enrolments', async (t) => {
  const { kernel, expire } = await openHome(t, 5);
  const pool = await kernel.orm.em.getConnection().getNativeClient();
  const texts: string[] = [];
  const client = await pool.connect();
  const prototype = Object.getPrototypeOf(client);
  client.release();
  const query = prototype.query;
  prototype.query = function watched(this: unknown, ...args: [string | { text: string }]) {
    texts.push(typeof args[0] === 'string' ? args[0] : args[0].text);
    return query.apply(this, args);
  };
  await expire();
  prototype.query = query;
  t.equal(texts.length, 1, texts.join('\n'));
  t.match(texts[0], /^update "enrolment"/);
});
