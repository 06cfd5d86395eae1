import { tmpdir } from 'node:os';
import { join } from 'node:path';
import t from 'tap';
import { startPayment } from '../src/modules/payment/attempts/start.service.ts';
import type { Verification } from '../src/modules/payment/contract/provider.ts';
import { settlePayment } from '../src/modules/payment/index.ts';
import { providersOf } from '../src/modules/payment/providers/provider.registry.ts';
import { projectRoot } from '../src/platform/settings/project-root.ts';
import { createLearner, createPayment, createPrepa } from '../test/support/factories.ts';
import { startProcess } from '../test/support/process.ts';
import { sql } from '../test/support/sql.ts';
import { runPrepa } from '../test/support/terminal.ts';
import { createWorld } from '../test/support/world.ts';
import { counted } from './commands/payment-texts.ts';

const world = await createWorld(t);
const { databaseUrl, kernel } = world;
const main = join(projectRoot, 'dist/cli/main.js');
// No server listens at this address: every request to the provider fails.
const env = {
  NODE_ENV: 'test',
  DATA_DIR: t.testdir({}),
  DATABASE_URL: databaseUrl,
  ZITOPAY_BASE_URL: 'http://127.0.0.1:9',
  RECONCILE_EVERY_SECONDS: '1',
};

const prepa = (...args: string[]) => runPrepa(args, env);
const statusOf = async (id: number) =>
  (await sql<{ status: string }>(databaseUrl, 'select status from payment where id = $1', [id]))[0]?.status;

async function pay(answer: Verification) {
  const learner = await createLearner(world);
  const shop = await createPrepa(world, { nom: 'ENS Yaoundé' });
  const providers = providersOf([{ ...kernel.providers.default, verify: async () => answer }]);
  const { payment } = await startPayment(kernel.fork(), kernel.context, providers, {
    learner,
    prepaId: shop.id,
    origin: 'http://127.0.0.1:1',
  });
  await settlePayment(kernel.fork(), kernel.context, providers, payment.id, 'reconciliation');
  return { id: payment.id, reference: payment.reference, learner, shop };
}
const paid: Verification = {
  kind: 'succeeded',
  amount: 15_000,
  currency: 'XAF',
  payerPhone: '699123456',
  providerTransactionId: 'trx.7',
  raw: {},
};

t.test('find, show, refund: support finds a payment by its details and refunds it once', async (t) => {
  const { reference, id } = await pay(paid);
  for (const text of [reference, '3456']) {
    const { out } = await prepa('payments', 'find', text, '--json');
    t.same(
      (JSON.parse(out) as { reference: string }[]).map((row) => row.reference),
      [reference],
    );
  }
  t.same(await prepa('payments', 'find', 'rien'), { code: 0, out: 'Aucun paiement ne correspond.\n', error: '' });

  const refund = ['payments', 'refund', reference, '--reason', ' payé deux fois '];
  t.same(await prepa(...refund), { code: 0, out: `${reference} : Remboursement enregistré.\n`, error: '' });
  t.equal(await statusOf(id), 'refunded');
  t.same(await prepa(...refund), { code: 1, out: '', error: "Seul un paiement réussi ou à l'examen peut être remboursé.\n" });
  const { out } = await prepa('payments', 'show', reference);
  t.match(out, /XAF +Remboursé +\d/);
  t.match(out, /\nRemboursé le .* : les jours de ce paiement ont été repris, l'accès a pris fin le .*\.\n/);
  t.match(out, / {2}Décision : Remboursement enregistré, par le terminal, payé deux fois\n/);
  t.match(out, / {2}−30 jours \(repris après remboursement\), ce paiement, par le terminal, payé deux fois, accès jusqu'au /);
  const shown = JSON.parse((await prepa('payments', 'show', 'trx.7', '--json')).out);
  t.match(shown, { reference, status: 'refunded', sentence: /^Remboursé le / });
  t.same(
    shown.access.changes.map(({ days, operator }: { days: number; operator: string | null }) => [days, operator]),
    [
      [30, null],
      [-30, 'terminal'],
    ],
  );
  t.same(await prepa('payments', 'show', 'ZP0'), { code: 1, out: '', error: 'Aucun paiement ne porte cette référence.\n' });
});

t.test('refund --amount: refunds a part of the amount, and a second refund the rest', async (t) => {
  const { reference, id } = await pay(paid);
  const refund = (...amount: string[]) => prepa('payments', 'refund', reference, '--reason', 'geste', '--json', ...amount);
  t.match(await refund('--amount', 'tout'), { code: 2, error: /Un nombre entier de XAF/ });
  t.match(await refund('--amount', '15001'), { code: 1, error: /de 1 à 15000/ });
  t.same(JSON.parse((await refund('--amount', '1500')).out), { id, reference, status: 'succeeded', refundedAmount: 1500 });
  const { out } = await prepa('payments', 'show', reference);
  t.match(out, /Décision : Remboursement partiel enregistré, par le terminal, 1 500 XAF rendus ; geste\n/);
  t.match(await prepa('payments', 'acknowledge', reference, '--reason', 'vu'), {
    code: 1,
    error: "Ce paiement n'a pas de remboursement partiel à regarder.\n",
  });
  t.same(JSON.parse((await refund()).out), { id, reference, status: 'refunded', refundedAmount: 15_000 });
});

t.test('a reconciliation also counts refunds', async (t) => {
  const counts = { checked: 6, succeeded: 1, failed: 1, pending: 1, refunded: 1, review: 1, unanswered: 1 };
  t.match(counted(counts), /^6 paiement\(s\) .* 1 en attente, 1 remboursé\(s\), 1 à examiner, 1 sans réponse du prestataire\.$/);
});

t.test('verify prints the state, review puts a payment under review, and close ends the review', async (t) => {
  const { id, reference } = await pay({ kind: 'pending', raw: {} });
  t.same(await prepa('payments', 'verify', reference), {
    code: 1,
    error: '',
    out: `Le prestataire n'a pas répondu. État du paiement ${reference} : En attente.\n`,
  });
  t.match(await prepa('payments', 'close', reference, '--reason', 'x'), {
    code: 1,
    error: "Seul un paiement à l'examen peut être classé.\n",
  });
  t.same(JSON.parse((await prepa('payments', 'review', reference, '--reason', 'x', '--json')).out), { id, reference, status: 'review' });
  t.equal((await prepa('payments', 'close', reference, '--reason', 'aucun débit')).out, `${reference} : Classé sans suite.\n`);
  t.equal(await statusOf(id), 'failed');
});

t.test('totals and export contain the payments of a period', async (t) => {
  const shop = await createPrepa(world, { nom: 'Prépa A', prix: 7_000 });
  const { id, reference } = await createPayment(world, await createLearner(world), shop, 'succeeded');
  await sql(databaseUrl, "update payment set created_at = '2025-03-02T10:00:00Z', settled_at = '2025-03-02T10:00:00Z' where id = $1", [id]);
  const march = ['--du', '2025-03-01', '--au', '2025-03-31'];
  const others = ['--status', 'failed', '--provider', 'notchpay', '--prepa', String(shop.id + 1)];
  const text = await prepa('payments', 'totals', ...march);
  const json = await prepa('payments', 'totals', ...march, '--json');
  const csv = await prepa('payments', 'export', ...march);
  const rows = await prepa('payments', 'export', ...march, '--json');
  t.match(
    text.out,
    /^Du 2025-03-01 au 2025-03-31\n\nJour +Paiements +Encaissé +Remboursements +Rendu +Net\n2025-03-02 +1 +7 000 XAF +0 +0 XAF +7 000 XAF\nTotal +1 /,
  );
  t.match(text.out, /\nPrépa A +1 +7 000 XAF/);
  const total = { received: 1, receivedAmount: 7_000, refunded: 0, refundedAmount: 0 };
  t.match(JSON.parse(json.out), { du: '2025-03-01', au: '2025-03-31', total, providers: [{ provider: 'zitopay', ...total }] });
  t.match(csv.out, new RegExp(`^\ufeffRéférence;.*\r\n${reference};Payé;.*\r\n$`));
  t.match(JSON.parse(rows.out), [{ reference }]);
  const same = ['--status', 'succeeded', '--provider', 'zitopay', '--prepa', String(shop.id)];
  t.match((await prepa('payments', 'list', ...same)).out, new RegExp(`\n${reference} .* Payé +\\d`));
  t.match(JSON.parse((await prepa('payments', 'export', ...march, ...same, '--json')).out), [{ reference }]);
  for (const index of [0, 2, 4]) {
    t.equal(
      (await prepa('payments', 'list', ...same, ...others.slice(index, index + 2))).out,
      'Aucun paiement.\n',
      `narrowed by ${others[index]}`,
    );
  }
});

t.test('grant and withdraw change the days of an enrolment', async (t) => {
  const learner = await createLearner(world);
  const { id } = await createPrepa(world, { nom: 'ENS' });
  const days = (command: string, count: string) =>
    prepa('enrolments', command, '--email', learner.email, '--prepa', String(id), '--days', count, '--reason', 'panne');
  t.match((await days('grant', '10')).out, /^10 jours accordés pour « ENS » : accès jusqu'au \d/);
  t.match((await days('withdraw', '1')).out, /^1 jour retiré pour « ENS » : accès jusqu'au \d/);
  t.equal((await days('withdraw', '366')).out, "366 jours retirés pour « ENS » : l'accès est terminé.\n");
  t.same(await days('withdraw', '1'), { code: 1, out: '', error: "Cet accès est déjà terminé : il n'y a plus de jours à retirer.\n" });
  const changes = await sql(
    databaseUrl,
    'select x.days, x.operator from enrolment_extension x join enrolment e on e.id = x.enrolment_id where e.user_id = $1 order by x.id',
    [learner.id],
  );
  t.same(changes, [
    { days: 10, operator: 'terminal' },
    { days: -1, operator: 'terminal' },
    { days: -366, operator: 'terminal' },
  ]);
});

t.test('reconcile --watch: repeats passes until SIGTERM or SIGINT', async (t) => {
  const { id } = await createPayment(world, await createLearner(world), await createPrepa(world), 'pending');
  const due = () => sql(databaseUrl, 'update payment set next_check_at = now() where id = $1', [id]);
  await due();
  const watcher = await startProcess(t, main, {
    args: ['payments', 'reconcile', '--watch'],
    env,
    cwd: tmpdir(),
    ready: /1 paiement\(s\) vérifié\(s\) : .* 1 sans réponse du prestataire\.\n/,
  });
  const other = await startProcess(t, main, {
    args: ['payments', 'reconcile', '--watch', '--json'],
    env,
    cwd: tmpdir(),
    ready: /"checked":0/,
  });
  await due();
  while (((await sql<{ checks: number }>(databaseUrl, 'select checks from payment where id = $1', [id]))[0]?.checks ?? 0) < 2);
  t.same(await Promise.all([watcher.stop('SIGTERM'), other.stop('SIGINT')]), [0, 0], 'both exit with 0');
});

t.test('totals of many prepas are printed page by page or all at once', async (t) => {
  const shop = await createPrepa(world, { nom: 'Prépa B', prix: 9_000 });
  const { id } = await createPayment(world, await createLearner(world), shop, 'succeeded');
  await sql(databaseUrl, "update payment set settled_at = '2025-05-02T10:00:00Z' where id = $1", [id]);
  await sql(
    databaseUrl,
    `insert into prepa (nom, description, prix, is_published, created_at, updated_at) select 'Autre ' || n, 'x', 1000, true, now(), now() from generate_series(1, 60) n`,
  );
  const may = ['payments', 'totals', '--du', '2025-05-01', '--au', '2025-05-31'];
  const [first, last] = await sql<{ id: number }>(
    databaseUrl,
    `(select id from prepa order by id offset 19 limit 1) union all (select max(id) from prepa)`,
  );
  t.match(
    (await prepa(...may)).out,
    new RegExp(`\nTotal +1 [^]*\n\nD'autres préparations : --after ${first?.id}\\. Celles qui ont reçu le plus : --all\\.\n$`),
  );
  t.match(JSON.parse((await prepa(...may, '--json')).out), { next: first?.id, prepas: { length: 20 }, otherPrepas: null });
  const end = await prepa(...may, '--after', String((last?.id ?? 0) - 1));
  t.match(end.out, /\nAutre 60 +0 /);
  t.notMatch(end.out, '--after');
  const all = JSON.parse((await prepa(...may, '--all', '--json')).out);
  t.match(all, { next: null, prepas: [{ prepaNom: 'Prépa B', received: 1, receivedAmount: 9_000 }] });
});
