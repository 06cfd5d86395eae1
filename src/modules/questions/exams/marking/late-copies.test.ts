import t from 'tap';
import { call, createTestApp, visit } from '../../../../../test/support/app.ts';
import { createCandidate, examPhone } from '../../../../../test/support/exam-phone.ts';
import { createOpenExam, createSitting, minuteMs, passExam, type TestExam } from '../../../../../test/support/exams.ts';
import { createAdministrator, createLearner } from '../../../../../test/support/factories.ts';
import { resultsOf } from '../../../../../test/support/marked-exams.ts';
import { holding, sql, untilBlocked } from '../../../../../test/support/sql.ts';
import { receiptOf } from '../../../../shared/exams/receipt.ts';
import type { Given } from '../../../../shared/questions/grade.ts';
import { actorOf } from '../../../identity/index.ts';
import { storeHandIn } from '../sittings/sitting.repository.ts';
import { decideLate, markExam, publishResults } from './marking.service.ts';

const home = await createTestApp(t);
const { app, kernel, clock, databaseUrl } = home;
const { context } = kernel;
const em = () => kernel.fork();
const actor = actorOf(await createAdministrator(home));

/** A candidate who began with the exam, and whose first answers arrive after the marking became possible. */
async function lateCopy() {
  const exam = await createOpenExam(home);
  const learner = await createCandidate(home, exam);
  const device = examPhone(home, exam, learner);
  await device.answer([[0, 0]]);
  passExam(home, exam);
  clock.advance(5 * minuteMs);
  const during = exam.opensAt.getTime() + 5 * minuteMs;
  const decide = async (accepted: boolean) => {
    clock.advance(minuteMs);
    await decideLate(em(), context, actor, { examId: exam.id, userId: learner.id, accepted });
    clock.advance(minuteMs);
  };
  return { exam, learner, device, during, decide };
}

const late = async ({ id }: TestExam) =>
  (await sql<{ late: string | null }>(databaseUrl, 'select late from exam_sitting where exam_id = $1', [id]))[0]?.late;
const rights = async ({ id }: TestExam) => [...(await resultsOf(home, id)).values()].map((result) => result.rights);

t.test('an acceptance covers only what had arrived by then; later answers wait for a decision of their own', async (t) => {
  const { exam, device, during, decide } = await lateCopy();
  await device.answer([[1, 0, during]]);
  await decide(true);
  await device.answer([[2, 0, during]]);
  t.equal(await late(exam), 'waiting');
  t.same(await device.known(), { 0: 0, 1: 0, 2: 0 }, 'the candidate still reads what waits');
  await markExam(em(), context, exam.id);
  t.same(await rights(exam), [2]);
  await decide(false);
  t.same(await rights(exam), [2], 'what was accepted before stays');
  t.same(await device.known(), { 0: 0, 1: 0 });
  await decide(true);
  t.same(await rights(exam), [3]);
  await decide(false);
  t.same(await rights(exam), [1], 'an acceptance is taken back');
});

t.test('a copy that began while the exam was being marked is accepted, though its candidate never hands in', async (t) => {
  const { exam, during } = await lateCopy();
  await markExam(em(), context, exam.id);
  const learner = await createCandidate(home, exam);
  await createSitting(home, exam, learner);
  await examPhone(home, exam, learner).answer([[0, 0, during]]);
  await decideLate(em(), context, actor, { examId: exam.id, userId: learner.id, accepted: true });
  t.match((await resultsOf(home, exam.id)).get(learner.id), { rights: 1 });
});

t.test('after the publication nothing arrives and nothing is decided, before and after the batches are pruned', async (t) => {
  const { exam, learner, device, during } = await lateCopy();
  await device.answer([[1, 0, during]]);
  const copy = async () => (await visit(app, `/user/concours-blancs/${exam.id}/copie`, learner.session)).body;
  const waiting = "2 sur 3</strong> questions avec une réponse. Celles arrivées après le délai attendent la décision de l'organisateur.";
  t.match(await copy(), waiting);
  await markExam(em(), context, exam.id);
  await publishResults(em(), context, actor, exam.id);
  const before = await sql(databaseUrl, 'select * from exam_result where exam_id = $1', [exam.id]);
  const refused = { statusCode: 409, body: /Les résultats sont publiés : cette copie ne peut plus être complétée\./ };
  for (const isPruned of [false, true]) {
    if (isPruned) await sql(databaseUrl, 'delete from exam_batch where exam_id = $1', [exam.id]);
    else
      t.equal(
        (await device.answer([[1, 0, during]], { numero: 2 })).statusCode,
        200,
        'a batch that is repeated is answered like the first',
      );
    t.match(await copy(), '1 sur 3</strong> questions avec une réponse.');
    const batches = () => sql(databaseUrl, 'select count(*)::int as n from exam_batch where exam_id = $1', [exam.id]);
    const stored = await batches();
    t.match(await device.answer([[2, 0, during]]), refused);
    t.match(await device.handIn([[2, 0, during]]), refused);
    t.equal((await device.handIn()).statusCode, 200, 'a hand-in without answers is answered');
    t.same(await batches(), stored);
    for (const accepted of [true, false])
      await t.rejects(decideLate(em(), context, actor, { examId: exam.id, userId: learner.id, accepted }), {
        code: 'EXAM.PUBLISHED',
        status: 409,
      });
    await markExam(em(), context, exam.id);
    t.same(await sql(databaseUrl, 'select * from exam_result where exam_id = $1', [exam.id]), before);
  }
  const page = await visit(app, `/user/concours-blancs/${exam.id}/resultat`, learner.session);
  t.match(page.body, 'Vos réponses arrivées après le délai ne comptent pas.');
});

t.test('late answers are stored while a marking runs', async (t) => {
  const { exam, device, during } = await lateCopy();
  const other = await createOpenExam(home);
  const elsewhere = examPhone(home, other, await createCandidate(home, other));
  let over = false;
  const { marking } = await holding(databaseUrl, 'lock table exam_result in exclusive mode', async () => {
    const marking = markExam(em(), context, exam.id).finally(() => {
      over = true;
    });
    await untilBlocked(databaseUrl, 1, () => over);
    const sent = await Promise.all([device.answer([[1, 0, during]]), elsewhere.answer([[0, 0]])]);
    t.same(
      sent.map(({ statusCode }) => statusCode),
      [200, 200],
    );
    t.notOk(over, 'the marking still runs');
    return { marking };
  });
  await marking;
  t.same(await rights(exam), [1]);
});

t.test('the marking and hand-ins lock sittings in the order of their primary key', async (t) => {
  const exam = await createOpenExam(home);
  const [one, two, three] = [await createLearner(home), await createLearner(home), await createLearner(home)];
  const [low, high] = one.id < two.id ? [one, two] : [two, one];
  for (const learner of [high, low, three]) await createSitting(home, exam, learner);
  passExam(home, exam);
  const handIn = (learner: string) =>
    storeHandIn(em(), { exam: exam.id, learner, at: clock.now().getTime(), known: null, ending: 'candidate', receipt: 'BBBB-BBBB' });
  const works: Record<string, () => Promise<unknown>> = {
    // The first hand-in is a statement of its own, the others are one.
    'hand-ins': () => Promise.all([handIn(three.id), handIn(high.id), handIn(low.id)]),
    marking: () => markExam(em(), context, exam.id),
  };
  for (const [name, work] of Object.entries(works)) {
    await sql(databaseUrl, 'update exam_sitting set handed_in_at = null, ending = null, receipt = null where exam_id = $1', [exam.id]);
    await sql(databaseUrl, 'delete from exam_sitting where exam_id = $1 and user_id = $2', [exam.id, low.id]);
    await createSitting(home, exam, low);
    let over = false;
    const { working } = await holding(
      databaseUrl,
      `select from exam_sitting where exam_id = ${exam.id} and user_id = '${low.id}' for update`,
      async () => {
        const working = work().finally(() => {
          over = true;
        });
        await untilBlocked(databaseUrl, 1, () => over);
        t.same(
          await sql(databaseUrl, 'select user_id from exam_sitting where exam_id = $1 and user_id = $2 for update skip locked', [
            exam.id,
            high.id,
          ]),
          [{ user_id: high.id }],
          `${name}: nothing is locked behind a row that is waited for`,
        );
        return { working };
      },
    );
    await working;
  }
});

t.test('nobody begins once the copies are marked, whenever they say that they began', async (t) => {
  const exam = await createOpenExam(home);
  const [first, learner] = [await createCandidate(home, exam), await createCandidate(home, exam)];
  await examPhone(home, exam, first).start();
  const during = clock.now().getTime() + minuteMs;
  passExam(home, exam);
  await markExam(em(), context, exam.id);
  for (const refused of [
    await examPhone(home, exam, learner).start(during),
    await examPhone(home, exam, learner).handIn([[0, 0, during]], { debut: during }),
  ])
    t.match(refused, { statusCode: 409, body: /fermé/ });
  t.same(await sql(databaseUrl, 'select from exam_sitting where user_id = $1', [learner.id]), []);
  t.equal((await examPhone(home, exam, first).answer([[0, 0, during]])).statusCode, 200, 'a sitting that had begun still sends');
});

t.test('a hand-in after that of the site gets a receipt, and says that answers came late', async (t) => {
  const { exam, learner, device, during } = await lateCopy();
  t.match((await device.answer([])).json(), { tard: false, remis: null });
  await markExam(em(), context, exam.id);
  const at = clock.now();
  clock.advance(minuteMs);
  // Of the answers on the phone: the first, which came in time, and the late one.
  const answers = exam.questions.slice(0, 2).map(({ id, choices: [choice = ''] }): [string, Given] => [id, { choices: [choice] }]);
  const recu = await receiptOf(new Map(answers), at.getTime());
  const expected = { tard: true, remis: { le: at.getTime(), recu, fin: 'site' } };
  t.match((await device.handIn([[1, 0, during]], { fin: 'time' })).json(), expected);
  clock.advance(minuteMs);
  t.match((await device.handIn([[2, 0, during]])).json(), expected, 'a second one too');
  const { body } = await call(app, { url: `/api/concours-blancs/${exam.id}/participation`, session: learner.session });
  t.match(JSON.parse(body), { sitting: expected });
});
