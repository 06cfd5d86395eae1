import t from 'tap';
import { createTestApp } from '../../../../../test/support/app.ts';
import { createAdministrator, createLearner } from '../../../../../test/support/factories.ts';
import { insertExam, insertSitting, resultsOf, sit } from '../../../../../test/support/marked-exams.ts';
import { choiceQuestion, numberQuestion, textQuestion } from '../../../../../test/support/questions.ts';
import { holding, sql, untilBlocked } from '../../../../../test/support/sql.ts';
import { actorOf } from '../../../identity/index.ts';
import type { CorrectedKey } from './corrected-key.ts';
import { correctQuestion } from './correction.service.ts';
import { decideLate, markExam, publishResults } from './marking.service.ts';

const home = await createTestApp(t);
const { kernel, databaseUrl, clock } = home;
const { context } = kernel;
const actor = actorOf(await createAdministrator(home));
const em = () => kernel.fork();
const people = await Promise.all(Array.from({ length: 3 }, () => createLearner(home)));
const [ada, ben, cyr] = people.map(({ id }) => id) as [string, string, string];
const choices = ['a', 'b', 'c'].map((id) => ({ id, text: id, right: id === 'a' }));

/** Ada has all right, Ben answers 'b' and '8', Cyr never hands in. */
async function prepared() {
  const exam = await insertExam(home, {
    papers: [
      {
        contenu:
          choiceQuestion({ id: 'serviceone01', choices, points: 2 }) +
          numberQuestion('servicenum01', '7') +
          textQuestion('servicetxt01', ['Yaoundé']),
      },
    ],
  });
  await sit(home, exam, ada, { serviceone01: { choices: ['a'] }, servicenum01: { typed: '7' }, servicetxt01: { typed: 'yaounde' } });
  await sit(home, exam, ben, { serviceone01: { choices: ['b'] }, servicenum01: { typed: '8' } });
  await insertSitting(home, exam, cyr, { handedInAt: null });
  const ranks = async () => {
    const results = await resultsOf(home, exam.id);
    return [ada, ben, cyr].map((user) => `${results.get(user)?.points} (${results.get(user)?.rank})`);
  };
  const correct = (questionId: string, standing: 'counted' | 'neutralised' | 'given', key?: CorrectedKey, reason = 'Une raison') =>
    correctQuestion(em(), context, actor, { examId: exam.id, questionId, standing, key, reason });
  return { exam, ranks, correct };
}

t.test('copies are marked after the grace only; who did not come back is handed in by the site', async (t) => {
  const { exam, ranks } = await prepared();
  clock.advance(-31 * 60_000);
  await t.rejects(markExam(em(), context, exam.id), { code: 'EXAM.OPEN', status: 409, message: /^Des copies peuvent encore arriver : / });
  clock.advance(31 * 60_000);
  await t.rejects(markExam(em(), context, 2_000_000_000), { code: 'RESOURCE.NOT_FOUND' });
  await markExam(em(), context, exam.id);
  t.same(await ranks(), ['4 (1)', '0 (2)', '0 (2)']);
  t.match(await sql(databaseUrl, 'select ending, handed_in_at from exam_sitting where exam_id = $1 and user_id = $2', [exam.id, cyr]), [
    { ending: 'site', handed_in_at: clock.now() },
  ]);
});

t.test('an exam without a candidate is marked', async (t) => {
  const exam = await insertExam(home, { papers: [{ contenu: numberQuestion('nobody000001', '7') }] });
  t.same(await markExam(em(), context, exam.id), { candidates: 0 });
});

t.test('a rule with large numbers is marked', async (t) => {
  const contenu = numberQuestion('largenum0001', '7') + numberQuestion('largenum0002', '7');
  const exam = await insertExam(home, { papers: [{ contenu }], bareme: { juste: 1_000_000, faux: -1_000_000, sans: 0 } });
  await sit(home, exam, ada, { largenum0001: { typed: '7' }, largenum0002: { typed: '7' } });
  await sit(home, exam, ben, { largenum0001: { typed: '8' }, largenum0002: { typed: '8' } });
  await markExam(em(), context, exam.id);
  const results = await resultsOf(home, exam.id);
  t.same([results.get(ada)?.points, results.get(ben)?.points], [2_000_000, -2_000_000]);
});

t.test('a corrected key, a given point and a neutralised question change all results, each with its journal', async (t) => {
  const { exam, ranks, correct } = await prepared();
  await correct('servicenum01', 'counted', { value: '8' });
  t.same(
    await ranks(),
    ['undefined (undefined)', 'undefined (undefined)', 'undefined (undefined)'],
    'before the marking nothing is marked',
  );
  await markExam(em(), context, exam.id);
  t.same(await ranks(), ['3 (1)', '1 (2)', '0 (3)']);
  await correct('serviceone01', 'counted', { right: ['b'] });
  t.same(await ranks(), ['1 (2)', '3 (1)', '0 (3)']);
  await correct('serviceone01', 'given');
  t.same(await ranks(), ['3 (1)', '3 (1)', '2 (3)']);
  await correct('servicetxt01', 'neutralised', undefined, 'Deux réponses');
  t.same(await ranks(), ['2 (2)', '3 (1)', '2 (2)']);
  await correct('servicetxt01', 'counted', { accepted: ['Douala', 'YAOUNDE'] });
  t.same(await ranks(), ['3 (1)', '3 (1)', '2 (3)']);
  const rows = await sql(databaseUrl, 'select question_id, standing, reason from exam_correction where exam_id = $1 order by id', [
    exam.id,
  ]);
  t.equal(rows.length, 5);
  t.match(rows[3], { question_id: 'servicetxt01', standing: 'neutralised', reason: 'Deux réponses' });
  const journal = await sql<{ action: string; after: object }>(
    databaseUrl,
    `select action, after from audit_entry where subject = 'exam' and subject_id = $1 order by id`,
    [String(exam.id)],
  );
  t.match(journal[3], { action: 'corrected', after: { question: 3, standing: 'neutralised', reason: 'Deux réponses' } });
});

t.test('a correction that cannot be made changes nothing', async (t) => {
  const { exam, correct, ranks } = await prepared();
  await markExam(em(), context, exam.id);
  const before = await ranks();
  const refused: [Parameters<typeof correct>, RegExp][] = [
    [['serviceone01', 'counted', { right: [] }], /au moins un choix juste/],
    [['serviceone01', 'counted', { right: ['a', 'b'] }], /qu'un choix juste/],
    [['serviceone01', 'counted', { right: ['z'] }], /n'est pas dans la question/],
    [['servicenum01', 'counted', { value: 'sept' }], /n'est pas un nombre/],
    [['servicetxt01', 'counted', { accepted: [' '] }], /au moins une réponse acceptée/],
    [['servicetxt01', 'counted'], /Rien ne change/],
    [['servicetxt01', 'given', undefined, ' '], /Donnez la raison/],
    [['servicetxt01', 'given', undefined, 'x'.repeat(501)], /au plus 500 caractères/],
  ];
  for (const [[id, standing, key, reason], message] of refused)
    await t.rejects(correct(id, standing, key, reason), { status: 400, message });
  await t.rejects(correct('unknown00001', 'given'), { code: 'RESOURCE.NOT_FOUND' });
  t.same(await ranks(), before);
  t.same(await sql(databaseUrl, 'select from exam_correction where exam_id = $1', [exam.id]), []);
});

t.test('publication and corrections after it are announced in their transactions, once', async (t) => {
  const { exam, correct, ranks } = await prepared();
  const heard: unknown[] = [];
  let refuse = false;
  const events = Object.assign(Object.create(context.events) as typeof context.events, {
    emit: async (_tx: unknown, _context: unknown, name: string, payload: object) => {
      if (refuse) throw new Error('no room');
      heard.push([name, payload]);
    },
  });
  const listening = { ...context, events };
  await t.rejects(publishResults(em(), listening, actor, exam.id), { code: 'EXAM.UNMARKED' });
  await markExam(em(), listening, exam.id);
  await correct('servicenum01', 'neutralised');
  t.same(heard, [], 'nobody is told before the publication');
  await publishResults(em(), listening, actor, exam.id);
  await t.rejects(publishResults(em(), listening, actor, exam.id), { code: 'EXAM.PUBLISHED' });
  const again = { examId: exam.id, questionId: 'servicenum01', standing: 'given' as const, reason: 'Trop difficile' };
  await correctQuestion(em(), listening, actor, again);
  t.match(heard, [
    ['exam.published', { examId: exam.id, titre: 'Concours blanc' }],
    ['exam.remarked', { examId: exam.id, correctionId: Number }],
  ]);
  const before = await ranks();
  refuse = true;
  await t.rejects(correctQuestion(em(), listening, actor, { ...again, standing: 'neutralised' }), /no room/);
  t.same(await ranks(), before, 'a notice that fails leaves the results as they were');
});

t.test('answers stay after their batches are pruned', async (t) => {
  const { exam, correct, ranks } = await prepared();
  await markExam(em(), context, exam.id);
  await publishResults(em(), context, actor, exam.id);
  await sql(databaseUrl, `update exam_sitting set late = 'waiting' where exam_id = $1 and user_id = $2`, [exam.id, ben]);
  await sql(databaseUrl, 'delete from exam_batch where exam_id = $1', [exam.id]);
  await markExam(em(), context, exam.id);
  await correct('servicenum01', 'given');
  t.same(await ranks(), ['4 (1)', '1 (2)', '1 (2)']);
  await t.rejects(decideLate(em(), context, actor, { examId: exam.id, userId: ben, accepted: true }), {
    code: 'EXAM.PUBLISHED',
    status: 409,
    message: /ne se décident plus/,
  });
  await t.rejects(decideLate(em(), context, actor, { examId: exam.id, userId: ada, accepted: true }), { code: 'EXAM.PUBLISHED' });
  t.same(await ranks(), ['4 (1)', '1 (2)', '1 (2)']);
});

t.test('two markings wait for each other, and batches do not wait for them', async (t) => {
  const { exam, correct, ranks } = await prepared();
  await markExam(em(), context, exam.id);
  let over = false;
  const both = await holding(databaseUrl, `select from exam where id = ${exam.id} for no key update`, async () => {
    const waiting = Promise.all([correct('servicenum01', 'given'), correct('servicetxt01', 'given')]).finally(() => {
      over = true;
    });
    await untilBlocked(databaseUrl, 2, () => over);
    t.notOk(over, 'both wait for the marking that runs');
    await sql(databaseUrl, `insert into exam_batch values ($1, $2, gen_random_uuid(), 9, now(), now(), '[]', 'n')`, [exam.id, ada]);
    return { waiting };
  });
  await both.waiting;
  t.same(await ranks(), ['4 (1)', '2 (2)', '2 (2)']);
});
