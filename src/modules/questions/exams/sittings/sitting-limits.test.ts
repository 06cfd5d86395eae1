import t from 'tap';
import { call, createTestApp } from '../../../../../test/support/app.ts';
import { createCandidate, examPhone } from '../../../../../test/support/exam-phone.ts';
import { createOpenExam, minuteMs } from '../../../../../test/support/exams.ts';
import { readRows } from '../../../../platform/database/rows.ts';

const home = await createTestApp(t);
const { app, kernel, clock } = home;
const now = () => clock.now().getTime();
const advance = (minutes: number) => clock.advance(minutes * minuteMs);

async function begun() {
  const exam = await createOpenExam(home);
  const learner = await createCandidate(home, exam);
  return { exam, learner, device: examPhone(home, exam, learner) };
}

t.test('of several answers to a question a batch keeps the newest, and the newest before the end', async (t) => {
  const { exam, device } = await begun();
  await device.start();
  const end = now() + 60 * minuteMs;
  const stored = async () =>
    (
      await readRows<{ n: number }>(
        kernel.fork(),
        'select jsonb_array_length(answers) as n from exam_batch where exam_id = ? order by number',
        [exam.id],
      )
    ).map(({ n }) => n);
  await device.answer(Array.from({ length: 300 }, (_, at) => [at % 2, at % 4, now() + at]));
  t.same(await stored(), [2]);
  t.same(await device.known(), { 0: 2, 1: 3 });
  advance(61);
  await device.answer([
    [0, 0, end - 3],
    [0, 1, end - 1],
    [0, 3, end - 2],
    [0, 2, end + 1],
    [0, 3, end + 2],
  ]);
  t.same(await stored(), [2, 2]);
  t.same(await device.known(), { 0: 1, 1: 3 }, 'an answer in time is not lost behind a later one');
});

t.test('a sitting takes 1,500 batches, then only its hand-in', async (t) => {
  const { exam, device } = await begun();
  await device.answer([[0, 1]]);
  const fill = (from: number, to: number) =>
    kernel.fork().execute(
      `insert into exam_batch select exam_id, user_id, device, n, sent_at, received_at, answers, network
       from exam_batch, generate_series(?::int, ?::int) n where exam_id = ? and number = 1`,
      [from, to, exam.id],
    );
  await fill(2, 1_499);
  advance(1);
  t.equal((await device.answer([[1, 2]], { numero: 1_500 })).statusCode, 200);
  t.match(await device.answer([[2, 3]], { numero: 1_501 }), { statusCode: 429, body: /Trop d'envois pour cette copie/ });
  t.equal((await device.answer([[1, 2]], { numero: 1_500 })).statusCode, 200, 'a batch that is repeated is answered like the first');
  t.match((await device.handIn()).json(), { remis: { fin: 'candidate' } });
  t.same(await readRows(kernel.fork(), 'select count(*)::int as n from exam_batch where exam_id = ?', [exam.id]), [{ n: 1_500 }]);
});

t.test('a learner reads their sitting thirty times in a minute', async (t) => {
  const { exam, learner, device } = await begun();
  await device.start();
  const codes: number[] = [];
  for (let at = 0; at < 31; at += 1)
    codes.push((await call(app, { url: `/api/concours-blancs/${exam.id}/participation`, session: learner.session })).statusCode);
  t.same(codes, [...Array.from({ length: 30 }, () => 200), 429]);
});
