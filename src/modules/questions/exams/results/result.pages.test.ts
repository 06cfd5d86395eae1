import { parseHTML } from 'linkedom';
import t from 'tap';
import { asWritten, createTestApp, squeeze, submit, visit } from '../../../../../test/support/app.ts';
import {
  createAdministrator,
  createDiscipline,
  createEnrolment,
  createItem,
  createLearner,
  createPrepa,
} from '../../../../../test/support/factories.ts';
import { insertExam, insertSitting, resultsOf, sit } from '../../../../../test/support/marked-exams.ts';
import { assertValidHtml } from '../../../../../test/support/page-checks.ts';
import { choiceQuestion, numberQuestion } from '../../../../../test/support/questions.ts';
import { sql } from '../../../../../test/support/sql.ts';
import { statementsDuring } from '../../../../../test/support/statements.ts';
import type { Given } from '../../../../shared/questions/grade.ts';
import { actorOf } from '../../../identity/index.ts';
import { correctQuestion } from '../marking/correction.service.ts';
import { decideLate, markExam, publishResults } from '../marking/marking.service.ts';
import { sayListed } from './result.presenter.ts';

const home = await createTestApp(t);
const { app, kernel, databaseUrl } = home;
const administrator = await createAdministrator(home);
const actor = actorOf(administrator);
const em = () => kernel.fork();
const { context } = kernel;

const choices = (id: string) =>
  ['juste', 'faux', 'autre'].map((text, index) => ({ id: `${id.slice(0, 10)}c${index}`, text, right: index === 0 }));
const chose = (id: string, index: number): Given => ({ choices: [`${id.slice(0, 10)}c${index}`] });
let serial = 0;

/** An exam of two series with two questions each, published as series of a prepa, and a past subject; five candidates. */
async function prepared() {
  serial += 1;
  const id = (name: string) => `${name}${String(serial).padStart(12 - name.length, '0')}`;
  const [q1, q2, q3, q4] = [id('un'), id('deux'), id('trois'), id('quatre')];
  const prepa = await createPrepa(home, { nom: 'ENAM' });
  const discipline = await createDiscipline(home, prepa.id);
  const first =
    choiceQuestion({ id: q1, statement: 'Première ?', choices: choices(q1) }) +
    choiceQuestion({ id: q2, statement: 'Deuxième ?', choices: choices(q2) });
  const second =
    choiceQuestion({ id: q3, statement: 'Troisième ?', choices: choices(q3), points: 2 }) +
    numberQuestion(q4, '12', { statement: 'Combien font 3 × 4 ?' });
  await createItem(home, discipline.id, { kind: 'quiz', titre: 'Culture', contenu: first });
  await createItem(home, discipline.id, { kind: 'quiz', titre: 'Droit', numeroPage: 2, contenu: second });
  const exam = await insertExam(home, {
    prepaId: prepa.id,
    titre: 'Concours blanc de décembre',
    bareme: { juste: 1, faux: -0.5, sans: 0 },
    papers: [
      { titre: 'Culture', discipline: 'Culture générale', contenu: first },
      { titre: 'Droit', discipline: 'Droit public', contenu: second },
      {
        titre: 'Dissertation',
        discipline: 'Français',
        kind: 'pastExam',
        contenu: '<p>Commentez.</p>',
        corrige: '<h2>Plan (8 points)</h2><p>Voici.</p><h2>Style (4 points)</h2>',
      },
    ],
  });
  const people = await Promise.all(Array.from({ length: 5 }, () => createLearner(home)));
  const [ada, ben, cyr, dia, eve] = people as [
    (typeof people)[0],
    (typeof people)[0],
    (typeof people)[0],
    (typeof people)[0],
    (typeof people)[0],
  ];
  const right = { [q1]: chose(q1, 0), [q2]: chose(q2, 0), [q3]: chose(q3, 0), [q4]: { typed: '12,0' } };
  await sit(home, exam, ada.id, right);
  await sit(home, exam, ben.id, { ...right, [q3]: chose(q3, 1) });
  await sit(home, exam, cyr.id, { [q1]: chose(q1, 0), [q2]: chose(q2, 1), [q4]: { typed: '13' } });
  await sit(home, exam, dia.id, { ...right, [q3]: chose(q3, 2) });
  await insertSitting(home, exam, eve.id, { handedInAt: null });
  await createEnrolment(home, ben, prepa, 10);
  const url = `/user/concours-blancs/${exam.id}`;
  return { exam, prepa, url, q: { q1, q2, q3, q4 }, ada, ben, cyr, dia, eve, discipline };
}

async function read(url: string, session: string) {
  const { statusCode, body, headers } = await visit(app, url, session);
  const { document } = parseHTML(asWritten(body));
  const texts = (selector: string) =>
    [...document.querySelectorAll(selector)].map((element) => squeeze(element.textContent).replaceAll(/[\u00a0\u202f]/g, ' '));
  return { statusCode, body, headers, document, texts, main: texts('main')[0] ?? '' };
}

t.test('a result is shown after the publication, with rank, ties, papers and each question', async (t) => {
  const { exam, url, ada, ben, cyr, eve, q } = await prepared();
  await markExam(em(), context, exam.id);
  t.match(await read(`${url}/resultat`, ben.session), { statusCode: 303, headers: { location: url } }, 'before the publication');
  await publishResults(em(), context, actor, exam.id);

  const page = await read(`${url}/resultat`, ben.session);
  await assertValidHtml(t, page.body);
  t.same(page.texts('.exam-result__sums dd'), ['2 sur 5, soit 8 sur 20', '2e sur 5 ex aequo avec un autre candidat']);
  t.match(page.main, 'Vous faites mieux que 2 candidats sur 5, soit 40 %.');
  t.match(page.main, '3 justes, 1 fausse.');
  t.same(page.texts('.exam-result__papers li'), [
    'Culture générale Culture 2 sur 2, soit 20 sur 20',
    'Droit public Droit 0 sur 3, soit 0 sur 20',
  ]);
  t.same(page.texts('.series__list li'), ['Juste', 'Juste', 'Fausse', 'Juste']);
  t.match(page.texts(`#q-${q.q3}`)[0], /Réponse fausse.*faux Mauvaise réponse, votre réponse.*Car 2 \+ 2 = 4/);
  t.match(
    page.texts('figcaption')[0],
    /^Les notes des 5 candidats\. La moitié d'entre eux a au plus 2 points\. Votre note est dans la barre marquée d'un triangle, de 2 à 3 points, avec un autre candidat\.$/,
  );
  const [own, triangle] = ['.exam-bars__bar--own', '.exam-bars__mark'].map((selector) => page.document.querySelector(selector));
  t.equal(triangle?.getAttribute('points')?.split(' ')[2]?.split(',')[0], own?.getAttribute('x'), 'not by its colour alone');

  t.match((await read(`${url}/resultat`, ada.session)).texts('.exam-result__sums dd'), ['5 sur 5, soit 20 sur 20', '1er sur 5']);
  t.match((await read(`${url}/resultat`, cyr.session)).texts('.exam-result__sums dd')[0], '0 sur 5');
  const absent = await read(`${url}/resultat`, eve.session);
  t.match(absent.main, 'elle a été remise avec les réponses que le site avait reçues');
  t.match(absent.main, '4 sans réponse.');
  const stranger = await createLearner(home);
  t.match(
    await read(`${url}/resultat`, stranger.session),
    { statusCode: 303, headers: { location: url } },
    'nobody without a copy has a result',
  );
});

t.test('a page of a marking that was read before takes few statements, whatever the number of candidates', async (t) => {
  const { exam, url, ben } = await prepared();
  await markExam(em(), context, exam.id);
  await publishResults(em(), context, actor, exam.id);
  const first = await statementsDuring(() => visit(app, `${url}/resultat`, ben.session));
  t.ok(first.length <= 4, first.map(({ name, text }) => name ?? text).join());
  const second = await statementsDuring(() => visit(app, `${url}/resultat`, ben.session));
  t.notOk(second.some(({ name }) => name === 'exams.marked'));
});

t.test('a neutralised question is named with its reason, and changes points and ranks of all', async (t) => {
  const { exam, url, ben, ada, q } = await prepared();
  await markExam(em(), context, exam.id);
  await publishResults(em(), context, actor, exam.id);
  await visit(app, `${url}/resultat`, ben.session);
  await correctQuestion(em(), context, actor, {
    examId: exam.id,
    questionId: q.q3,
    standing: 'neutralised',
    reason: 'Deux choix sont justes.',
  });
  const page = await read(`${url}/resultat`, ben.session);
  await assertValidHtml(t, page.body);
  t.same(page.texts('.exam-result__sums dd'), ['3 sur 3, soit 20 sur 20', '1er sur 5 ex aequo avec 2 autres candidats']);
  t.match(
    page.texts('.exam-result__corrections li')[0],
    /^La question 3 a été neutralisée : Deux choix sont justes\. Elle ne compte pour personne\./,
  );
  t.same(page.texts('.series__list li'), ['Juste', 'Juste', 'Neutralisée', 'Juste']);
  t.same(page.texts('.question__verdict'), ['Bonne réponse', 'Bonne réponse', 'Question neutralisée', 'Bonne réponse']);
  t.match((await read(`${url}/resultat`, ada.session)).main, '1er sur 5');
  await correctQuestion(em(), context, actor, { examId: exam.id, questionId: q.q3, standing: 'given', reason: 'Hors programme' });
  t.equal((await read(`${url}/resultat`, ben.session)).texts('.question__verdict')[2], 'Point donné à tous');
});

t.test("'Ajouter mes erreurs' records wrong answers once, and says which could not be", async (t) => {
  const { exam, url, ben, cyr, q, prepa } = await prepared();
  await markExam(em(), context, exam.id);
  const add = (session: string) => submit(app, `${url}/erreurs`, {}, session);
  t.equal((await add(ben.session)).statusCode, 404, 'not before the publication');
  await publishResults(em(), context, actor, exam.id);
  const offered = async (session: string) => (await read(`${url}/resultat`, session)).texts('form[action$=erreurs]');
  t.same(await offered(ben.session), ['Ajouter mes erreurs à ma révision (1)']);
  t.same(await offered(cyr.session), [], 'nothing is offered that cannot be added');
  t.match((await read(`${url}/resultat`, cyr.session)).main, "Vos erreurs ne peuvent pas encore s'ajouter à votre révision");
  t.equal((await add(ben.session)).headers.location, '/user/erreurs');
  await add(ben.session);
  const stored = () => sql(databaseUrl, 'select question_id, is_right, given from answer where user_id = $1', [ben.id]);
  t.same(await stored(), [{ question_id: q.q3, is_right: false, given: chose(q.q3, 1) }]);
  t.match((await read('/user/erreurs', ben.session)).main, 'Troisième ?');

  // Without access nothing can be revised; with a key that has changed since only the others.
  t.equal((await add(cyr.session)).headers.location, `${url}/resultat`);
  await createEnrolment(home, cyr, prepa, 10);
  await sql(databaseUrl, `update question set judged = judged || '{"value": "13"}', key_version = 2 where id = $1`, [q.q4]);
  t.same(await offered(cyr.session), ['Ajouter mes erreurs à ma révision (1)']);
  const answer = await add(cyr.session);
  const flash = Buffer.from(String(answer.headers['set-cookie']).match(/flash=([^;]+)/)?.[1] ?? '', 'base64url').toString();
  t.match(flash, 'Une erreur est dans votre révision. Une autre n');
  t.same(await sql(databaseUrl, 'select question_id from answer where user_id = $1', [cyr.id]), [{ question_id: q.q2 }]);
});

t.test('pseudonyms: only with agreement, unique, withdrawn; names and other results are never shown', async (t) => {
  const { exam, url, ada, ben, dia } = await prepared();
  await markExam(em(), context, exam.id);
  const name = (pseudonyme: string, session: string) => submit(app, `${url}/pseudonyme`, { pseudonyme }, session);
  t.equal((await name('Aigle', ada.session)).statusCode, 404, 'before the publication');
  await publishResults(em(), context, actor, exam.id);
  const empty = await read(`${url}/classement`, ben.session);
  t.match(empty.main, "Personne n'a encore choisi de paraître");
  t.same(empty.texts('h1'), ['Liste des 5 candidats'], 'not of more than there are');
  t.same([0, 1, 100, 30_000].map(sayListed), ['des candidats', 'des candidats', 'des 100 candidats', 'des 100 premiers']);
  t.same((await read(`${url}/resultat`, ben.session)).texts('#liste'), ['Liste des 5 candidats']);
  await name("L'aigle  du Moungo", ada.session);
  for (const refused of ['ab', 'a@gmail.com', 'ada.gmail.com', '677 12 34 56', 'x'.repeat(31), "l'AIGLE du moungo", '<b>moi</b>'])
    t.equal((await name(refused, ben.session)).statusCode, 400);
  const again = parseHTML((await name('677 12 34 56', ben.session)).body).document;
  t.equal(again.querySelector('#pseudonyme')?.getAttribute('value'), '677 12 34 56', 'what was typed stays');
  t.match(again.querySelector('#pseudonyme-faute')?.textContent, /numéro/);
  const page = await read(`${url}/classement`, ben.session);
  await assertValidHtml(t, page.body);
  t.same(page.texts('tbody tr td'), ['1er', "L'aigle du Moungo", '5']);
  t.notMatch(page.main, ada.username);
  await name('Le lion', ben.session);
  t.match((await read(`${url}/classement`, ben.session)).texts('tbody tr')[1], '2eLe lion (vous)2');
  await submit(app, `${url}/pseudonyme`, { retirer: 'oui' }, ada.session);
  t.same((await read(`${url}/classement`, dia.session)).texts('tbody tr td'), ['2e', 'Le lion', '2']);
});

t.test('a past subject is marked by the candidate, by the scale of its correction', async (t) => {
  const { exam, url, ben } = await prepared();
  await markExam(em(), context, exam.id);
  await publishResults(em(), context, actor, exam.id);
  const subject = exam.papers[2] ?? 0;
  const note = (points: string[], epreuve = subject) =>
    submit(
      app,
      `${url}/note`,
      [['epreuve', String(epreuve)], ...points.map((typed): [string, string] => ['points[]', typed])],
      ben.session,
    );
  t.same((await read(`${url}/resultat`, ben.session)).texts('.scale__part'), ['Plan sur 8', 'Style sur 4']);
  const refused = await note(['3', '4,5']);
  t.equal(refused.statusCode, 400);
  await assertValidHtml(t, refused.body);
  const { document } = parseHTML(refused.body);
  t.same(
    [...document.querySelectorAll('[name="points[]"]')].map((field) => field.getAttribute('value')),
    ['3', '4,5'],
    'what was typed stays',
  );
  t.same(
    [...document.querySelectorAll('.scale__part .field__error')].map(({ textContent }) => textContent),
    ['De 0 à 4'],
  );
  for (const wrong of [['x', '1'], ['', ''], ['12'], ['1', '1', '1'], []]) t.equal((await note(wrong)).statusCode, 400, wrong.join());
  t.notMatch((await read(`${url}/resultat`, ben.session)).main, 'Votre note : ');
  await note(['7,5', '']);
  await note(['6', '3']);
  t.match((await read(`${url}/resultat`, ben.session)).main, 'Votre note : 9 sur 12, soit 15 sur 20');
  t.equal((await note(['1'], exam.papers[0])).statusCode, 404, 'a series has no such mark');
  t.equal((await resultsOf(home, exam.id)).get(ben.id)?.points, 2, 'it does not count');
});

t.test('papers of one discipline are summed', async (t) => {
  const { exam, url, ben } = await prepared();
  await sql(databaseUrl, `update exam_paper set discipline = 'Droit public' where id = $1`, [exam.papers[0]]);
  await markExam(em(), context, exam.id);
  await publishResults(em(), context, actor, exam.id);
  t.same((await read(`${url}/resultat`, ben.session)).texts('.exam-result__papers li'), [
    'Droit public Culture, Droit 2 sur 5, soit 8 sur 20',
  ]);
});

t.test('late answers count if they were accepted before the publication', async (t) => {
  const { exam, url, eve, q } = await prepared();
  const { closesAt } = exam;
  await sql(databaseUrl, `update exam_sitting set late = 'waiting' where exam_id = $1 and user_id = $2`, [exam.id, eve.id]);
  const arrived = new Date(closesAt.getTime() + 45 * 60_000);
  const t0 = exam.opensAt.getTime() + 600_000;
  await sql(databaseUrl, `insert into exam_batch values ($1, $2, gen_random_uuid(), 1, $3, $3, $4, 'n')`, [
    exam.id,
    eve.id,
    arrived,
    JSON.stringify([{ q: q.q1, g: chose(q.q1, 0), t: t0 }]),
  ]);
  await markExam(em(), context, exam.id);
  const points = async () => (await resultsOf(home, exam.id)).get(eve.id)?.points;
  t.equal(await points(), 0);
  await decideLate(em(), context, actor, { examId: exam.id, userId: eve.id, accepted: true });
  t.equal(await points(), 1);
  await decideLate(em(), context, actor, { examId: exam.id, userId: eve.id, accepted: false });
  t.equal(await points(), 0, 'an acceptance can be taken back');
  await decideLate(em(), context, actor, { examId: exam.id, userId: eve.id, accepted: true });
  await publishResults(em(), context, actor, exam.id);
  const result = await read(`${url}/resultat`, eve.session);
  t.match(result.texts('.exam-result__sums dd')[0], /^1 sur 5/);
  t.match(result.main, 'Vos réponses arrivées après le délai ont été acceptées');
});
