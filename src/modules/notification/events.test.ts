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
import { dayMs, formatDate, startOfDay } from '../../shared/dates.ts';
import { announceEnds, countEndsToAnnounce, expireEnrolments, withdrawDays } from '../enrolment/index.ts';
import type { Verification } from '../payment/contract/provider.ts';
import { settlePayment } from '../payment/index.ts';
import { providersOf } from '../payment/providers/provider.registry.ts';

// Learners' notifications about events of the other modules.

const home = await createTestApp(t, { ZITOPAY_BASE_URL: 'http://127.0.0.1:9' });
const { app, kernel, clock, databaseUrl } = home;
const hourMs = 3_600_000;

const told = (learner: TestLearner) =>
  sql<{ message: string; key: string; lu: boolean; date_creation: Date }>(
    databaseUrl,
    'select message, key, lu, date_creation from notification where user_id = $1 order by id',
    [learner.id],
  );
const messages = async (learner: TestLearner) => (await told(learner)).map(({ message }) => message);

t.test('an end is announced 7, 3 and 1 calendar days ahead, and when it is reached', async (t) => {
  const prepa = await createPrepa(home, { nom: 'ENS & <b>' });
  // The command runs at 6 in the morning in Douala. Both ends are on the ninth day, soon after midnight and shortly before the next.
  const start = startOfDay(clock.now(), 1).getTime() + 6 * hourMs;
  clock.advance(start - clock.now().getTime());
  const [early, late] = [await createLearner(home), await createLearner(home)];
  const enrolments = [await createEnrolment(home, early, prepa, 8 - 5 / 24), await createEnrolment(home, late, prepa, 8 + 17 / 24)];
  const announced: number[] = [];
  for (let day = 0; day < 11; day += 1) {
    await expireEnrolments(kernel.fork(), clock.now());
    const planned = await countEndsToAnnounce(kernel.fork(), clock.now());
    announced.push(await announceEnds(kernel.fork(), kernel.context));
    t.equal(announced.at(-1), planned, `day ${day}: as many as the dry run says`);
    clock.advance(dayMs);
  }
  t.same(announced, [0, 2, 0, 0, 0, 2, 0, 2, 1, 1, 0]);
  for (const [index, learner] of [early, late].entries()) {
    const rows = await told(learner);
    const keys = rows.map(({ key, date_creation }) => [
      /^rappel:(\d+):.*:(\d)$/.exec(key)?.slice(1).map(Number),
      (date_creation.getTime() - start) / dayMs,
    ]);
    const enrolment = enrolments[index];
    t.same(keys, [
      [[enrolment, 7], 1],
      [[enrolment, 3], 5],
      [[enrolment, 1], 7],
      [[enrolment, 0], 8 + index],
    ]);
    const end = formatDate(new Date(start + 8 * dayMs));
    const link = `<a href="/user/prepa/${prepa.id}"><strong>ENS &amp; &lt;b&gt;</strong></a>`;
    const renew = `<a href="/user/dashboard?paiement=${prepa.id}">Renouveler</a>`;
    for (const [row, when] of ['dans 7 jours', 'dans 3 jours', 'demain'].entries()) {
      t.equal(
        rows[row]?.message,
        `Votre accès à ${link} prend fin ${when}, le ${end}. Renouvelé avant, il est prolongé de 30 jours. ${renew}`,
      );
    }
    t.equal(rows[3]?.message, `Votre accès à <strong>ENS &amp; &lt;b&gt;</strong> a pris fin le ${end}. ${renew}`);
  }
});

t.test('after missed runs only the nearest end is announced, and a cancelled enrolment is not announced', async (t) => {
  const prepa = await createPrepa(home);
  const [late, ended, cancelled] = [await createLearner(home), await createLearner(home), await createLearner(home)];
  const missed = await createLearner(home);
  await createEnrolment(home, missed, prepa, 6);
  await createEnrolment(home, late, prepa, 0.5);
  await createEnrolment(home, ended, prepa, -3);
  await createEnrolment(home, cancelled, prepa, 2, 'cancelled');
  await expireEnrolments(kernel.fork(), clock.now());
  t.equal(await announceEnds(kernel.fork(), kernel.context), 3);
  t.match(await told(missed), [{ key: /:7$/, message: ' dans 6 jours, ' }], 'the message gives the days actually left');
  t.match(await told(late), [{ key: /:1$/, message: " aujourd'hui, " }]);
  t.match((await told(ended))[0]?.key, /:0$/);
  t.same(await told(cancelled), []);
});

t.test('a batch whose notifications cannot be written is not marked as announced', async (t) => {
  const learner = await createLearner(home);
  await createEnrolment(home, learner, await createPrepa(home), 2);
  await sql(databaseUrl, 'alter table notification rename to notification_away');
  await t.rejects(announceEnds(kernel.fork(), kernel.context));
  await sql(databaseUrl, 'alter table notification_away rename to notification');
  t.equal(await announceEnds(kernel.fork(), kernel.context), 1);
  t.equal((await told(learner)).length, 1);
});

const minute = 60_000;
/** Creates a pending payment, and a function that sets its provider's next answer. */
async function openPayment() {
  const learner = await createLearner(home);
  const prepa = await createPrepa(home, { nom: 'ENAM "1"' });
  const payment = await createPayment(home, learner, prepa, 'pending');
  return {
    learner,
    prepa,
    payment,
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
  t.test(`a payment that ends ${reason} is notified once`, async (t) => {
    const { learner, prepa, payment, answer } = await openPayment();
    await answer(reason);
    await answer(reason, 5);
    t.match(await told(learner), [{ key: `paiement:${payment.id}:echec`, lu: false }]);
    t.same(await messages(learner), [
      `Votre paiement pour <strong>ENAM &quot;1&quot;</strong> ${words} : aucun jour d'accès n'a été ajouté. <a href="/user/dashboard?paiement=${prepa.id}">Réessayer</a>`,
    ]);
  });
}

t.test('a payment without outcome after 10 minutes is notified once as late, even if the notification is deleted', async (t) => {
  const { learner, payment, answer } = await openPayment();
  for (const minutes of [1, 2, 3]) await answer('pending', minutes);
  t.same(await messages(learner), [], 'a payment is not notified as late after 6 minutes');
  await answer('pending', 4);
  t.match(await told(learner), [{ key: `paiement:${payment.id}:retard` }]);
  t.match((await messages(learner))[0], /^Votre paiement pour <strong>ENAM &quot;1&quot;<\/strong> n'est pas encore confirmé\. /);
  await sql(databaseUrl, 'delete from notification where user_id = $1', [learner.id]);
  await answer('pending', 10);
  t.same(await messages(learner), []);
});

t.test('an attempt unknown to the provider is not late, and an attempt followed by another is not notified', async (t) => {
  const left = await openPayment();
  await left.answer('not_found', 11);
  t.same(await messages(left.learner), []);
  const first = await openPayment();
  await createPayment(home, first.learner, first.prepa, 'succeeded');
  await first.answer('pending', 11);
  await first.answer('failed', 1);
  t.same(await messages(first.learner), []);
});

t.test('enrolled learners are notified of new contents at most once a day, with their number', async (t) => {
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
  t.same(await messages(learner), [], 'an item without text is not announced');
  await send('PUT', `/${empty.id}`, { titre: 'Vide', contenu: '<p>Un texte.</p>' });
  t.same(await messages(learner), [`1 nouveau contenu dans ${link}.`]);
  await send('PUT', `/${empty.id}`, { titre: 'Vide', contenu: '<p>Un autre texte.</p>' });
  await send('PUT', `/${empty.id}`, { titre: 'Vide', contenu: '' });
  await send('PUT', `/${empty.id}`, { titre: 'Vide', contenu: '<p>Encore.</p>' });
  t.same(await messages(learner), [`1 nouveau contenu dans ${link}.`], 'a changed text is not announced');

  await sql(databaseUrl, 'update notification set lu = true where user_id = $1', [learner.id]);
  // Two items are created concurrently, in two disciplines.
  await Promise.all([first, second].map(({ id }) => send('POST', '', { titre: 'Suites', contenu: '<p>Texte</p>', discipline_id: id })));
  const grouped = await told(learner);
  t.same(
    grouped.map(({ message, lu }) => [message, lu]),
    [[`3 nouveaux contenus dans ${link}.`, true]],
    'a read notification is updated with the new count and stays read',
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

/** Deletes all notifications of a learner, with the panel's call. */
async function deleteAll(learner: TestLearner): Promise<void> {
  const ask = (method: 'GET' | 'DELETE', path = '') =>
    call(app, { method, url: `/api/users/notifications${path}`, session: learner.session });
  for (const { id } of (await ask('GET')).json<{ id: number }[]>()) {
    const answer = await ask('DELETE', `/${id}`);
    if (answer.statusCode !== 200) throw new Error(answer.body);
  }
}
const listed = async ({ session }: TestLearner) =>
  (await call(app, { url: '/api/users/notifications', session })).json<{ message: string }[]>().map(({ message }) => message);

t.test('a deleted notification of new contents is not sent again that day', async (t) => {
  const administrator = await createAdministrator(home);
  const prepa = await createPrepa(home, { nom: 'ENSET' });
  const discipline = await createDiscipline(home, prepa.id);
  const learner = await createLearner(home);
  await createEnrolment(home, learner, prepa);
  const publish = async () => {
    const payload = { titre: 'Suites', contenu: '<p>Texte</p>', discipline_id: discipline.id };
    const answer = await call(app, { method: 'POST', url: '/api/lecons', session: administrator.session, payload });
    t.equal(answer.statusCode, 201, answer.body);
  };
  const link = `<a href="/user/prepa/${prepa.id}"><strong>ENSET</strong></a>`;
  await publish();
  t.same(await listed(learner), [`1 nouveau contenu dans ${link}.`]);
  await deleteAll(learner);
  await publish();
  t.same(await listed(learner), []);
  t.same((await call(app, { url: '/api/users/notifications/unread', session: learner.session })).json(), { unread: 0 });
  clock.advance(dayMs);
  administrator.session = (await createAdministrator(home)).session;
  await publish();
  t.same(await listed(learner), [`1 nouveau contenu dans ${link}.`], 'on the next day it is sent again');
});

t.test('a deleted reminder is not sent again, even when its enrolment has lost the record', async (t) => {
  const learner = await createLearner(home);
  await createEnrolment(home, learner, await createPrepa(home), 2);
  t.equal(await announceEnds(kernel.fork(), kernel.context), 1);
  t.equal((await listed(learner)).length, 1);
  await deleteAll(learner);
  t.equal(await announceEnds(kernel.fork(), kernel.context), 0);
  await sql(databaseUrl, 'update enrolment set announced_days = null where user_id = $1', [learner.id]);
  await announceEnds(kernel.fork(), kernel.context);
  t.same(await listed(learner), []);
});

t.test('days withdrawn by the support are notified with the reason, escaped', async (t) => {
  const [learner, prepa] = [await createLearner(home), await createPrepa(home, { nom: 'ENS' })];
  await createEnrolment(home, learner, prepa, 20);
  const taken = { email: learner.email, prepaId: prepa.id, days: 3, reason: 'compte <partagé>.' };
  await withdrawDays(kernel.fork(), kernel.context, taken);
  const end = formatDate(new Date(clock.now().getTime() + 17 * dayMs));
  t.same(await messages(learner), [
    `Le support a retiré des jours d'accès à <strong>ENS</strong> : vous y avez accès jusqu'au ${end}. Raison : compte &lt;partagé&gt;. <a href="/user/dashboard">Voir mon espace</a>`,
  ]);
});
