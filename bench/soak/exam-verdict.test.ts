import t from 'tap';
import { markExam } from '../../src/modules/questions/exams/marking/marking.service.ts';
import { createTestApp } from '../../test/support/app.ts';
import { createBatch, createOpenExam, createSitting, passExam } from '../../test/support/exams.ts';
import { sql } from '../../test/support/sql.ts';
import { insertLearners } from '../support/fixtures.ts';
import { compareExam } from './exam-verdict.ts';

// The soak's comparison finds what it looks for.

t.test('a lost answer, a lost hand-in, a double batch and a wrong rank are found', async (t) => {
  const home = await createTestApp(t);
  const { kernel, databaseUrl } = home;
  await insertLearners(databaseUrl, 1, 3);
  const ids = (await sql<{ id: string }>(databaseUrl, 'select id from app_user order by username')).map(({ id }) => ({ id }));
  const exam = await createOpenExam(home, { audience: 'learners' });
  // Choices of the three questions by candidate: 2, 1 and 1 right.
  const told = { answers: ['001', '03-', '1-0'], batches: [1, 1, 1], handedIn: [true, true, false] };
  for (const [index, learner] of ids.entries()) {
    await createSitting(home, exam, learner, { handedIn: told.handedIn[index] ? 30 : null });
    const answers = [...(told.answers[index] ?? '')].flatMap((digit, at) => {
      const question = exam.questions[at];
      return digit === '-' ? [] : [{ q: question?.id ?? '', g: { choices: [question?.choices[Number(digit)] ?? ''] } }];
    });
    await createBatch(home, exam, learner, { answers });
  }
  passExam(home, exam);
  await markExam(kernel.fork(), kernel.context, exam.id);
  const compare = (changes: Partial<typeof told> = {}) =>
    compareExam(databaseUrl, exam, {
      ...told,
      ...changes,
      unacknowledged: 0,
      repeated: 0,
      refused: 0,
      times: { paper: [], key: [], batch: [], handIn: [] },
    });
  const none = { answers: 7, lost: 0, double: 0, ranks: 0 };
  t.same(await compare(), none);
  t.match(await compare({ answers: ['001', '030', '1-0'] }), { lost: 1 }, 'an acknowledged answer that does not count');
  t.match(await compare({ answers: ['001', '02-', '1-0'] }), { lost: 1 }, 'another choice');
  t.match(await compare({ answers: ['001', '0--', '1-0'] }), { lost: 1 }, 'an answer that nobody gave');
  t.same(await compare({ handedIn: [true, true, true] }), { ...none, lost: 1 });
  t.same(await compare({ batches: [1, 2, 1] }), { ...none, double: 1 });
  await sql(databaseUrl, 'update exam_result set rank = 3 where exam_id = $1 and user_id = $2', [exam.id, ids[2]?.id]);
  t.same(await compare(), { ...none, ranks: 1 }, 'equal points with different ranks');
  await sql(databaseUrl, 'delete from exam_result where exam_id = $1 and user_id = $2', [exam.id, ids[2]?.id]);
  t.same(await compare(), { ...none, lost: 2, ranks: 1 });
});
