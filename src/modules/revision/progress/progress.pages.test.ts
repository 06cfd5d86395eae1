import { randomUUID } from 'node:crypto';
import t from 'tap';
import { createTestApp, visit } from '../../../../test/support/app.ts';
import { createDiscipline, createEnrolment, createItem, createLearner, createPrepa } from '../../../../test/support/factories.ts';
import { numberQuestion } from '../../../../test/support/questions.ts';
import { sql } from '../../../../test/support/sql.ts';
import { dayIn, dayMs } from '../../../shared/dates.ts';

const home = await createTestApp(t);
const { app, clock, databaseUrl } = home;

const prepa = await createPrepa(home, { nom: 'ENS' });
const discipline = await createDiscipline(home, prepa.id);
const ids = Array.from({ length: 20 }, (_, index) => `known${String(index).padStart(7, '0')}`);
await createItem(home, discipline.id, { titre: 'Suites', contenu: ids.map((id, index) => numberQuestion(id, String(index))).join('') });

const answer = (learner: { id: string }, id: string | undefined, daysAgo: number, right: boolean, seconds: number | null = 30) =>
  sql(
    databaseUrl,
    `insert into answer (user_id, cle, question_id, key_version, item_version, context, given, is_right, points, answered_at, seconds)
     values ($1, $2, $3, 1, 1, 'session', '{"typed": "1"}', $4, 1, $5, $6)`,
    [learner.id, randomUUID(), id, right, new Date(clock.now().getTime() - daysAgo * dayMs), seconds],
  );
async function reader() {
  const learner = await createLearner(home);
  await createEnrolment(home, learner, prepa, 30);
  const page = async () =>
    (await visit(app, '/user/progression', learner.session)).body.replaceAll(/<style>[^<]*<\/style>|<[^>]*>/g, ' ').replaceAll(/\s+/g, ' ');
  return { learner, page };
}

t.test('no figure before there are answers', async (t) => {
  const { page } = await reader();
  const text = await page();
  t.match(text, 'Pas encore de réponse.');
  t.notMatch(text, '%');
});

t.test('questions are solid after right answers on several days, fragile after a wrong one, or unseen', async (t) => {
  const { learner, page } = await reader();
  for (const id of ids.slice(0, 4)) for (const days of [25, 20, 12, 3]) await answer(learner, id, days, true);
  for (const id of ids.slice(4, 7)) await answer(learner, id, 1, false);
  t.match(await page(), 'Suites 4 3 13');
  t.match(await page(), '4 solides, 3 fragiles, 13 pas vues');
  t.notMatch(await page(), 'Si vous vous arrêtez', 'seven answered questions tell too little');
});

t.test('forecasts are ranges, and studying on promises more than stopping', async (t) => {
  const { learner, page } = await reader();
  for (const id of ids.slice(0, 12)) {
    await answer(learner, id, 8, true);
    await answer(learner, id, 3, Number(id.slice(-1)) % 3 > 0);
  }
  const text = await page();
  const [, stopping = ''] = /Si vous vous arrêtez ([\d à]+) %/.exec(text) ?? [];
  const [, studying = ''] = /Avec 15 minutes par jour ([\d à]+) %/.exec(text) ?? [];
  const [low = 0, high = 0] = stopping.split(' à ').map(Number);
  t.ok(low > 0 && low < high && high < 60, `${stopping} of 20 questions, 12 of them seen`);
  const [least = 0, most = 0] = studying.split(' à ').map(Number);
  t.ok(least > low && most > high, `${studying} with 15 minutes a day`);
});

t.test('the calendar, the run of days and the time are those of the answers', async (t) => {
  const { learner, page } = await reader();
  // One missed day within the run, which is forgiven; the day before it belongs to no run.
  for (const days of [0, 1, 2, 4, 5, 9]) for (const id of ids.slice(0, 3)) await answer(learner, id, days, true, 60);
  await answer(learner, ids[5], 5, true, null);
  const text = await page();
  t.match(text, '5 jours de suite');
  t.match(text, '18 min de questions');
  const html = (await visit(app, '/user/progression', learner.session)).body;
  t.equal(html.match(/calendar__day calendar__day--[1-3]/g)?.length, 6, 'six days of study');
});

t.test('after the end of the access the page says so and offers the renewal', async (t) => {
  const learner = await createLearner(home);
  await createEnrolment(home, learner, prepa, -3);
  await answer(learner, ids[0], 5, true);
  const page = (await visit(app, '/user/progression', learner.session)).body;
  t.match(page, 'Votre accès à cette préparation a pris fin.');
  t.match(page, `href="/user/dashboard?paiement=${prepa.id}">Renouveler`);
  t.notMatch(page, 'Pas encore de progression');

  const other = await createPrepa(home, { nom: 'ENAM' });
  const otherDiscipline = await createDiscipline(home, other.id);
  await createItem(home, otherDiscipline.id, { contenu: numberQuestion('otherprepa01', '1') });
  await createEnrolment(home, learner, other, 30);
  const open = (await visit(app, '/user/progression', learner.session)).body;
  t.match(open, '<strong>ENAM</strong>', 'an open prepa comes first');
  t.match(open, `href="/user/seance?prepa=${other.id}">Séance du jour</a>`, 'and the session is of that prepa');
  t.match((await visit(app, `/user/progression?prepa=${prepa.id}`, learner.session)).body, 'a pris fin.', 'unless the other is asked for');
});

t.test('solid means until the day of the concours only when that day is known and to come', async (t) => {
  const { learner, page } = await reader();
  await answer(learner, ids[0], 1, true);
  const setDay = (daysFromNow: number) =>
    sql(
      databaseUrl,
      `insert into study_plan (user_id, prepa_id, choice, day, minutes) values ($1, $2, 'own', $3, 15)
       on conflict (user_id, prepa_id) do update set day = excluded.day`,
      [learner.id, prepa.id, dayIn(new Date(clock.now().getTime() + daysFromNow * dayMs))],
    );
  t.match(await page(), 'Solide : vous devriez encore le savoir dans 7 jours.');
  await setDay(10);
  t.match(await page(), 'Solide : vous devriez encore le savoir le jour du concours.');
  await setDay(-1);
  t.match(await page(), 'Solide : vous devriez encore le savoir dans 7 jours.');
});
