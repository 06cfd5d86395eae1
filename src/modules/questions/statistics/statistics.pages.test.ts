import t from 'tap';
import { call, createTestApp, visit } from '../../../../test/support/app.ts';
import { createAdministrator, createDiscipline, createItem, createLearner } from '../../../../test/support/factories.ts';
import { answersOf, choiceId, choicesOf, chose, figuresReader, oneOf, readCsv } from '../../../../test/support/question-figures.ts';
import { choiceQuestion, numberQuestion } from '../../../../test/support/questions.ts';
import { sql } from '../../../../test/support/sql.ts';
import { statementsDuring } from '../../../../test/support/statements.ts';

const site = await createTestApp(t);
const { app, databaseUrl } = site;
const { session } = await createAdministrator(site);
const people = await Promise.all(Array.from({ length: 12 }, () => createLearner(site)));
const shown = figuresReader(site, session);
const { answer, choseEach } = answersOf(site, people);

t.test('what each question was answered, and why it needs a look', async (t) => {
  const { id } = await createDiscipline(site);
  const texts = [
    oneOf('markhard0001', 'Difficile ?'),
    oneOf('markeasy0001', 'Facile ?'),
    oneOf('marknone0001', 'Sans réponse ?'),
    oneOf('markfew00001', 'Peu ?'),
    oneOf('markfine0001', 'Normale ?'),
    numberQuestion('marknumber01', '3,5', { statement: 'Quelle vitesse ?' }),
  ];
  const item = await createItem(site, id, { titre: 'Les suites', contenu: `<p>Lisez.</p>${texts.join('')}` });
  await choseEach('markhard0001', [0, 1, 1, 1, 2, null]);
  await choseEach('markeasy0001', [0, 0, 0, 0, 0, 0]);
  await choseEach('markfew00001', [1, 1, 1, 1]);
  // The second answer of a learner does not count.
  await choseEach('markfine0001', [0, 0, 1, 0, null]);
  await choseEach('markfine0001', [1, 1]);
  for (const [index, isRight] of [true, false, true, false, false].entries())
    await answer(people[index]?.id ?? '', [{ questionId: 'marknumber01', given: { typed: '3,5' }, isRight }]);
  const { questions, tabs } = await shown(t, id);
  t.same(tabs, ['Toutes (6)', 'À regarder (3)']);
  t.same(
    questions.map(({ statement }) => statement),
    ['Difficile ?', 'Facile ?', 'Peu ?', 'Normale ?', 'Quelle vitesse ?', 'Sans réponse ?'],
    'marked by answers, then the others, then those without an answer',
  );
  const [hard, easy, few, fine, number, none] = questions;
  t.same(hard, {
    statement: 'Difficile ?',
    href: `/admin/discipline/${id}?type=course&item=${item.id}#q-markhard0001`,
    sums: ['Réponses6', 'Justes à la première réponse1 (16,7 %)'],
    marks: ['Un choix faux est plus choisi que le choix juste', 'Moins de 20 % de réponses justes'],
    choices: ['Juste | A. juste | 1 (16,7 %)', 'Faux | B. faux | 3 (50 %)', 'Faux | C. autre | 1 (16,7 %)', 'Je ne sais pas | 1 (16,7 %)'],
    bars: [17, 50, 17, 17],
    notes: ['Leçon 1 : Les suites, question 1'],
  });
  t.same(easy?.marks, ['Plus de 95 % de réponses justes']);
  t.match(few, { marks: [], choices: ['Juste | A. juste | 0', 'Faux | B. faux | 4'] });
  t.same(few?.notes[1], 'Moins de 5 réponses : trop peu pour juger cette question.');
  t.match(fine, { marks: [], sums: ['Réponses5', 'Justes à la première réponse3 (60 %)'] });
  t.same(number?.choices, [], 'only the share of right answers');
  t.equal(none?.marks.join(), "Personne n'a encore répondu");
  t.same(none?.sums, []);
  const marked = await shown(t, id, '?vue=a-regarder');
  t.same(
    marked.questions.map(({ statement }) => statement),
    ['Difficile ?', 'Facile ?', 'Sans réponse ?'],
  );
});

t.test('shares at the bounds have no mark: 20 %, 95 %, as many wrong as right', async (t) => {
  const { id } = await createDiscipline(site);
  const several = choiceQuestion({
    id: 'boundmore001',
    statement: 'Lesquels ?',
    several: true,
    choices: choicesOf('boundmore001', ['a', 'b', 'c'], [0, 1]),
  });
  await createItem(site, id, { contenu: oneOf('boundlow0001', 'Bas ?') + oneOf('boundsame001', 'Égal ?') + several });
  await choseEach('boundlow0001', [0, null, null, null, null]);
  await choseEach('boundsame001', [0, 0, 1, 1, 2]);
  const pick = (letters: string) => {
    const chosen = [...letters].map((letter) => choiceId('boundmore001', 'abc'.indexOf(letter)));
    return { questionId: 'boundmore001', given: { choices: chosen }, isRight: letters === 'ab' };
  };
  for (const [index, letters] of ['ab', 'ab', 'ac', 'ac', 'ac'].entries()) await answer(people[index]?.id ?? '', [pick(letters)]);
  const marksOf = async () => Object.fromEntries((await shown(t, id)).questions.map(({ statement, marks }) => [statement, marks]));
  t.same(await marksOf(), { 'Bas ?': [], 'Égal ?': [], 'Lesquels ?': ["Un choix faux est plus choisi qu'un choix juste"] });
  await answer(people[5]?.id ?? '', [chose('boundlow0001', null), chose('boundsame001', 1)]);
  t.match(await marksOf(), {
    'Bas ?': ['Moins de 20 % de réponses justes'],
    'Égal ?': ['Un choix faux est plus choisi que le choix juste'],
  });
  // 19 of 20 are 95 %, 20 of 21 are more.
  const easy = await createDiscipline(site);
  await createItem(site, easy.id, { contenu: oneOf('boundhigh001', 'Haut ?') });
  for (let count = 1; count <= 21; count += 1) {
    await answer((await createLearner(site)).id, [chose('boundhigh001', count === 1 ? null : 0)]);
    if (count < 20) continue;
    const [question] = (await shown(t, easy.id)).questions;
    t.same(question?.marks, count === 20 ? [] : ['Plus de 95 % de réponses justes'], `${count - 1} of ${count}`);
  }
});

t.test('a changed answer begins new figures, and says that there were earlier ones', async (t) => {
  const { id } = await createDiscipline(site);
  const write = (right: number, remaining = 3) =>
    choiceQuestion({
      id: 'rightchange1',
      statement: 'Change ?',
      choices: choicesOf('rightchange1', ['juste', 'faux', 'autre'], [right]).slice(0, remaining),
    });
  const created = await call(app, {
    method: 'POST',
    url: '/api/lecons',
    session,
    payload: { titre: 'Une leçon', discipline_id: id, contenu: write(0) },
  });
  const save = async (contenu: string) =>
    t.equal(
      (await call(app, { method: 'PUT', url: `/api/lecons/${created.json().id}`, session, payload: { titre: 'Une leçon', contenu } }))
        .statusCode,
      200,
    );
  await choseEach('rightchange1', [0, 0, 1, 2, 2, 2]);
  await save(write(0, 2));
  const [fewer] = (await shown(t, id)).questions;
  t.same(fewer?.choices, [
    'Juste | A. juste | 2 (33,3 %)',
    'Faux | B. faux | 1 (16,7 %)',
    'Choix retirés du texte | 3 (50 %)',
    'Je ne sais pas | 0 (0 %)',
  ]);
  await save(write(1));
  const [again] = (await shown(t, id)).questions;
  t.match(again, { marks: ["Personne n'a encore répondu"], choices: [] });
  t.equal(again?.notes.at(-1), "La réponse attendue a changé : 6 réponses d'avant ne comptent plus.");
  await answer(people[0]?.id ?? '', [{ ...chose('rightchange1', 1, 2), isRight: true }]);
  t.match((await shown(t, id)).questions[0], { choices: ['Faux | A. juste | 0', 'Juste | B. faux | 1'] });
});

t.test('many questions: pages, and a file of several batches', async (t) => {
  const { id } = await createDiscipline(site);
  const name = (index: number) => `many${String(index).padStart(8, '0')}`;
  const contenu = Array.from({ length: 510 }, (_, index) => numberQuestion(name(index), '1', { statement: `Question ${index}` })).join('');
  const item = await createItem(site, id, { contenu });
  await createItem(site, id, { numeroPage: 2, contenu: numberQuestion('manybroken01', '1', { statement: 'Retirée' }) });
  await sql(databaseUrl, "update question set position = null where id = 'manybroken01'");
  await answer(people[0]?.id ?? '', [{ questionId: name(509), given: { typed: '1' }, isRight: true }]);
  const first = await shown(t, id);
  t.equal(first.questions.length, 25);
  t.match(first.questions[0]?.href, `item=${item.id}#q-${name(509)}`);
  const next = first.document.querySelector('.pagination a[rel="next"]')?.getAttribute('href') ?? '';
  t.match(next, '/questions?page=2');
  const last = await shown(t, id, '?page=21');
  t.equal(last.questions.length, 10);
  t.equal(last.document.querySelector('.pagination a[rel="next"]'), null);
  t.equal((await visit(app, `/admin/discipline/${id}/questions?page=22`, session)).headers.location, `/admin/discipline/${id}/questions`);
  const marked = await shown(t, id, '?vue=a-regarder&page=2');
  t.match(marked.document.querySelector('.pagination a[rel="next"]')?.getAttribute('href'), '?vue=a-regarder&page=3');
  const rows = readCsv(await visit(app, `/admin/discipline/${id}/questions.csv`, session));
  t.same(
    rows.map((row) => row.Énoncé),
    Array.from({ length: 510 }, (_, index) => `Question ${index}`),
  );
});

t.test('formulas are shown; without questions, without answers, without marks the page says so', async (t) => {
  const { id } = await createDiscipline(site);
  t.match((await shown(t, id)).empty, /^Aucune question à montrer\./);
  t.notMatch((await visit(app, `/admin/discipline/${id}`, session)).body, `/admin/discipline/${id}/questions`);
  const formula = '<span class="formula" data-latex="x^2"><math><msup><mi>x</mi><mn>2</mn></msup></math></span>';
  await createItem(site, id, { contenu: oneOf('showformula1', `Que vaut ${formula} ?`) });
  t.match((await shown(t, id)).empty, /^Personne n'a encore répondu\./);
  t.match((await visit(app, `/admin/discipline/${id}`, session)).body, `href="/admin/discipline/${id}/questions"`);
  await choseEach('showformula1', [0, 0, 0, 1, 2]);
  t.match((await shown(t, id)).body, /Que vaut <span class="formula"><math><msup><mi>x<\/mi>/);
  t.match((await shown(t, id, '?vue=a-regarder')).empty, /^Aucune question à regarder\./);
});

t.test('only administrators see it, in four statements', async (t) => {
  const { id } = await createDiscipline(site);
  await createItem(site, id, { contenu: oneOf('statements01', 'Combien ?') });
  const url = `/admin/discipline/${id}/questions`;
  t.match((await visit(app, url, people[0]?.session)).headers.location, /^\/admin\/connexion/);
  for (const end of ['', '.csv']) t.equal((await visit(app, `/admin/discipline/999999/questions${end}`, session)).statusCode, 404);
  t.equal((await visit(app, `${url}?page=x&vue=y`, session)).statusCode, 200);
  const sent = await statementsDuring(async () => t.equal((await visit(app, url, session)).statusCode, 200));
  t.equal(sent.length, 4);
});
