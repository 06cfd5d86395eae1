import t, { type Test } from 'tap';
import { asWritten, createTestApp, visit } from '../../../../test/support/app.ts';
import { createAdministrator, createLearner, createPrepa } from '../../../../test/support/factories.ts';
import { assertValidHtml } from '../../../../test/support/page-checks.ts';
import { holding, sql } from '../../../../test/support/sql.ts';
import { planOf, rowsRead, statementsDuring } from '../../../../test/support/statements.ts';

// Cost of the screen's queries in a database with 10,000 payments of 2,000 learners.

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
// The first request of a session records its use with an additional statement. This page does it before the measured pages.
await visit(app, '/admin/dashboard', boss.session);

/** Returns the statements that a page sends, in order. */
const statementsOf = (t: Test, url: string) =>
  statementsDuring(async () => t.equal((await visit(app, url, boss.session)).statusCode, 200, url));

t.test('each page sends at most 4 statements', async (t) => {
  const [{ id } = { id: 0 }] = await sql<{ id: number }>(databaseUrl, 'select min(id) as id from payment');
  for (const url of ['/admin/paiements', '/admin/paiements?recherche=0042&prepa=1', `/admin/paiements/${id}`, '/admin/paiements/totaux']) {
    const { length } = await statementsOf(t, url);
    t.ok(length >= 2 && length <= 4, `${url}: ${length}`);
  }
});

t.test('waiting payments are counted in one statement, and only for administrators with that permission', async (t) => {
  const writer = await createAdministrator(home);
  for (const [{ session }, expected] of [
    [boss, 1],
    [writer, 0],
  ] as const) {
    const sent = await statementsDuring(async () => t.equal((await visit(app, '/admin/dashboard', session)).statusCode, 200));
    t.equal(sent.filter(({ text }) => text.includes('from payment')).length, expected);
  }
});

t.test('a search uses the index of its kind', async (t) => {
  const searches: Record<string, RegExp> = {
    ZP77: /^payment_reference_provider_unique$/,
    'trx.77': /^payment_provider_transaction_index$/,
    '0077': /^payment_phone_index$/,
    '677000077': /^payment_phone_index$/,
    'eleve77@gmail.com': /^payment_user_index$/,
    [learner.email]: /^app_user_email_(unique|prefix_index)$/,
  };
  for (const [typed, index] of Object.entries(searches)) {
    const sent = await statementsOf(t, `/admin/paiements?recherche=${encodeURIComponent(typed)}`);
    const list = sent.find(({ text }) => text.includes('from payment p join app_user u'));
    const plan = await planOf(databaseUrl, list);
    t.notOk(
      plan.some((node) => node['Node Type'] === 'Seq Scan' && node['Relation Name'] === 'payment'),
      `${typed}: the search does not scan the table`,
    );
    t.ok(
      plan.some((node) => index.test(node['Index Name'] ?? '')),
      typed,
    );
  }
});

t.test('totals read the stored daily sums, and no payments', async (t) => {
  const today = new Date(Date.now() + 3_600_000).toISOString().slice(0, 10);
  for (const query of [`du=${today}&au=${today}`, '', `du=2025-12-01&au=${today}`]) {
    const sent = await statementsOf(t, `/admin/paiements/totaux?${query}`);
    const totals = sent.find(({ name }) => name === 'payment.totals');
    t.ok(totals, query);
    const plan = await planOf(databaseUrl, totals);
    const read = new Set(plan.flatMap((node) => node['Relation Name'] ?? []));
    t.same([...read].sort(), ['payment_day_total', 'payment_prepa_total', 'prepa'], query);
  }
});

t.test('a page of the list reads only its own payments, with any filter', async (t) => {
  const other = await createPrepa(home);
  // An open snapshot keeps new rows from being marked all-visible: no plan may depend on that mark.
  await holding(databaseUrl, 'set transaction isolation level repeatable read', async (also) => {
    await also('select 1');
    await sql(
      databaseUrl,
      `insert into payment (provider, reference, user_id, prepa_id, prepa_nom, amount, status, payer_phone_last, next_check_at, created_at, updated_at)
       select case when g % 3000 = 0 then 'notchpay' else 'zitopay' end, 'ZX' || g, u.id, case when g % 2 = 0 then $1::int else $2::int end, 'x', 5000,
              (array['created', 'pending', 'failed', 'expired', 'failed', 'expired', 'failed', 'expired'])[1 + g % 8], '7777', case when g % 8 < 2 then now() + interval '1 hour' end, at, at
       from generate_series(1, 8000) g join app_user u on u.username = 'eleve' || (1 + g % 2000), lateral (select now() - g * interval '2 hours' as at) t`,
      [prepa.id, other.id],
    );
    await sql(databaseUrl, `update payment set status = 'review' where id % 700 = 0 and status = 'failed'`);
    await sql(databaseUrl, `update payment set next_check_at = now() - interval '1 hour' where next_check_at is not null and id % 20 = 0`);
    await sql(databaseUrl, 'vacuum analyze payment');
  });
  const day = new Date(Date.now() - 300 * 86_400_000).toISOString().slice(0, 10);
  for (const query of [
    '',
    `du=${day}&au=${day}`,
    'etat=review',
    'etat=refunded',
    'etat=cancelled',
    `etat=expired&prepa=${other.id}`,
    `etat=refunded&prepa=${other.id}`,
    `prepa=${other.id}`,
    'prestataire=notchpay',
    'prestataire=inconnu',
    'alerte=anciens',
    'alerte=retard',
    'alerte=rendus',
    'recherche=7777',
    'etat=failed&avant=12000',
  ]) {
    const sent = await statementsOf(t, `/admin/paiements?${query}`);
    const list = sent.find(({ text }) => text.includes('from payment p join app_user u'));
    const read = rowsRead(await planOf(databaseUrl, list, { run: true }), 'payment');
    t.ok(read <= 60, `${query}: ${read} payments`);
  }
});

t.test('payments that need an administrator are counted up to a hundred', async (t) => {
  const sent = await statementsOf(t, '/admin/paiements');
  const around = sent.find(({ name }) => name === 'support.payments-surroundings');
  const read = async () => rowsRead(await planOf(databaseUrl, around, { run: true }), 'payment');
  const atFirst = await read();
  t.ok(atFirst < 300, `${atFirst} payments of 2,000 that are open`);
  // A compact table without all-visible marks, as after a restore.
  await sql(databaseUrl, 'vacuum full payment');
  const packed = await read();
  t.ok(packed < 300, `${packed} payments of 2,000 that are open, in a table as short as can be`);
  const { body } = await visit(app, '/admin/paiements', boss.session);
  t.match(asWritten(body), 'Plus de 100 paiements sans issue depuis plus de 30 minutes');
});

t.test('overdue payments are counted by their index, not by reading all followed payments', async (t) => {
  const sent = await statementsOf(t, '/admin/paiements');
  const around = sent.find(({ name }) => name === 'support.payments-surroundings');
  const plan = await planOf(databaseUrl, around, { generic: true });
  const indexes = plan.map((node) => node['Index Name']);
  t.ok(indexes.includes('payment_due_index'));
  t.notOk(indexes.includes('payment_overdue_index'), 'that index would be read entirely when nothing is overdue');
});

t.test('every alert is counted by its index, also in a compact table', async (t) => {
  const sent = await statementsOf(t, '/admin/paiements');
  const around = sent.find(({ name }) => name === 'support.payments-surroundings');
  const waiting: Record<string, string> = {
    'in review': "status = 'review', next_check_at = null where status in ('created', 'pending')",
    'refunded in part': 'needs_look = true where id in (select id from payment order by id desc limit 2000)',
  };
  for (const [what, change] of Object.entries(waiting)) {
    await sql(databaseUrl, `update payment set ${change}`);
    // The changed rows are at the end of the table, and no page is marked all-visible yet.
    await sql(databaseUrl, 'vacuum (full, analyze) payment');
    const read = rowsRead(await planOf(databaseUrl, around, { run: true }), 'payment');
    t.ok(read < 300, `${what}: ${read} payments`);
  }
});

t.test('with many prepas, the form asks for a number', async (t) => {
  await sql(
    databaseUrl,
    `insert into prepa (nom, description, prix, is_published, created_at, updated_at) select 'Autre ' || n, 'x', 1000, true, now(), now() from generate_series(1, 120) n`,
  );
  const { body } = await visit(app, `/admin/paiements?prepa=${prepa.id}`, boss.session);
  await assertValidHtml(t, body);
  t.match(body, new RegExp(`name="prepa" type="text"[^>]* value="${prepa.id}"`));
  t.equal(body.split('<option').length < 150, true, 'the page lists only some of the prepas');
});
