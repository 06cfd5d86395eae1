import t from 'tap';
import { call, createTestApp, submit, visit } from '../../../../test/support/app.ts';
import { createDiscipline, createEnrolment, createItem, createLearner, createPrepa } from '../../../../test/support/factories.ts';
import { numberQuestion } from '../../../../test/support/questions.ts';
import { dayMs } from '../../../shared/dates.ts';

const home = await createTestApp(t);
const { app, clock } = home;

const prepa = await createPrepa(home, { nom: 'ENS' });
const discipline = await createDiscipline(home, prepa.id);
const ids = Array.from({ length: 12 }, (_, index) => `numbered${String(index).padStart(4, '0')}`);
const lesson = await createItem(home, discipline.id, {
  titre: 'Suites',
  contenu: ids.map((id, index) => numberQuestion(id, String(index), { statement: `Énoncé ${index} &lt; 100 ?` })).join(''),
});
const learner = await createLearner(home);
await createEnrolment(home, learner, prepa, 10);

const page = async (url = '/user/erreurs', session = learner.session) => (await visit(app, url, session)).body;
const answer = (index: number, typed: string) =>
  submit(app, `/user/questions/${ids[index]}`, { texte: typed, contexte: 'errors' }, learner.session);

t.test('without errors the page says when there will be some', async (t) => {
  t.notMatch(await page('/user/dashboard'), 'Reprendre mes erreurs');
  t.match(await page(), 'Aucune erreur à reprendre');
  t.equal((await visit(app, '/user/erreurs/questions', learner.session)).headers.location, '/user/erreurs');
});

t.test('a wrong answer stands in the list with its passage, and leaves it after right answers on two days', async (t) => {
  await answer(0, '99');
  await answer(1, '1');
  const list = await page();
  t.match(list, 'Une question à reprendre');
  t.match(await page('/user/dashboard'), '<a href="/user/erreurs">Reprendre mes erreurs (1)</a>');
  t.match(list, 'Énoncé 0 &lt; 100');
  t.match(list, `href="/user/prepa/${prepa.id}/${discipline.id}?type=course&amp;item=${lesson.id}#q-${ids[0]}"`);
  t.notMatch(list, 'Énoncé 1');
  clock.advance(dayMs);
  await answer(0, '0');
  t.match(await page(), 'juste un jour depuis');
  await answer(0, '0,0');
  t.match(await page(), 'Énoncé 0', 'a second right answer on the same day');
  clock.advance(dayMs);
  await answer(0, '0');
  t.match(await page(), 'Aucune erreur à reprendre');
});

t.test("'Commencer' asks ten, those wrong most recently last, without their keys", async (t) => {
  for (const index of [5, 4, 3, 2, 1, 0, 6, 7, 8, 9, 10, 11]) {
    await answer(index, '99');
    clock.advance(1_000);
  }
  t.match(await page(), '12 questions à reprendre');
  t.match(await page('/user/dashboard'), 'Reprendre mes erreurs (12)');
  t.match(await page(), 'Commencer (10 questions)');
  const asked = await page('/user/erreurs/questions');
  t.same(
    Array.from(asked.matchAll(/id="q-(\w+)"/g), ([, id]) => id),
    [5, 4, 3, 2, 1, 0, 6, 7, 8, 9].map((index) => ids[index]),
  );
  t.match(asked, '<input type="hidden" name="contexte" value="errors">');
  t.notMatch(asked, 'Par le calcul');
});

t.test('only questions that the learner may read now', async (t) => {
  clock.advance(12 * dayMs);
  t.match(await page(), 'Aucune erreur à reprendre');
  t.notMatch(await page('/user/dashboard'), 'Reprendre mes erreurs');
  t.equal((await call(app, { url: '/user/erreurs' })).statusCode, 401);
});
