import t from 'tap';
import { createTestApp, submit, visit } from '../../../../../test/support/app.ts';
import { createCandidate, examPhone } from '../../../../../test/support/exam-phone.ts';
import { createOpenExam, type ExamValues, minuteMs } from '../../../../../test/support/exams.ts';
import { readText } from '../../../../../test/support/page-text.ts';
import { choiceQuestion, numberQuestion } from '../../../../../test/support/questions.ts';

const home = await createTestApp(t);
const { app, kernel, clock } = home;
const advance = (minutes: number) => clock.advance(minutes * minuteMs);

async function begun(values: ExamValues = { questions: 23 }) {
  const exam = await createOpenExam(home, values);
  const learner = await createCandidate(home, exam);
  const base = `/user/concours-blancs/${exam.id}`;
  const post = (path: string, fields: Record<string, string> | [string, string][] = {}) =>
    submit(app, `${base}/${path}`, fields, learner.session);
  const get = (path: string) => visit(app, base + path, learner.session);
  const fields = (answers: Record<number, number>, more: Record<string, string> = {}) => ({
    ...Object.fromEntries(
      Object.entries(answers).map(([question, choice]) => [
        `r-${exam.questions[Number(question)]?.id}`,
        exam.questions[Number(question)]?.choices[choice] ?? '',
      ]),
    ),
    ...more,
  });
  const started = await post('debut');
  return { exam, learner, base, post, get, fields, started, device: examPhone(home, exam, learner) };
}

t.test('without scripts, an exam is answered page by page and handed in', async (t) => {
  const { base, post, get, fields, started, device, exam } = await begun();
  t.match(started, { statusCode: 303, headers: { location: `${base}/feuille/1` } });
  const first = await get('/feuille/1');
  t.equal(first.body.match(/data-asked/g)?.length, 10);
  t.match(readText(first.body), /Page 1 sur 3\. Il vous reste 1 h, jusqu'à .*Question 1 .*Question 10/);
  t.notMatch(first.body, /value="precedent"/);
  t.match(await post('feuille/1', fields({ 0: 0, 9: 2 }, { vers: 'suivant' })), {
    statusCode: 303,
    headers: { location: `${base}/feuille/2` },
  });
  advance(10);
  t.match(readText((await get('/feuille/2')).body), /Il vous reste 50 min.*Question 11 .*Question 20/);
  t.match(await post('feuille/2', fields({ 10: 3 }, { vers: 'precedent' })), { headers: { location: `${base}/feuille/1` } });
  t.same(await device.known(), { 0: 0, 9: 2, 10: 3 });
  const chosen = [...(await get('/feuille/1')).body.matchAll(/value="([^"]*)" checked/g)].map(([, value]) => value);
  t.same(chosen, [exam.questions[0]?.choices[0], exam.questions[9]?.choices[2]], 'the answers stay chosen');
  const knownAnswer: [string, string] = [`r-${exam.questions[9]?.id}`, exam.questions[9]?.choices[1] ?? ''];
  await post('feuille/1', [[`r-${exam.questions[0]?.id}`, ''], knownAnswer]);
  t.same(await device.known(), { 9: 1, 10: 3 }, "an answer is changed, and 'Je ne sais pas' takes one back");
  t.match(await post('feuille/3', fields({}, { vers: 'suivant' })), { headers: { location: `${base}/remise` } });

  const asked = await get('/remise');
  t.match(readText(asked.body), /21 questions n'ont pas de réponse.*Question 1 .*Remettre ma copie quand même/);
  t.match(asked.body, `href="${base}/feuille/3#q-${exam.questions[22]?.id}"`);
  t.match(await post('remise'), { statusCode: 200, body: /role="alert"/ }, 'asks once');
  t.match(await get('/feuille/1'), { statusCode: 200 });
  t.match(await post('remise', { incomplet: 'oui' }), { statusCode: 303, headers: { location: base } });
  t.match(readText((await get('')).body), /Remise le .*Reçu : \w{4}-\w{4}/);
  t.match(await post('feuille/1', fields({ 1: 1 })), { statusCode: 303, headers: { location: base } });
  t.same(await device.known(), { 9: 1, 10: 3 }, 'nothing changes after the hand-in');
  const copy = await get('/copie');
  t.match(readText(copy.body), /2 sur 23 questions avec une réponse/);
  t.same(
    [...copy.body.matchAll(/value="([^"]*)" checked/g)].map(([, value]) => value),
    [exam.questions[9]?.choices[1], exam.questions[10]?.choices[3]],
  );
});

t.test('all kinds of questions are saved, and answers to other questions are not', async (t) => {
  const id = 'severalof001';
  const choices = ['aaaaaaaaaaaa', 'bbbbbbbbbbbb', 'cccccccccccc'].map((choice) => ({ id: choice, text: choice, right: true }));
  const { post, device, get } = await begun({
    papers: [
      { contenu: choiceQuestion({ id, choices, several: true }) + numberQuestion('numberof0001', '4') },
      { kind: 'pastExam', titre: 'Dissertation', contenu: '<p>Commentez.</p>' },
    ],
  });
  t.match(readText((await get('/feuille/2')).body), /Dissertation.*se rédige sur papier.*Commentez\./);
  await post('feuille/1', [
    [`r-${id}`, 'bbbbbbbbbbbb'],
    [`r-${id}`, 'aaaaaaaaaaaa'],
    ['r-numberof0001', ' quatre\0 '],
    ['r-inconnue', 'x'],
  ]);
  const page = (await get('/feuille/1')).body;
  t.equal(page.match(/ checked/g)?.length, 2);
  t.match(page, /name="r-numberof0001" value="quatre"/);
  advance(1);
  await post('feuille/1', [['r-numberof0001', '']]);
  t.notMatch((await get('/feuille/1')).body, / checked|value="quatre"/);
  t.same(await device.known(), {});
});

t.test('two tabs at the same time lose nothing', async (t) => {
  const { post, fields, device } = await begun({ questions: 12 });
  await post('feuille/1', fields({ 0: 1 }));
  clock.advance(10);
  await Promise.all([post('feuille/1', fields({ 0: 1, 1: 2 })), post('feuille/2', fields({ 10: 3 }))]);
  t.same(await device.known(), { 0: 1, 1: 2, 10: 3 });
});

t.test('when the time is over the copy is handed in with the pages saved before', async (t) => {
  const { post, fields, device, get, base } = await begun({ questions: 3 });
  await post('feuille/1', fields({ 0: 1 }));
  advance(60);
  t.match(await post('feuille/1', fields({ 1: 2 })), { statusCode: 303, headers: { location: base } });
  t.match(readText((await get('')).body), /Le temps était écoulé : votre copie a été remise/);
  t.same(await device.known(), { 0: 1 });
  t.match(await get('/copie'), { statusCode: 200 });
});

t.test('nothing begins without access or outside of the window', async (t) => {
  const { exam, base } = await begun();
  const learner = await createCandidate(home, exam, -1);
  const begin = () => submit(app, `${base}/debut`, {}, learner.session);
  t.match(await begin(), { statusCode: 303, headers: { location: base } });
  t.match(await visit(app, `${base}/feuille/1`, learner.session), { statusCode: 303, headers: { location: base } });
  t.match(await visit(app, `${base}/copie`, learner.session), { statusCode: 303, headers: { location: base } });
  const [row] = await kernel.fork().execute('select count(*)::int as count from exam_sitting where user_id = ?', [learner.id]);
  t.same(row, { count: 0 });
  t.match(await submit(app, `${base}/feuille/1`, {}), { statusCode: 303, headers: { location: /connexion/ } });
});
