import t from 'tap';
import { createTestApp } from '../../../../test/support/app.ts';
import { createLearner, createPayment, createPrepa } from '../../../../test/support/factories.ts';
import { wrongTotals } from '../../../../test/support/payment-totals.ts';
import { holding, sql, untilBlocked } from '../../../../test/support/sql.ts';
import { pagesRead, planOf, rowsRead, statementsDuring } from '../../../../test/support/statements.ts';
import { paymentTotals } from './totals.repository.ts';

const home = await createTestApp(t);
const { kernel, databaseUrl } = home;
const learner = await createLearner(home);

/** Payments and refunds of 400 days, some of them for deleted prepas. */
await sql(
  databaseUrl,
  `insert into prepa (nom, description, prix, is_published, created_at, updated_at) select 'Prépa ' || n, 'x', 1000, true, now(), now() from generate_series(1, 70) n`,
);
await sql(
  databaseUrl,
  `insert into payment (provider, reference, user_id, prepa_id, prepa_nom, amount, status, created_at, updated_at, settled_at)
   select case when n % 3 = 0 then 'notchpay' else 'zitopay' end, 'ZPT' || n, $1, p.id, p.nom, 1000 + n, 'succeeded', at, at, case when n % 7 > 0 then at end
   from generate_series(1, 3000) n cross join lateral (select timestamptz '2025-01-01 00:00:00+01' + n * interval '193 minutes' as at) d
        join prepa p on p.nom = 'Prépa ' || (1 + n * n % 70)`,
  [learner.id],
);
await sql(
  databaseUrl,
  `insert into payment_event (payment_id, type, actor, returned, at)
   select id, 'refund', 'reconciliation', 100 + k, created_at + k * interval '9 days' from payment, generate_series(1, 2) k where id % 5 = 0`,
);

t.test('the stored totals are the sums over payments and refunds', async (t) => {
  t.same(await wrongTotals(databaseUrl), []);
  await sql(
    databaseUrl,
    `update payment set settled_at = created_at + interval '40 days', provider = 'zitopay', amount = amount + 1 where id % 11 = 0 and id % 5 > 0`,
  );
  await sql(databaseUrl, `update payment set settled_at = null where id % 13 = 0 and id % 5 > 0`);
  t.same(await wrongTotals(databaseUrl), [], 'totals are right after corrections');
  await sql(databaseUrl, `delete from prepa where nom in ('Prépa 1', 'Prépa 2')`);
  t.same(await wrongTotals(databaseUrl), [], 'totals are right for deleted prepas');
  const [before] = await sql(
    databaseUrl,
    `select json_agg(t order by day, provider) as rows from payment_day_total t where received <> 0 or refunded <> 0`,
  );
  await sql(databaseUrl, `select recount_payment_totals('2024-12-01', '2027-01-01')`);
  const [after] = await sql(databaseUrl, `select json_agg(t order by day, provider) as rows from payment_day_total t`);
  t.same(after, before, 'a recount changes nothing');
  t.same(await wrongTotals(databaseUrl), []);
});

t.test('the totals of any period equal the sums of its payments and refunds', async (t) => {
  const periods = [
    ['2025-01-01', '2025-01-01'],
    ['2025-03-01', '2025-03-31'],
    ['2025-03-02', '2025-03-31'],
    ['2025-03-01', '2025-03-30'],
    ['2025-02-15', '2025-03-14'],
    ['2025-02-15', '2025-06-14'],
    ['2025-01-01', '2026-01-01'],
    ['2024-12-31', '2025-12-31'],
    ['2030-01-01', '2030-02-01'],
  ] as const;
  for (const [du, au] of periods) {
    const { total, days, prepas, otherPrepas, providers } = await paymentTotals(kernel.fork(), { du, au });
    const [expected] = await sql(
      databaseUrl,
      `with bounds as (select $1::timestamp at time zone 'Africa/Douala' as since, ($2::timestamp + interval '1 day') at time zone 'Africa/Douala' as until)
       select count(*) filter (where received)::int as received, coalesce(sum(amount) filter (where received), 0)::int as "receivedAmount",
              count(*) filter (where not received)::int as refunded, coalesce(sum(amount) filter (where not received), 0)::int as "refundedAmount"
       from (select settled_at as at, amount, true as received from payment where settled_at is not null
             union all select e.at, e.returned, false from payment_event e join payment p on p.id = e.payment_id
             where e.returned is not null and p.settled_at is not null) m, bounds
       where at >= since and at < until`,
      [du, au],
    );
    t.same(total, expected, `${du} to ${au}`);
    for (const rows of [days, [...prepas, ...(otherPrepas ? [otherPrepas] : [])], providers]) {
      t.equal(
        rows.reduce((sum, { receivedAmount, refundedAmount }) => sum + receivedAmount - refundedAmount, 0),
        total.receivedAmount - total.refundedAmount,
        'each table adds up to the total',
      );
    }
    t.ok(prepas.length <= 50);
  }
});

t.test('many prepas are read by pages, each once', async (t) => {
  const period = { du: '2025-01-01', au: '2025-12-31' };
  const all = await paymentTotals(kernel.fork(), period);
  const read: { prepaId: number | null; receivedAmount: number }[] = [];
  let after: number | null = 0;
  for (let page = 0; after !== null && page < 10; page += 1) {
    const { prepas, next, total }: Awaited<ReturnType<typeof paymentTotals>> = await paymentTotals(kernel.fork(), { ...period, after });
    t.ok(prepas.length <= 20);
    t.same(total, all.total);
    read.push(...prepas);
    after = next;
  }
  t.equal(new Set(read.map(({ prepaId }) => prepaId)).size, read.length);
  t.equal(read.length, 68, 'the pages list all existing prepas');
  const first = all.prepas.find(({ prepaId }) => prepaId !== null);
  t.equal(read.find(({ prepaId }) => prepaId === first?.prepaId)?.receivedAmount, first?.receivedAmount);
});

t.test('a page of prepas reads one row per span of the period, not one per day', async (t) => {
  await sql(
    databaseUrl,
    `insert into payment_prepa_total (span, start, prepa_id, prepa_nom, received, received_amount)
     select 'day', day, id, nom, 1, 1000 from generate_series(date '2028-01-02', date '2028-12-30', interval '1 day') day, prepa order by day, id`,
  );
  await sql(
    databaseUrl,
    `insert into payment_prepa_total (span, start, prepa_id, prepa_nom, received, received_amount)
     select s.span, s.start, id, nom, count(*), 1000 * count(*)
     from generate_series(date '2028-01-02', date '2028-12-30', interval '1 day') day, prepa,
          lateral (values ('third', date_trunc('month', day)::date + 10 * least((extract(day from day)::int - 1) / 10, 2)),
                          ('month', date_trunc('month', day)::date), ('term', date_trunc('quarter', day)::date)) s (span, start)
     group by 1, 2, 3, 4 order by 1, 2, 3`,
  );
  await sql(databaseUrl, 'vacuum analyze payment_prepa_total');
  for (const [du, au, days, spans, most] of [
    ['2028-01-05', '2028-02-03', 30, 11, 200],
    ['2028-01-02', '2028-12-30', 364, 29, 300],
  ] as const) {
    let prepas: unknown[] = [];
    const [statement] = await statementsDuring(async () => {
      ({ prepas } = await paymentTotals(kernel.fork(), { du, au, after: 0 }));
    });
    t.equal(prepas.length, 20);
    t.match(prepas[0], { received: days, receivedAmount: days * 1000, refunded: 0, refundedAmount: 0 });
    const plan = await planOf(databaseUrl, statement, { run: true });
    const read = rowsRead(plan, 'payment_prepa_total');
    // Includes the first prepa of the next page.
    t.ok(read <= 21 * spans, `${read} rows of ${days} days`);
    t.ok(pagesRead(plan) <= most, `${pagesRead(plan)} pages of ${days} days`);
  }
  await sql(databaseUrl, `delete from payment_prepa_total where start >= '2028-01-01' and start < '2029-01-01'`);
});

t.test('two payments settled concurrently on one day are both counted, and neither blocks the other before its commit', async (t) => {
  const prepa = await createPrepa(home, { nom: 'Au même instant' });
  const [one, other] = [await createPayment(home, learner, prepa, 'pending'), await createPayment(home, learner, prepa, 'pending')];
  const settle = (id: number) => `update payment set status = 'succeeded', settled_at = '2027-05-05T12:00:00Z' where id = ${id}`;
  await holding(databaseUrl, settle(one.id), async () => {
    await sql(databaseUrl, settle(other.id));
  });
  t.same(await wrongTotals(databaseUrl), []);
  const { total } = await paymentTotals(kernel.fork(), { du: '2027-05-05', au: '2027-05-05' });
  t.equal(total.received, 2);
});

t.test('a payment settled during a recount of its month waits for it, and is counted once', async (t) => {
  const prepa = await createPrepa(home, { nom: 'Pendant le comptage' });
  const { id } = await createPayment(home, learner, prepa, 'pending');
  let settled: Promise<unknown> | undefined;
  await holding(databaseUrl, `select recount_payment_totals('2027-06-01', '2027-07-01')`, async () => {
    settled = sql(databaseUrl, `update payment set status = 'succeeded', settled_at = '2027-06-05T12:00:00Z' where id = ${id}`);
    await untilBlocked(databaseUrl, 1);
  });
  await settled;
  t.same(await wrongTotals(databaseUrl), []);
});
