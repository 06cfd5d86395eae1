import { randomUUID } from 'node:crypto';
import t from 'tap';
import { call, createTestApp } from '../../../../../test/support/app.ts';
import { createCandidate, examPhone } from '../../../../../test/support/exam-phone.ts';
import { createAnnouncedExam, createOpenExam, type ExamValues, minuteMs, type TestExam } from '../../../../../test/support/exams.ts';
import { createLearner } from '../../../../../test/support/factories.ts';
import { readRows } from '../../../../platform/database/rows.ts';
import { receiptOf } from '../../../../shared/exams/receipt.ts';
import { findNewestAnswers } from './newest-answers.ts';
import { handIn, takeBatch } from './sitting.service.ts';

const home = await createTestApp(t);
const { app, kernel, clock } = home;
const now = () => clock.now().getTime();
const advance = (minutes: number) => clock.advance(minutes * minuteMs);

const phone = (exam: TestExam, learner: { session: string }) => examPhone(home, exam, learner);
const candidate = (exam: TestExam, days?: number) => createCandidate(home, exam, days);

async function begun(values: ExamValues = {}) {
  const exam = await createOpenExam(home, values);
  const learner = await candidate(exam);
  return { exam, learner, device: phone(exam, learner) };
}

const sittingOf = async (exam: TestExam, { id }: { id: string }) =>
  (
    await readRows<{
      startedAt: string;
      endsAt: string;
      late: string | null;
      receipt: string | null;
      ending: string | null;
      batches: number;
    }>(
      kernel.fork(),
      `select started_at, ends_at, late, receipt, ending, (select count(*)::int from exam_batch b where b.exam_id = s.exam_id and b.user_id = s.user_id) as batches
       from exam_sitting s where exam_id = ? and user_id = ?`,
      [exam.id, id],
    )
  )[0];

t.test('a start is between the opening and now, and an earlier one that arrives later shortens the time', async (t) => {
  const { exam, learner, device } = await begun();
  advance(10);
  t.match((await device.start(now() + 5 * minuteMs)).json(), { debut: now() }, 'not in the future');
  const offline = now() - 4 * minuteMs;
  t.match((await device.start(offline)).json(), { debut: offline, fin: offline + 60 * minuteMs });
  t.match((await device.start(now())).json(), { debut: offline }, 'a later one lengthens nothing');
  t.match((await device.start(0)).json(), { debut: exam.opensAt.getTime() }, 'not before the opening');
  await device.handIn();
  const late = await candidate(exam);
  advance(100);
  t.match((await phone(exam, late).start()).json(), { fin: exam.closesAt.getTime() }, 'at most to the closing');
  t.match(await sittingOf(exam, learner), { ending: 'candidate' });
});

t.test('nobody begins before the opening, after the closing, or without access', async (t) => {
  const exam = await createAnnouncedExam(home);
  const learner = await candidate(exam);
  const device = phone(exam, learner);
  t.match(await device.answer([[0, 0]]), { statusCode: 403, body: /n'a pas encore commencé/ });
  advance(60);
  const stranger = phone(exam, await createLearner(home));
  t.match(await stranger.handIn([[0, 0]]), { statusCode: 403, body: /réservé aux inscrits/ });
  t.equal((await call(app, { method: 'POST', url: `/api/concours-blancs/${exam.id}/reponses`, payload: {} })).statusCode, 401);
  advance(120);
  t.match(await device.answer([[0, 0]]), { statusCode: 409, body: /fermé/ });
  t.equal(await sittingOf(exam, learner), undefined);
  const offline = await device.answer([[0, 0, now() - 5 * minuteMs]], { debut: now() - 10 * minuteMs });
  t.match(offline.json(), { fin: exam.closesAt.getTime() }, 'who began without network before the closing is taken within the grace');
  t.match(await sittingOf(exam, learner), { batches: 1, late: null });
  t.equal((await phone({ ...exam, id: 2_147_483_647 }, learner).answer([])).statusCode, 404);
});

t.test('an exam for every learner asks for no access', async (t) => {
  const exam = await createOpenExam(home, { audience: 'learners' });
  t.equal((await phone(exam, await createLearner(home)).answer([[0, 0]])).statusCode, 200);
});

t.test('a sitting goes on when access ends, and access at the start is enough', async (t) => {
  const exam = await createOpenExam(home);
  const learner = await candidate(exam);
  const offline = await candidate(exam);
  const device = phone(exam, learner);
  await device.start();
  const startedAt = now();
  advance(10);
  await kernel
    .fork()
    .execute(`update enrolment set statut = 'expired', date_expiration = ?::timestamptz where prepa_id = ?`, [
      new Date(now() - minuteMs).toISOString(),
      exam.prepa.id,
    ]);
  t.equal((await device.answer([[0, 0]])).statusCode, 200);
  t.equal((await phone(exam, offline).answer([[0, 0]], { debut: startedAt })).statusCode, 200, 'began without network');
  t.equal((await phone(exam, await candidate(exam, -1)).answer([[0, 0]])).statusCode, 403);
});

t.test('an earlier start than that of a copy handed in makes nothing late', async (t) => {
  const { exam, learner, device } = await begun();
  advance(50);
  await device.start();
  const answeredAt = now();
  await device.handIn();
  advance(80);
  await phone(exam, learner).answer([[0, 1, answeredAt]], { debut: exam.opensAt.getTime() });
  t.match(await sittingOf(exam, learner), { late: null, batches: 1 });
});

t.test('a batch or a hand-in that is repeated after the grace is not late', async (t) => {
  const { exam, learner, device } = await begun();
  await device.answer([[0, 1]]);
  advance(100);
  await device.answer([[0, 1]], { numero: 1 });
  t.match((await device.handIn([], { fin: 'time' })).json(), { remis: { fin: 'time' } });
  t.match(await sittingOf(exam, learner), { late: null, batches: 1, ending: 'time' });
});

t.test('times of a phone with a wrong clock are corrected', async (t) => {
  const { device } = await begun();
  await device.start();
  const end = now() + 60 * minuteMs;
  advance(61);
  const ahead = 10 * minuteMs;
  await device.answer(
    [
      [0, 1, end - 1000 + ahead],
      [1, 1, end + 1000 + ahead],
    ],
    { envoye: now() + ahead },
  );
  t.same(await device.known(), { 0: 1 });
});

t.test('of two requests of one hand-in, the one that arrived first may finish last: the answers of both count', async (t) => {
  const { exam, learner, device } = await begun();
  await device.answer([]);
  const arrived = now();
  const [question] = exam.questions;
  const body = {
    appareil: randomUUID(),
    numero: 1,
    envoye: arrived + 5,
    debut: arrived,
    reponses: [{ q: question?.id ?? '', g: { choices: [question?.choices[1] ?? ''] }, t: arrived + 5 }],
    fin: 'candidate' as const,
  };
  // The answer is stored by the second request, 5 ms after the arrival of the first, which only finds it.
  const times = [arrived, arrived + 9];
  const context = { clock: { now: () => new Date(times.shift() ?? 0) } };
  const sitting = { userId: learner.id, examId: exam.id, network: 'n' };
  await takeBatch(kernel.fork(), { clock: { now: () => new Date(arrived + 5) } }, sitting, body);
  const { remis } = await handIn(kernel.fork(), context, sitting, body);
  const counted = await findNewestAnswers(kernel.fork(), exam.id, learner.id, new Date(arrived + minuteMs));
  t.same(
    counted.map(({ q }) => q),
    [question?.id],
  );
  t.equal(remis?.recu, await receiptOf(new Map(counted.map(({ q, g }) => [q, g])), remis?.le ?? 0));
});
