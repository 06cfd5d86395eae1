import t, { type Test } from 'tap';
import { createTestApp, visit } from '../../../../test/support/app.ts';
import { createAdministrator, createLearner, createPrepa } from '../../../../test/support/factories.ts';
import { sql } from '../../../../test/support/sql.ts';
import { planOf, statementsDuring } from '../../../../test/support/statements.ts';

// What the screen asks of a database with 10,000 payments of 2,000 learners.

const home = await createTestApp(t);
const { app, databaseUrl } = home;
const boss = await createAdministrator(home, 'super_admin');
const prepa = await createPrepa(home);
const learner = await createLearner(home);
await sql(
  databaseUrl,
  `insert into app_user (id, username, email, password_hash, created_at)
   select gen_random_uuid(), 'eleve' || g, 'eleve' || g || '@gmail.com', 'unusable', now() from generate_series(1, 2000) g`,
);
await sql(
  databaseUrl,
  `insert into payment (provider, reference, user_id, prepa_id, prepa_nom, amount, status, provider_transaction_id, payer_phone_last, checks,
                        created_at, updated_at, settled_at)
   select 'zitopay', 'ZP' || g, u.id, $1, 'x', 5000, case when g % 50 = 0 then 'refunded' else 'succeeded' end, 'trx.' || g,
          lpad((g % 10000)::text, 4, '0'), 1, at, at, at
   from generate_series(1, 10000) g join app_user u on u.username = 'eleve' || (1 + g % 2000),
        lateral (select now() - g * interval '1 hour' as at) t`,
  [prepa.id],
);
await sql(
  databaseUrl,
  `insert into payment_event (payment_id, type, actor, from_status, to_status, returned, at)
   select id, 'transition', 'reconciliation', 'succeeded', case when status = 'refunded' then 'refunded' end, case when status = 'refunded' then amount end, updated_at
   from payment`,
);
await sql(databaseUrl, 'analyze payment, payment_event, app_user');

/** The statements that a page sends, in order. */
const statementsOf = (t: Test, url: string) =>
  statementsDuring(async () => t.equal((await visit(app, url, boss.session)).statusCode, 200, url));

t.test('each page sends at most 4 statements', async (t) => {
  const [{ id } = { id: 0 }] = await sql<{ id: number }>(databaseUrl, 'select min(id) as id from payment');
  for (const url of ['/admin/paiements', '/admin/paiements?recherche=0042&prepa=1', `/admin/paiements/${id}`, '/admin/paiements/totaux']) {
    const { length } = await statementsOf(t, url);
    t.ok(length >= 2 && length <= 4, `${url}: ${length}`);
  }
});

t.test('what waits is counted in one statement, and not for those who may not see it', async (t) => {
  const writer = await createAdministrator(home);
  for (const [{ session }, expected] of [
    [boss, 1],
    [writer, 0],
  ] as const) {
    const sent = await statementsDuring(async () => t.equal((await visit(app, '/admin/dashboard', session)).statusCode, 200));
    t.equal(sent.filter(({ text }) => text.includes('from payment')).length, expected);
  }
});

t.test('a search reads by the index of what was typed', async (t) => {
  const searches: Record<string, RegExp> = {
    ZP77: /^payment_reference_provider_unique$/,
    'trx.77': /^payment_provider_transaction_index$/,
    '0077': /^payment_phone_index$/,
    '677000077': /^payment_phone_index$/,
    'eleve77@gmail.com': /^payment_user_index$/,
    [learner.email]: /^app_user_email_unique$/,
  };
  for (const [typed, index] of Object.entries(searches)) {
    const sent = await statementsOf(t, `/admin/paiements?recherche=${encodeURIComponent(typed)}`);
    const list = sent.find(({ text }) => text.includes('from payment p join app_user u'));
    const plan = await planOf(databaseUrl, list);
    t.notOk(
      plan.some((node) => node['Node Type'] === 'Seq Scan' && node['Relation Name'] === 'payment'),
      `${typed}: not every payment`,
    );
    t.ok(
      plan.some((node) => index.test(node['Index Name'] ?? '')),
      typed,
    );
  }
});

t.test('totals of a day read the payments of that day', async (t) => {
  const today = new Date(Date.now() + 3_600_000).toISOString().slice(0, 10);
  const sent = await statementsOf(t, `/admin/paiements/totaux?du=${today}&au=${today}`);
  const plan = await planOf(
    databaseUrl,
    sent.find(({ text }) => text.includes('grouping sets')),
  );
  const indexes = plan.map((node) => node['Index Name']);
  t.ok(indexes.includes('payment_settled_index'), 'what was settled');
  t.ok(indexes.includes('payment_event_returned_index'), 'what was given back');
});
