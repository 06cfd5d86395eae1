import { randomUUID } from 'node:crypto';
import t from 'tap';
import { createTestApp, openCommands, visit } from '../../../../test/support/app.ts';
import { createCandidate, examPhone } from '../../../../test/support/exam-phone.ts';
import { createOpenExam, passExam } from '../../../../test/support/exams.ts';
import { createAdministrator } from '../../../../test/support/factories.ts';
import { holding, sql, untilBlocked } from '../../../../test/support/sql.ts';
import { actorOf, eraseLearner, terminal } from '../../identity/index.ts';
import { markExam, publishResults } from '../exams/marking/marking.service.ts';
import { storeArrival } from '../exams/sittings/sitting.repository.ts';

const home = await createTestApp(t);
const { app, kernel, clock, databaseUrl } = home;
const { context } = kernel;
const em = () => kernel.fork();
const actor = actorOf(await createAdministrator(home));
const commands = await openCommands(t, home);
const erase = (email: string) => eraseLearner(commands.fork(), commands.context, terminal, email);

/** Three candidates, the first with three right answers, the last with one. */
async function threeCandidates() {
  const exam = await createOpenExam(home);
  const candidates = [];
  for (const rights of [3, 2, 1]) {
    const candidate = await createCandidate(home, exam);
    candidates.push(candidate);
    await examPhone(home, exam, candidate).answer([0, 1, 2].map((question) => [question, question < rights ? 0 : 1]));
  }
  passExam(home, exam);
  return { exam, candidates };
}

t.test('an erasure ranks the remaining candidates of published results', async (t) => {
  const { exam, candidates } = await threeCandidates();
  await markExam(em(), context, exam.id);
  await publishResults(em(), context, actor, exam.id);
  const read = async (index: number) => {
    const { body } = await visit(app, `/user/concours-blancs/${exam.id}/resultat`, candidates[index]?.session);
    return /\d+(?:e|er|re) sur \d+/.exec(body.replaceAll(/<[^>]+>/g, ''))?.[0];
  };
  t.equal(await read(2), '3e sur 3');
  await erase(candidates[0]?.email ?? '');
  t.same([await read(1), await read(2)], ['1er sur 2', '2e sur 2']);
});

t.test('an erasure waits for a marking, and leaves no result of the learner', async (t) => {
  const { exam, candidates } = await threeCandidates();
  const [erased] = candidates;
  await markExam(em(), context, exam.id);
  let over = false;
  const { erasing } = await holding(databaseUrl, `select from exam where id = ${exam.id} for no key update`, async (marking) => {
    const erasing = erase(erased?.email ?? '').finally(() => {
      over = true;
    });
    await untilBlocked(databaseUrl, 1, () => over);
    t.notOk(over, 'the erasure waits');
    await marking('update exam_result set points = points');
    return { erasing };
  });
  await erasing;
  t.same(await sql(databaseUrl, 'select rank from exam_result where exam_id = $1 order by rank', [exam.id]), [{ rank: 1 }, { rank: 2 }]);
});

t.test('answers of an erased learner are not stored', async (t) => {
  const exam = await createOpenExam(home, { audience: 'learners' });
  const { id, email } = await createCandidate(home, exam);
  await erase(email);
  const at = clock.now().getTime();
  const batch = { device: randomUUID(), number: 1, sent: at, answers: [], network: '' };
  t.match(await storeArrival(em(), { exam: exam.id, learner: id, at, started: at, batch }), { refusal: 'gone' });
  t.same(await sql(databaseUrl, 'select from exam_sitting where user_id = $1', [id]), []);
});
