import t from 'tap';
import { createTestApp, visit } from '../../../../../test/support/app.ts';
import { createCandidate, examPhone } from '../../../../../test/support/exam-phone.ts';
import { createOpenExam, minuteMs, passExam, type TestExam } from '../../../../../test/support/exams.ts';
import { createAdministrator } from '../../../../../test/support/factories.ts';
import { resultsOf } from '../../../../../test/support/marked-exams.ts';
import { sql } from '../../../../../test/support/sql.ts';
import { actorOf } from '../../../identity/index.ts';
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
  t.same(await device.known(), { 0: 0, 1: 0 });
  await markExam(em(), context, exam.id);
  t.same(await rights(exam), [2]);
  await decide(false);
  t.same(await rights(exam), [2], 'what was accepted before stays');
  await decide(true);
  t.same(await rights(exam), [3]);
  await decide(false);
  t.same(await rights(exam), [1], 'an acceptance is taken back');
});

t.test('after the publication nothing arrives and nothing is decided, before and after the batches are pruned', async (t) => {
  const { exam, learner, device, during } = await lateCopy();
  await device.answer([[1, 0, during]]);
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
