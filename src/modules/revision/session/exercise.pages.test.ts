import { randomUUID } from 'node:crypto';
import t from 'tap';
import { createTestApp, submit, visit } from '../../../../test/support/app.ts';
import { createDiscipline, createEnrolment, createItem, createLearner, createPrepa } from '../../../../test/support/factories.ts';
import { numberQuestion } from '../../../../test/support/questions.ts';
import { sql } from '../../../../test/support/sql.ts';
import { dayMs } from '../../../shared/dates.ts';

// Exercises and past exams in the daily session: chosen by their verdicts, marked on their own page.

const home = await createTestApp(t);
const { app, clock, databaseUrl } = home;

let made = 0;
/** Creates a prepa with two questions, and an exercise that the learner marked five days ago. */
async function world({
  kind = 'exercise',
  duree = 8,
  corrige = '<p>Voilà.</p>',
}: {
  kind?: 'exercise' | 'pastExam';
  duree?: number;
  corrige?: string;
} = {}) {
  const prepa = await createPrepa(home);
  const discipline = await createDiscipline(home, prepa.id);
  const ids = [1, 2].map(() => {
    made += 1;
    return `worked${String(made).padStart(6, '0')}`;
  });
  await createItem(home, discipline.id, { contenu: ids.map((id) => numberQuestion(id, '1')).join('') });
  const exercise = await createItem(home, discipline.id, { kind, titre: 'Suites', duree, corrige });
  const learner = await createLearner(home);
  await createEnrolment(home, learner, prepa, 60);
  const { session } = learner;
  const practise = `/user/prepa/${prepa.id}/${discipline.id}/entrainement`;
  const mark = (verdict: string, more: Record<string, string> = {}) =>
    submit(app, practise, { type: kind, item: String(exercise.id), verdict, ...more }, session);
  await mark('a_revoir');
  clock.advance(5 * dayMs);
  return {
    prepa,
    learner,
    exercise,
    ids,
    practise,
    mark,
    submit: (url: string, form: Record<string, string> = {}) => submit(app, url, form, session),
    page: async (url: string) => (await visit(app, url, session)).body.replaceAll(/<span class="nobreak">([^<]*)<\/span>/g, '$1'),
    go: async (url: string) => String((await visit(app, url, session)).headers.location),
    begin: async () => String((await submit(app, '/user/seance', { prepa: String(prepa.id) }, session)).headers.location),
  };
}

const idOf = (url: string): string => url.slice(url.lastIndexOf('/') + 1);

t.test('an exercise to review is a step of the session, opens its practice and comes back after the verdict', async (t) => {
  const { page, begin, mark, practise, exercise, ids, submit, go } = await world();
  t.match(await page('/user/seance'), '2 questions et 1 exercice, environ ');
  const url = await begin();
  const shown = await page(url);
  t.match(shown, 'Exercice à revoir depuis 5 jours');
  t.match(shown, 'Suites');
  t.match(shown, 'Environ 8 min');
  t.match(shown, '0 sur 3 répondues');
  const href = `${practise}?type=exercise&amp;item=${exercise.id}&amp;seance=${idOf(url)}`;
  t.match(shown, `href="${href}"`);
  for (const id of ids) await submit(`${url}/questions/${id}`, { texte: '1' });
  t.match(await page('/user/dashboard'), 'Encore 1 exercice');
  const practice = await page(href.replaceAll('&amp;', '&'));
  t.match(practice, 'Retour à la séance');
  t.match(practice, `&amp;corrige=oui&amp;seance=${idOf(url)}#corrige`);
  t.match(
    await page(`${practise}?type=exercise&item=${exercise.id}&corrige=oui&seance=${idOf(url)}`),
    `name="seance" value="${idOf(url)}"`,
  );

  clock.advance(600_000);
  t.equal((await mark('reussi', { seance: idOf(url) })).headers.location, url);
  t.equal(await go(url), url, 'the session is finished');
  const end = await page(url);
  t.match(end, "C'est fait pour aujourd'hui.");
  t.match(end, '2 justes sur 2, 1 exercice réussi');
  t.match(await page('/user/dashboard'), 'Voir le bilan');
});

t.test('a verdict counts once, in two tabs too, and its day is a day of study', async (t) => {
  const { page, begin, mark, learner } = await world();
  const days = () =>
    sql<{ day: string; answers: number }>(databaseUrl, 'select day::text, answers from study_day where user_id = $1 order by 1', [
      learner.id,
    ]);
  t.match(await days(), [{ answers: 0 }], 'the day of the first verdict');
  const url = await begin();
  await Promise.all([mark('reussi', { seance: idOf(url) }), mark('reussi', { seance: idOf(url) })]);
  await mark('reussi');
  t.match(await days(), [{ answers: 0 }, { answers: 0 }]);
  t.match(await page('/user/dashboard'), 'Encore 2 questions');
  t.match(await page('/user/dashboard'), 'week__day--done week__day--today');
  t.match(await page(url), '<strong>Réussi</strong>');
  await submit(app, `${url}/fin`, {}, learner.session);
  t.match(await page(url), '<p>1 exercice réussi.</p>');
  t.match(await page('/user/progression'), 'Pas encore de réponse');
});

t.test('each verdict changes what is remembered: one that went well comes back when it fades', async (t) => {
  const { page, begin, mark } = await world();
  await begin();
  await mark('reussi');
  clock.advance(dayMs);
  t.match(await page('/user/seance'), '2 questions, environ');
  clock.advance(20 * dayMs);
  t.match(await page(await begin()), 'Exercice réussi il y a 21 jours, à refaire');
});

t.test("'Passer' leaves the exercise for this session", async (t) => {
  const { page, begin, submit, ids, go } = await world();
  const url = await begin();
  t.equal((await submit(`${url}/passer`)).headers.location, url);
  t.match(await page(url), 'Passé pour cette fois');
  t.match(await page('/user/dashboard'), 'Encore 2 questions');
  for (const id of ids) await submit(`${url}/questions/${id}`, { texte: '1' });
  t.match(await page(url), '2 justes sur 2.');
  t.equal(await begin(), url);
  t.equal(await go('/user/seance'), url);
});

t.test("an exercise that does not fit is not proposed; one's own time counts before the advised one", async (t) => {
  const long = await world({ duree: 60 });
  t.notMatch(await long.page('/user/seance'), '1 exercice');
  const { page, learner, practise, exercise, prepa } = await world({ duree: 60, corrige: '<h2>Exercice (5 points)</h2>' });
  t.notMatch(await page('/user/seance'), '1 exercice');
  const note = {
    type: 'exercise',
    item: String(exercise.id),
    verdict: 'a_revoir',
    bareme: '5',
    cle: randomUUID(),
    'points[]': '2',
    secondes: '540',
  };
  t.equal((await submit(app, practise.replace('entrainement', 'note'), note, learner.session)).statusCode, 303);
  clock.advance(2 * dayMs);
  t.match(await page('/user/seance'), '2 questions et 1 exercice, environ 1');
  await sql(databaseUrl, `insert into study_plan (user_id, prepa_id, choice, minutes) values ($1, $2, 'none', 5)`, [learner.id, prepa.id]);
  t.notMatch(await page('/user/seance'), '1 exercice', 'none in five minutes');
});

t.test('the points of a past exam lead back to the session, too; an exercise that is gone ends the session', async (t) => {
  const {
    begin,
    practise,
    exercise,
    learner,
    page,
    ids,
    submit: send,
  } = await world({ kind: 'pastExam', corrige: '<h2>Sujet (5 points)</h2>' });
  const url = await begin();
  t.match(await page(url), 'Ancien sujet à revoir depuis 5 jours');
  const note = {
    type: 'pastExam',
    item: String(exercise.id),
    verdict: 'reussi',
    bareme: '5',
    cle: randomUUID(),
    'points[]': '4',
    seance: idOf(url),
  };
  t.equal((await submit(app, practise.replace('entrainement', 'note'), note, learner.session)).headers.location, url);
  await sql(databaseUrl, 'update item set corrige = null where id = $1', [exercise.id]);
  t.notMatch(await page(url), 'Suites');
  for (const id of ids) await send(`${url}/questions/${id}`, { texte: '1' });
  t.match(await page(url), '2 justes sur 2.');
});

t.test('others cannot pass over an exercise, and a foreign address after the verdict is ignored', async (t) => {
  const { begin, mark, page } = await world();
  const url = await begin();
  const other = await createLearner(home);
  t.equal((await submit(app, `${url}/passer`, {}, other.session)).statusCode, 404);
  t.notMatch(await page(url), 'Passé pour cette fois');
  t.match((await mark('reussi', { seance: '//ailleurs.example' })).headers.location, /\/suite\?type=exercise/);
});
