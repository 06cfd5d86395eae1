import { parseHTML } from 'linkedom';
import t from 'tap';
import { call, createTestApp, squeeze, submit, visit } from '../../../../test/support/app.ts';
import { createDiscipline, createEnrolment, createItem, createLearner, createPrepa } from '../../../../test/support/factories.ts';
import { choiceQuestion, numberQuestion } from '../../../../test/support/questions.ts';
import { sql } from '../../../../test/support/sql.ts';

const home = await createTestApp(t);
const { app, databaseUrl, clock } = home;

let series = 0;
/** Creates an enrolled learner and a series of three questions: two with choices of which the first is right, and the number 4. */
async function open({ duree = null as number | null, days = 10 } = {}) {
  series += 1;
  const own = series;
  const id = (name: string) => `${name}${String(own).padStart(12 - name.length, '0')}`;
  const prepa = await createPrepa(home, { nom: 'ENS' });
  const discipline = await createDiscipline(home, prepa.id);
  const choices = (name: string) =>
    ['a', 'b', 'c', 'd'].map((text) => ({ id: id(name + text), text: `terme ${text}`, right: text === 'a', remark: `clef ${text}` }));
  const [first, second, third] = [id('un'), id('deux'), id('trois')];
  const item = await createItem(home, discipline.id, {
    kind: 'quiz',
    titre: 'Révisions',
    duree,
    contenu: `<p>Lisez d'abord.</p>${choiceQuestion({ id: first, choices: choices('p') })}<p>Un passage.</p>${choiceQuestion({ id: second, choices: choices('s') })}${numberQuestion(third, '4')}`,
  });
  await sql(databaseUrl, `update item set bareme = '{"juste": 1, "faux": -0.25, "sans": 0}' where id = $1`, [item.id]);
  const learner = await createLearner(home);
  await createEnrolment(home, learner, prepa, days);
  const begin = async (mode: string, session = learner.session, fields = {}) =>
    String((await submit(app, `/user/series/${item.id}/tentatives`, { mode, ...fields }, session)).headers.location);
  const give = (attempt: string, question: string, fields: object, session = learner.session) =>
    call(app, {
      method: 'POST',
      url: `/api/series/tentatives/${attempt.split('/').at(-1)}/questions/${question}`,
      payload: fields,
      session,
    });
  const page = async (url: string, session = learner.session) => {
    const answer = await visit(app, url, session);
    const { document } = parseHTML(answer.body);
    return { answer, document, main: squeeze(document.querySelector('main')?.textContent) };
  };
  const study = `/user/prepa/${prepa.id}/${discipline.id}`;
  const answers = () =>
    sql<{ question_id: string; is_right: boolean; attempt_id: string }>(
      databaseUrl,
      'select question_id, is_right, context, attempt_id from answer where user_id = $1 order by question_id',
      [learner.id],
    );
  const finished = async () =>
    (
      await sql(databaseUrl, 'select from item_reading where user_id = $1 and item_id = $2 and finished_at is not null', [
        learner.id,
        item.id,
      ])
    ).length === 1;
  return {
    prepa,
    discipline,
    item,
    learner,
    study,
    begin,
    give,
    page,
    answers,
    finished,
    ids: [first, second, third] as const,
    right: id('pa'),
    wrong: id('pb'),
    also: id('sa'),
    bad: id('sb'),
  };
}

t.test('the study page of a series shows its introduction, what it has and its rule, and no question', async (t) => {
  const { page, study, item, learner } = await open({ duree: 20 });
  const { main, answer, document } = await page(`${study}?type=quiz&item=${item.id}`);
  for (const words of [
    "Lisez d'abord.",
    "3 questions, 20 min à l'examen",
    'Juste : +1 · Faux : −0,25 · Sans réponse : 0',
    'Apprendre',
    "Comme à l'examen",
  ])
    t.match(main, words);
  t.notMatch(answer.body, /terme a|Un passage/);
  t.equal(document.querySelector('.study__finish'), null, 'reading does not finish it');
  const text = await call(app, { url: `/api/items/${item.id}/texte`, session: learner.session });
  t.match(text.body, 'Comme à l');
  t.notMatch(text.body, /terme a/);
});

t.test("'Apprendre': each answer is explained once, counts once, and the series is finished with the last", async (t) => {
  const { begin, give, page, answers, finished, ids, right, wrong, bad } = await open();
  const attempt = await begin('learn');
  t.notMatch((await page(attempt)).answer.body, /clef|Par le calcul/, 'no key before the answer');
  const judged = await give(attempt, ids[0], { choix: [wrong] });
  t.match(judged.json(), { juste: false, html: /clef a/ });
  t.notMatch(judged.json().html, 'Réessayer');
  t.match((await give(attempt, ids[0], { choix: [right] })).json(), { juste: false }, 'the first answer stays');
  const half = (await page(attempt)).answer.body;
  t.match(half, 'clef a');
  t.notMatch(half, 'Par le calcul', 'no key of the other questions');
  await Promise.all(Array.from({ length: 20 }, () => give(attempt, ids[1], { choix: [bad] })));
  t.equal((await answers()).length, 2);
  t.notOk(await finished());
  t.match((await give(attempt, ids[2], { texte: '4' })).json(), { juste: true });
  t.ok(await finished());
  t.match(await answers(), [
    { question_id: ids[1], is_right: false, context: 'series', attempt_id: attempt.split('/').at(-1) },
    { question_id: ids[2], is_right: true },
    { question_id: ids[0], is_right: false },
  ]);
  await submit(app, `${attempt}/fin`, {}, (await createLearner(home)).session);
  t.match((await page(attempt)).main, '3 sur 3 répondues', 'nobody else finishes the attempt');
});

t.test("'Comme à l'examen': nothing is told before the end, answers may change, and the rule gives the score", async (t) => {
  const { begin, give, page, answers, finished, ids, right, wrong, bad, learner } = await open();
  const attempt = await begin('exam');
  t.same((await give(attempt, ids[0], { choix: [wrong] })).json(), {});
  t.same((await give(attempt, ids[0], { choix: [right] })).json(), {});
  await give(attempt, ids[1], { choix: [bad] });
  const before = await page(attempt);
  t.notMatch(before.answer.body, /clef|Par le calcul/);
  t.same([...before.document.querySelectorAll('input[checked]')].map((input) => input.getAttribute('value')).sort(), [right, bad].sort());
  t.same(await answers(), [], 'nothing counts before the end');
  t.equal((await submit(app, `${attempt}/fin`, {}, learner.session)).statusCode, 303);
  const { main, document } = await page(attempt);
  t.match(main, /Votre note : 0,75 sur 3, soit 5 sur 20/);
  t.match(main, '1 juste, 1 fausse, 1 sans réponse');
  t.match(main, 'clef a');
  t.match(squeeze(document.querySelector('.series__passage')?.textContent), 'Un passage.', 'the passage before a wrong question');
  t.equal((await answers()).length, 2);
  t.notOk(await finished(), 'a question without an answer is left');
  t.equal((await give(attempt, ids[2], { texte: '4' })).statusCode, 409);
  t.equal((await submit(app, `${attempt}/fin`, {}, learner.session)).statusCode, 303);
  t.equal((await answers()).length, 2, 'finishing again changes nothing');
});

t.test("'Refaire mes erreurs' asks the questions that were not right", async (t) => {
  const { begin, give, page, finished, ids, right, bad, also, learner } = await open();
  const attempt = await begin('exam');
  await give(attempt, ids[0], { choix: [right] });
  await give(attempt, ids[1], { choix: [bad] });
  await give(attempt, ids[2], { passe: true });
  await submit(app, `${attempt}/fin`, {}, learner.session);
  t.ok(await finished(), "'Sans réponse' is an answer");
  const again = String((await submit(app, `${attempt}/erreurs`, {}, learner.session)).headers.location);
  const { document } = await page(again);
  t.same(
    [...document.querySelectorAll('form.question')].map((form) => form.id),
    [`q-${ids[1]}`, `q-${ids[2]}`],
  );
  t.equal((await give(again, ids[0], { choix: [right] })).statusCode, 404, 'other questions are not asked');
  t.match((await give(again, ids[1], { choix: [also] })).json(), { juste: true });
});

t.test('an attempt past its end counts what was answered', async (t) => {
  const { begin, give, page, answers, ids, right } = await open({ duree: 20 });
  const attempt = await begin('exam');
  await give(attempt, ids[0], { choix: [right] });
  t.match((await page(attempt)).document.querySelector('[data-left]')?.getAttribute('data-left'), '1200');
  clock.advance(20 * 60_000);
  t.equal((await give(attempt, ids[1], { choix: [right] })).statusCode, 409);
  t.match((await page(attempt)).main, /1 juste, 2 sans réponse/);
  t.equal((await answers()).length, 1);
});

t.test('leaving and coming back: one open attempt, which every start resumes', async (t) => {
  const { begin, give, page, item, ids, right } = await open();
  const [attempt, same] = await Promise.all([begin('learn'), begin('learn')]);
  t.equal(attempt, same, 'two starts at once begin one attempt');
  await give(attempt, ids[0], { choix: [right] });
  t.equal(await begin('learn'), attempt);
  t.equal(await begin('exam'), `/user/series/${item.id}`, 'the other mode asks first');
  const { main } = await page(`/user/series/${item.id}`);
  t.match(main, 'Reprendre (question 2 sur 3)');
  t.match(main, 'Vous avez commencé cette série : « Apprendre » (1 sur 3)');
  t.match(main, 'Commencer remplace cet entraînement : vos réponses restent comptées, mais il ne se reprend plus.');
  const anew = await begin('exam', undefined, { recommencer: 'oui' });
  t.not(anew, attempt);
  t.match((await page(attempt)).main, /1 juste, 2 sans réponse/, 'the earlier attempt is finished');
  await give(anew, ids[0], { choix: [right] });
  t.equal(await begin('learn'), `/user/series/${item.id}`);
  t.match((await page(`/user/series/${item.id}`)).main, 'Commencer termine celle-ci : elle est corrigée avec les réponses déjà données.');
  t.equal(await begin('exam'), anew);
});

t.test('the result of an exam whose time is over is offered before a new start', async (t) => {
  const { begin, give, page, item, ids, right } = await open({ duree: 20 });
  const attempt = await begin('exam');
  await give(attempt, ids[0], { choix: [right] });
  clock.advance(20 * 60_000);
  t.equal(await begin('exam'), `/user/series/${item.id}`);
  const { main, document } = await page(`/user/series/${item.id}`);
  t.match(main, "Le temps de votre série « Comme à l'examen » est écoulé (1 sur 3). Voir le résultat");
  t.equal(document.querySelector('.actions a')?.getAttribute('href'), attempt);
  t.not(await begin('exam', undefined, { recommencer: 'oui' }), attempt);
});

t.test("'Refaire mes erreurs' does not lead to another attempt without a word", async (t) => {
  const { begin, give, page, item, ids, wrong, learner } = await open();
  const attempt = await begin('learn');
  await give(attempt, ids[0], { choix: [wrong] });
  await submit(app, `${attempt}/fin`, {}, learner.session);
  const other = await begin('exam');
  const errors = async () => (await submit(app, `${attempt}/erreurs`, {}, learner.session)).headers.location;
  t.equal(await errors(), `/user/series/${item.id}`, 'the exam is open');
  await submit(app, `${other}/fin`, {}, learner.session);
  const [one, same] = await Promise.all([errors(), errors()]);
  t.match(one, '/tentatives/');
  t.equal(one, same);
  t.match((await page(`/user/series/${item.id}`)).main, 'Vous refaites vos erreurs de cette série (0 sur 3)');
  t.match(await begin('exam'), '/tentatives/', 'nothing was answered yet');
});

t.test('choices keep their order within an attempt, and have others in others', async (t) => {
  const { begin, page, learner } = await open();
  const orderOf = async (attempt: string) =>
    [...(await page(attempt)).document.querySelectorAll('input[name="choix"]')].map((input) => input.getAttribute('value')).join();
  const orders = new Set<string>();
  for (let attempt = 0; attempt < 6; attempt += 1) {
    const begun = await begin('learn', learner.session, { recommencer: 'oui' });
    const order = await orderOf(begun);
    t.equal(await orderOf(begun), order);
    orders.add(order);
  }
  t.ok(orders.size > 1);
});

t.test('choices have letters in the order shown, before and after the answer', async (t) => {
  const { begin, give, page, ids, wrong, learner } = await open();
  const rows = (document: Document, of: string) =>
    [...document.querySelectorAll(`#q-${ids[0]} ${of}`)].map((row) => squeeze(row.textContent).replace(/ (?:Juste|Faux).*/, ''));
  for (let attempt = 0; attempt < 3; attempt += 1) {
    const begun = await begin('learn', learner.session, { recommencer: 'oui' });
    const asked = rows((await page(begun)).document, 'label');
    t.same(
      asked.map((row) => row.slice(0, 2)),
      ['A.', 'B.', 'C.', 'D.'],
    );
    await give(begun, ids[0], { choix: [wrong] });
    t.same(rows((await page(begun)).document, 'li'), asked);
    await submit(app, `${begun}/fin`, {}, learner.session);
    t.same(rows((await page(begun)).document, 'li'), asked);
  }
});

t.test('choices keep their order where an explanation or a remark names one by its letter', async (t) => {
  const { begin, page, ids, item, learner } = await open();
  const [first, second] = ids;
  await sql(
    databaseUrl,
    `update question set key = jsonb_set(key, '{explanation}', '"<p>La <em>réponse</em> <strong>b</strong> est fausse.</p>"') where id = $1`,
    [first],
  );
  await sql(databaseUrl, `update question set key = jsonb_set(key, '{remarks}', '{"x": "<p>Voyez le choix D.</p>"}') where id = $1`, [
    second,
  ]);
  const orders = new Set<string>();
  for (let attempt = 0; attempt < 6; attempt += 1) {
    const { document } = await page(await begin('learn', learner.session, { recommencer: 'oui' }));
    orders.add([...document.querySelectorAll('label')].map(({ textContent }) => squeeze(textContent)).join());
  }
  t.equal(orders.size, 1, `in series ${item.id}`);
});

t.test('only a learner with access takes a series, and the reason is said', async (t) => {
  const { begin, give, study, item, ids, right } = await open({ days: 1 });
  const [attempt, stranger] = [await begin('learn'), await createLearner(home)];
  t.equal(await begin('learn', stranger.session), `${study}?type=quiz&item=${item.id}`);
  t.equal((await visit(app, attempt, stranger.session)).statusCode, 404);
  t.equal((await give(attempt, ids[0], { choix: [right] }, stranger.session)).statusCode, 404);
  clock.advance(2 * 24 * 3_600_000);
  const late = await give(attempt, ids[0], { choix: [right] });
  t.equal(late.statusCode, 403);
  t.match(late.json().message, /Votre accès à ENS a pris fin : votre réponse n'a pas été gardée/);
});

t.test('without scripts a form comes back to its question, with the reason if it was empty', async (t) => {
  const { begin, page, ids, wrong, learner } = await open();
  const attempt = await begin('learn');
  const form = (fields: Record<string, string>) => submit(app, `${attempt}/questions/${ids[0]}`, fields, learner.session);
  const empty = await form({});
  t.equal(empty.headers.location, `${attempt}#q-${ids[0]}`);
  const flash = empty.cookies.find(({ name }) => name === 'flash')?.value;
  t.match((await visit(app, attempt, `${learner.session}; flash=${flash}`)).body, 'Choisissez une réponse');
  t.equal((await form({ choix: wrong })).headers.location, `${attempt}#q-${ids[0]}`);
  t.match(squeeze((await page(attempt)).document.querySelector(`#q-${ids[0]}`)?.textContent), 'Réponse fausse');
});

t.test('an answer sent without a session comes back into its form after the sign-in', async (t) => {
  const { begin, ids, wrong, learner, page, item } = await open();
  const attempt = await begin('learn');
  const suiteOf = async (url: string, fields: Record<string, string> = {}) =>
    new URL(String((await submit(app, url, fields)).headers.location), 'http://site.example').searchParams.get('suite') ?? '';
  const suite = await suiteOf(`${attempt}/questions/${ids[0]}`, { choix: wrong });
  t.match(suite, new RegExp(`^${attempt}\\?.*#q-${ids[0]}$`));
  const { document } = await page(suite);
  t.same(
    [...document.querySelectorAll('input:checked, input[checked]')].map((input) => input.getAttribute('value')),
    [wrong],
  );
  const number = await page(await suiteOf(`${attempt}/questions/${ids[2]}`, { texte: '3,7' }));
  t.equal(number.document.querySelector(`#q-${ids[2]} input[name="texte"]`)?.getAttribute('value'), '3,7');
  t.equal(await suiteOf(`${attempt}/fin`), attempt);
  t.equal(await suiteOf(`/user/series/${item.id}/tentatives`, { mode: 'learn' }), `/user/series/${item.id}`);
  t.equal((await visit(app, attempt, learner.session)).statusCode, 200);
});

t.test('a question left out in an exam is answered on its own page, which then shows its key', async (t) => {
  const { begin, give, page, ids, wrong, learner } = await open();
  const attempt = await begin('exam');
  await give(attempt, ids[0], { choix: [wrong] });
  await submit(app, `${attempt}/fin`, {}, learner.session);
  const { document, main } = await page(attempt);
  t.notMatch(main, 'Réponse attendue');
  t.equal(document.querySelector('a[href="/user/erreurs"]:not(.menu__item)')?.textContent, 'Revoir mes erreurs');
  const link = document.querySelector(`#q-${ids[2]} a`);
  t.equal(link?.textContent, 'Y répondre');
  const own = link?.getAttribute('href') ?? '';
  t.notMatch((await page(own)).main, 'Réponse attendue');
  const answered = await submit(app, own, { passe: '1' }, learner.session);
  t.match((await page(String(answered.headers.location))).main, 'Réponse attendue : 4');
});
