import t from 'tap';
import { call, createTestApp } from '../../../test/support/app.ts';
import {
  createAdministrator,
  createDiscipline,
  createEnrolment,
  createLearner,
  createPayment,
  createPrepa,
  type TestLearner,
} from '../../../test/support/factories.ts';
import { sql } from '../../../test/support/sql.ts';
import { dayMs } from '../../shared/dates.ts';
import { announceEnds, countEndsToAnnounce, expireEnrolments } from '../enrolment/index.ts';
import { settlePayment } from '../payment/index.ts';
import type { Verification } from '../payment/provider.ts';
import { providersOf } from '../payment/providers.ts';

// What learners are told of what happens in the other modules.

const home = await createTestApp(t, { ZITOPAY_BASE_URL: 'http://127.0.0.1:9' });
const { app, kernel, clock, databaseUrl } = home;

const told = (learner: TestLearner) =>
  sql<{ message: string; key: string; lu: boolean; date_creation: Date }>(
    databaseUrl,
    'select message, key, lu, date_creation from notification where user_id = $1 order by id',
    [learner.id],
  );
const messages = async (learner: TestLearner) => (await told(learner)).map(({ message }) => message);

t.test('an end that comes near is announced 7, 3 and 1 days ahead, and when it has come', async (t) => {
  const prepa = await createPrepa(home, { nom: 'ENS & <b>' });
  const learner = await createLearner(home);
  const start = clock.now();
  const enrolment = await createEnrolment(home, learner, prepa, 7.5);
  const end = new Date(start.getTime() + 7.5 * dayMs).toISOString();
  /** On that day after the start. */
  const run = async (days: number) => {
    clock.advance(start.getTime() + days * dayMs - clock.now().getTime());
    await expireEnrolments(kernel.fork(), clock.now());
    const planned = await countEndsToAnnounce(kernel.fork(), clock.now());
    const announced = await announceEnds(kernel.fork(), kernel.context);
    t.equal(announced, planned, `day ${days}: as many as the dry run says`);
    return announced;
  };
  const announced: number[] = [];
  for (const day of [0, 1, 2, 4, 5, 6, 7, 8, 9]) announced.push(await run(day));
  t.same(announced, [0, 1, 0, 0, 1, 0, 1, 1, 0]);
  const rows = await told(learner);
  t.same(
    rows.map(({ key, date_creation }) => [key, (date_creation.getTime() - start.getTime()) / dayMs]),
    [
      [`rappel:${enrolment}:${end}:7`, 1],
      [`rappel:${enrolment}:${end}:3`, 5],
      [`rappel:${enrolment}:${end}:1`, 7],
      [`rappel:${enrolment}:${end}:0`, 8],
    ],
  );
  t.match(rows[0]?.message, `Votre accès à <a href="/user/prepa/${prepa.id}"><strong>ENS &amp; &lt;b&gt;</strong></a> prend fin dans `);
  t.match(rows[0]?.message, /dans [67] jours, le \d{1,2}(?:er)? \S+ \d{4}\. .*<a href="\/user\/dashboard\?paiement=\d+">Renouveler<\/a>$/);
  t.match(rows[2]?.message, /prend fin (demain|aujourd'hui), le /);
  t.match(rows[3]?.message, /^Votre accès à <strong>ENS &amp; &lt;b&gt;<\/strong> a pris fin le \d{1,2}(?:er)? \S+ \d{4}\. /);
});

t.test('after missed days only the nearest is announced; what was cancelled is not', async (t) => {
  const prepa = await createPrepa(home);
  const [late, ended, cancelled] = [await createLearner(home), await createLearner(home), await createLearner(home)];
  await createEnrolment(home, late, prepa, 0.5);
  await createEnrolment(home, ended, prepa, -3);
  await createEnrolment(home, cancelled, prepa, 2, 'cancelled');
  await expireEnrolments(kernel.fork(), clock.now());
  t.equal(await announceEnds(kernel.fork(), kernel.context), 2);
  t.match((await told(late))[0]?.key, /:1$/);
  t.match((await told(ended))[0]?.key, /:0$/);
  t.same(await told(cancelled), []);
});

t.test('a batch whose notifications cannot be written is not remembered as announced', async (t) => {
  const learner = await createLearner(home);
  await createEnrolment(home, learner, await createPrepa(home), 2);
  await sql(databaseUrl, 'alter table notification rename to notification_away');
  await t.rejects(announceEnds(kernel.fork(), kernel.context));
  await sql(databaseUrl, 'alter table notification_away rename to notification');
  t.equal(await announceEnds(kernel.fork(), kernel.context), 1);
  t.equal((await told(learner)).length, 1);
});

const minute = 60_000;
/** A pending payment, and what its provider answers next. */
async function openPayment() {
  const learner = await createLearner(home);
  const prepa = await createPrepa(home, { nom: 'ENAM "1"' });
  const payment = await createPayment(home, learner, prepa, 'pending');
  return {
    ...{ learner, prepa, payment },
    answer: (kind: 'failed' | 'cancelled' | 'expired' | 'pending' | 'not_found', afterMinutes = 0) => {
      clock.advance(afterMinutes * minute);
      const verify = async (): Promise<Verification> => ({ kind, raw: {} });
      const providers = providersOf([{ ...kernel.providers.default, verify }]);
      return settlePayment(kernel.fork(), kernel.context, providers, payment.id, 'reconciliation');
    },
  };
}

for (const [reason, words] of [
  ['failed', 'a échoué'],
  ['cancelled', 'a été annulé'],
  ['expired', 'a expiré sans être validé'],
] as const) {
  t.test(`a payment that ends ${reason} is told, once`, async (t) => {
    const { learner, prepa, payment, answer } = await openPayment();
    await answer(reason);
    await answer(reason, 5);
    t.match(await told(learner), [{ key: `paiement:${payment.id}:echec`, lu: false }]);
    t.same(await messages(learner), [
      `Votre paiement pour <strong>ENAM &quot;1&quot;</strong> ${words} : aucun jour d'accès n'a été ajouté. <a href="/user/dashboard?paiement=${prepa.id}">Réessayer</a>`,
    ]);
  });
}

t.test('a payment without an outcome after 10 minutes is late, once; deleted, it is not told again', async (t) => {
  const { learner, payment, answer } = await openPayment();
  for (const minutes of [1, 2, 3]) await answer('pending', minutes);
  t.same(await messages(learner), [], 'after 6 minutes the learner still waits');
  await answer('pending', 4);
  t.match(await told(learner), [{ key: `paiement:${payment.id}:retard` }]);
  t.match((await messages(learner))[0], /^Votre paiement pour <strong>ENAM &quot;1&quot;<\/strong> n'est pas encore confirmé\. /);
  await sql(databaseUrl, 'delete from notification where user_id = $1', [learner.id]);
  await answer('pending', 10);
  t.same(await messages(learner), []);
});

t.test('what the provider never saw is not late, and an attempt that another has followed is not told of', async (t) => {
  const left = await openPayment();
  await left.answer('not_found', 11);
  t.same(await messages(left.learner), []);
  const first = await openPayment();
  await createPayment(home, first.learner, first.prepa, 'succeeded');
  await first.answer('pending', 11);
  await first.answer('failed', 1);
  t.same(await messages(first.learner), []);
});

t.test('new contents are told to whoever is enrolled, at most once a day, with their number', async (t) => {
  const administrator = await createAdministrator(home);
  const prepa = await createPrepa(home, { nom: 'Médecine' });
  const [first, second] = [await createDiscipline(home, prepa.id), await createDiscipline(home, prepa.id)];
  const [learner, ended, stranger] = [await createLearner(home), await createLearner(home), await createLearner(home)];
  await createEnrolment(home, learner, prepa);
  await createEnrolment(home, ended, prepa, -1);
  const send = async (method: 'POST' | 'PUT', path: string, payload: object) => {
    const answer = await call(app, { method, url: `/api/lecons${path}`, session: administrator.session, payload });
    t.equal(answer.statusCode, method === 'POST' ? 201 : 200, answer.body);
    return answer.json<{ id: number }>();
  };
  const link = `<a href="/user/prepa/${prepa.id}"><strong>Médecine</strong></a>`;

  const empty = await send('POST', '', { titre: 'Vide', contenu: '', discipline_id: first.id });
  t.same(await messages(learner), [], 'an item without a text is nothing new');
  await send('PUT', `/${empty.id}`, { titre: 'Vide', contenu: '<p>Un texte.</p>' });
  t.same(await messages(learner), [`1 nouveau contenu dans ${link}.`]);
  await send('PUT', `/${empty.id}`, { titre: 'Vide', contenu: '<p>Un autre texte.</p>' });
  await send('PUT', `/${empty.id}`, { titre: 'Vide', contenu: '' });
  await send('PUT', `/${empty.id}`, { titre: 'Vide', contenu: '<p>Encore.</p>' });
  t.same(await messages(learner), [`1 nouveau contenu dans ${link}.`], 'a text that changes is nothing new');

  await sql(databaseUrl, 'update notification set lu = true where user_id = $1', [learner.id]);
  // In two disciplines at once.
  await Promise.all([first, second].map(({ id }) => send('POST', '', { titre: 'Suites', contenu: '<p>Texte</p>', discipline_id: id })));
  const grouped = await told(learner);
  t.same(
    grouped.map(({ message, lu }) => [message, lu]),
    [[`3 nouveaux contenus dans ${link}.`, true]],
    'counted, and still read',
  );
  for (let count = 0; count < 8; count += 1) await send('POST', '', { titre: 'Suites', contenu: '<p>Texte</p>', discipline_id: second.id });
  t.same(await messages(learner), [`11 nouveaux contenus dans ${link}.`]);
  t.same([await messages(ended), await messages(stranger)], [[], []]);

  clock.advance(dayMs);
  const tomorrow = await createAdministrator(home);
  administrator.session = tomorrow.session;
  await send('POST', '', { titre: 'Limites', contenu: '<p>Texte</p>', discipline_id: first.id });
  t.same(await messages(learner), [`11 nouveaux contenus dans ${link}.`, `1 nouveau contenu dans ${link}.`]);
});
