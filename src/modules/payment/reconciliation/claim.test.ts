// Slow: it claims among 50,000 payments.
import t, { type Test } from 'tap';
import { TestClock } from '../../../../test/support/app.ts';
import { createTestDatabase } from '../../../../test/support/database.ts';
import { createLearner, createPayment, createPrepa } from '../../../../test/support/factories.ts';
import { sql } from '../../../../test/support/sql.ts';
import { planOf, statementsDuring } from '../../../../test/support/statements.ts';
import { loadConfig } from '../../../config.ts';
import { createKernel } from '../../../kernel.ts';
import { startPayment } from '../attempts/start.service.ts';
import { providersOf } from '../providers/provider.registry.ts';
import { reconcilePayments } from './reconcile.service.ts';

const minute = 60_000;

/** Opens a site whose provider never has an outcome, with `overdue` payments that have not been checked for 3 hours. */
async function openShop(t: Test, overdue: number) {
  const { url: databaseUrl } = await createTestDatabase(t);
  const clock = new TestClock();
  const kernel = await createKernel(loadConfig({ NODE_ENV: 'test', LOG_LEVEL: 'silent' }), { databaseUrl, clock });
  t.teardown(() => kernel.close());
  const home = { kernel, clock, databaseUrl };
  const [learner, prepa] = [await createLearner(home), await createPrepa(home)];
  await createPayment(home, learner, prepa, 'pending');
  await sql(
    databaseUrl,
    `insert into payment (provider, reference, user_id, prepa_id, prepa_nom, amount, status, next_check_at, created_at, updated_at)
     select 'zitopay', 'VIEUX' || n, user_id, prepa_id, prepa_nom, amount, 'pending', at + interval '1 minute', at, at
     from payment, generate_series(1, $1) n, lateral (select $2::timestamptz - interval '3 hours' - n * interval '1 second' as at) t`,
    [overdue, clock.now()],
  );
  await sql(databaseUrl, `delete from payment where reference not like 'VIEUX%'`);
  await sql(databaseUrl, 'analyze payment');
  const providers = providersOf([{ ...kernel.providers.default, verify: async () => ({ kind: 'pending', raw: {} }) }]);
  return {
    ...home,
    start: async () => {
      const input = { learner: await createLearner(home), prepaId: prepa.id, origin: 'http://127.0.0.1:1' };
      return (await startPayment(kernel.fork(), kernel.context, providers, input)).payment;
    },
    reconcile: (options = {}) => reconcilePayments(kernel.fork(), kernel.context, providers, options),
    checked: async (condition: string, values: unknown[] = []) =>
      (await sql<{ n: number }>(databaseUrl, `select count(*)::int as n from payment where checks > 0 and ${condition}`, values))[0]?.n,
  };
}

const large = await openShop(t, 50_000);

t.test('50,000 overdue payments: a new payment is checked first, and old ones are still checked', async (t) => {
  const { start, reconcile, checked, clock } = large;
  const fresh = await start();
  clock.advance(minute);
  t.match(await reconcile({ limit: 20 }), { checked: 20 });
  t.equal(await checked('id = $1', [fresh.id]), 1, 'the new payment is in the first claim');
  for (let pass = 0; pass < 3; pass += 1) await reconcile({ limit: 40 });
  t.equal(
    await checked(`reference = any(array(select 'VIEUX' || n from generate_series(49971, 50000) n))`),
    30,
    'a quarter of each pass goes to payments that have waited longest',
  );
});

t.test('more new payments than a pass holds: payments that have waited longest are still checked', async (t) => {
  const { start, reconcile, checked, clock } = await openShop(t, 30);
  for (let pass = 0; pass < 3; pass += 1) {
    for (let count = 0; count < 20; count += 1) await start();
    clock.advance(minute);
    await reconcile({ limit: 20 });
  }
  t.equal(await checked(`reference like 'VIEUX%'`), 15, '5 old payments are checked per pass');
});

t.test('concurrent runs with 3,000 overdue payments: no payment is claimed twice', async (t) => {
  const { reconcile, databaseUrl } = await openShop(t, 3_000);
  const passes = await Promise.all(Array.from({ length: 4 }, () => reconcile({ limit: 100 })));
  t.same(
    passes.map((counts) => counts.checked),
    [100, 100, 100, 100],
  );
  t.same(await sql(databaseUrl, 'select max(checks) as most, sum(checks)::int as all from payment'), [{ most: 1, all: 400 }]);
});

t.test('a claim reads two indexes, not every payment', async (t) => {
  const { reconcile, databaseUrl } = large;
  // The table of a later year: most payments, including the newest, had their outcome long ago.
  await sql(
    databaseUrl,
    `insert into payment (provider, reference, user_id, prepa_id, prepa_nom, amount, status, created_at, updated_at, settled_at)
     select provider, 'FINI' || id, user_id, prepa_id, prepa_nom, amount, 'failed', created_at + interval '1 day', updated_at, null from payment`,
  );
  await sql(databaseUrl, 'analyze payment');
  const sent = await statementsDuring(() => reconcile({ limit: 20 }));
  const plan = await planOf(
    databaseUrl,
    sent.find(({ name }) => name === 'payment.claim'),
  );
  t.notOk(
    plan.some((node) => node['Node Type'] === 'Seq Scan' && node['Relation Name'] === 'payment'),
    'the claim does not scan the table',
  );
  const indexes = plan.map((node) => node['Index Name']);
  t.ok(indexes.includes('payment_followed_index'), 'an index finds the newest payments');
  t.ok(indexes.includes('payment_due_index'), 'an index finds the payments due for longest');
});
