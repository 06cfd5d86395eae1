import { parseHTML } from 'linkedom';
import t from 'tap';
import { createTestApp, visit } from '../../../../test/support/app.ts';
import { createAdministrator, createLearner, createPayment, createPrepa } from '../../../../test/support/factories.ts';
import { assertValidHtml } from '../../../../test/support/page-checks.ts';

const home = await createTestApp(t);
const { app, kernel } = home;
const boss = await createAdministrator(home, 'super_admin');
const rows = (text: string, values: unknown[] = []) => kernel.fork().execute(text, values);
const textOf = (element: { textContent: string | null } | null | undefined) => element?.textContent?.replaceAll(/\s+/g, ' ').trim();
async function page(url: string) {
  const { statusCode: status, body: html } = await visit(app, url, boss.session);
  return { status, html, document: parseHTML(html).document };
}

t.test('totals: payments and refunds each on their own day, by prepa and provider', async (t) => {
  const learner = await createLearner(home);
  const [big, small] = [await createPrepa(home, { nom: 'Grande', prix: 20_000 }), await createPrepa(home, { nom: 'Petite', prix: 5_000 })];
  const settle = async (prepa: typeof big, at: string, refundedAt: string | null = null, provider = 'zitopay') => {
    const { id } = await createPayment(home, learner, prepa, 'succeeded');
    await rows('update payment set settled_at = ?, provider = ? where id = ?', [at, provider, id]);
    if (refundedAt) await giveBack(id, prepa.prix, refundedAt);
    return id;
  };
  const giveBack = (id: number, returned: number, at: string) =>
    rows(`insert into payment_event (payment_id, type, actor, returned, at) values (?, 'refund', 'reconciliation', ?, ?)`, [
      id,
      returned,
      at,
    ]);
  // 23:30 UTC is already the next day in Douala.
  await settle(big, '2026-03-01T23:30:00Z');
  await settle(big, '2026-03-02T12:00:00Z', '2026-03-04T12:00:00Z');
  const kept = await settle(small, '2026-03-02T13:00:00Z', null, 'notchpay');
  // Two partial refunds.
  await giveBack(kept, 500, '2026-03-04T14:00:00Z');
  await giveBack(kept, 300, '2026-03-05T14:00:00Z');
  await settle(small, '2026-02-28T12:00:00Z', '2026-03-04T13:00:00Z');
  await settle(small, '2026-03-05T23:00:00Z');
  const { document, html } = await page('/admin/paiements/totaux?du=2026-03-01&au=2026-03-05');
  await assertValidHtml(t, html);
  const tables = [...document.querySelectorAll('table')].map((table) =>
    [...table.querySelectorAll('tbody tr, tfoot tr')].map((row) => [...row.querySelectorAll('th, td')].map(textOf).join(' | ')),
  );
  const total = 'Total | 3 | 45 000 XAF | 4 | 25 800 XAF | 19 200 XAF';
  t.same(tables, [
    [
      '2 mars 2026 | 3 | 45 000 XAF | 0 | 0 XAF | 45 000 XAF',
      '4 mars 2026 | 0 | 0 XAF | 3 | 25 500 XAF | -25 500 XAF',
      '5 mars 2026 | 0 | 0 XAF | 1 | 300 XAF | -300 XAF',
      total,
    ],
    ['Grande | 2 | 40 000 XAF | 1 | 20 000 XAF | 20 000 XAF', 'Petite | 1 | 5 000 XAF | 3 | 5 800 XAF | -800 XAF', total],
    ['ZitoPay | 2 | 40 000 XAF | 2 | 25 000 XAF | 15 000 XAF', 'Notch Pay | 1 | 5 000 XAF | 2 | 800 XAF | 4 200 XAF', total],
  ]);
  const bars = [...document.querySelectorAll('rect')].map((bar) => ['class', 'x', 'y', 'height'].map((name) => bar.getAttribute(name)));
  // Five days of width ten; 60,000 up and 40,000 down, in steps of 20,000, share the height of 100.
  t.same(bars, [
    ['chart__bar chart__bar--received', '11', '15', '45'],
    ['chart__bar chart__bar--refunded', '31', '60', '25.5'],
    ['chart__bar chart__bar--refunded', '41', '60', '0.3'],
  ]);
  t.equal(document.querySelectorAll('[style]').length, 0);
  const labels = (of: string) => [...document.querySelectorAll(`.chart__${of} li`)].map(textOf);
  t.same(labels('amounts'), ['60 000', '40 000', '20 000', '0', '-20 000', '-40 000']);
  t.same(labels('days'), ['1er mars', '2 mars', '3 mars', '4 mars', '5 mars']);
  t.same([...document.querySelectorAll('.headline > div')].map(textOf), [
    'Encaissé45 000 XAF 3 paiements',
    'Rendu25 800 XAF 4 remboursements',
    'Net19 200 XAF',
  ]);
  t.same([...document.querySelectorAll('.chart__key li')].map(textOf), ['Encaissé', 'Remboursé']);
  t.equal(document.querySelector('svg.chart__drawing')?.getAttribute('viewBox'), '0 0 50 100');

  for (const [query, message] of [
    ['du=hier', 'Une date comme 2026-12-31 est attendue.'],
    ['du=2026-03-02&au=2026-03-01', 'La fin doit suivre le début.'],
    ['du=2025-03-01&au=2026-03-02', 'La période compte 367 jours : 366 au plus.'],
  ] as const) {
    const refused = await page(`/admin/paiements/totaux?${query}`);
    t.equal(refused.status, 400, query);
    t.equal(textOf(refused.document.querySelector('.field__error')), message);
    await assertValidHtml(t, refused.html);
  }
  t.equal((await page('/admin/paiements/totaux?du=2025-03-02&au=2026-03-02')).status, 200, 'a period of 366 days is accepted');
});
