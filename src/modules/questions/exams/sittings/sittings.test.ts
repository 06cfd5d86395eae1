import { randomUUID } from 'node:crypto';
import t from 'tap';
import { createTestApp } from '../../../../../test/support/app.ts';
import { createCandidate, examPhone } from '../../../../../test/support/exam-phone.ts';
import { createBatch, createOpenExam, createSitting, type ExamValues, minuteMs, type TestExam } from '../../../../../test/support/exams.ts';
import { createLearner, createPrepa } from '../../../../../test/support/factories.ts';
import { textQuestion } from '../../../../../test/support/questions.ts';
import { seeded } from '../../../../../test/support/random.ts';
import { readRows } from '../../../../platform/database/rows.ts';
import { newestAnswers, type ReceivedBatch } from '../../../../shared/exams/answer-batch.ts';
import type { SittingView } from '../../../../shared/exams/exam-calls.ts';
import { receiptOf } from '../../../../shared/exams/receipt.ts';
import type { Given } from '../../../../shared/questions/grade.ts';
import { findNewestAnswers } from './newest-answers.ts';
import { storeHandIn } from './sitting.repository.ts';

const home = await createTestApp(t);
const { kernel, clock } = home;
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

t.test('repeated and reordered batches count once, the newest answer counts', async (t) => {
  const { exam, learner, device } = await begun();
  const first = await device.answer([
    [0, 1],
    [1, 1],
  ]);
  t.match(first.json(), {
    debut: now(),
    fin: now() + 60 * minuteMs,
    grace: 30,
    remis: null,
    appareils: [{ id: device.appareil, numero: 1 }],
  });
  advance(2);
  const early = now() - minuteMs;
  await device.answer([[0, 0]], { numero: 3 });
  await device.answer(
    [
      [0, 2, early],
      [2, 3, early],
    ],
    { numero: 2 },
  );
  const repeated = await device.answer([[0, 3]], { numero: 3 });
  t.match(repeated.json(), { appareils: [{ id: device.appareil, numero: 3 }] });
  t.same(await device.known(), { 0: 0, 1: 1, 2: 3 });
  t.match(await sittingOf(exam, learner), { batches: 3, late: null });
  await device.post('reponses', {
    appareil: device.appareil,
    numero: 4,
    envoye: now(),
    debut: now(),
    reponses: [{ q: exam.questions[1]?.id, g: null, t: now() }],
  });
  t.same(await device.known(), { 0: 0, 2: 3 }, 'an answer can be taken back');
});

t.test('two devices share one sitting', async (t) => {
  const { exam, learner, device } = await begun();
  await device.start();
  advance(1);
  const other = phone(exam, learner);
  await device.answer([[0, 1]]);
  const answered = await other.answer([[0, 2, now() + 1000]], { envoye: now() + 1000 });
  t.same(
    (answered.json() as SittingView).appareils.toSorted((one, two) => (one.id < two.id ? -1 : 1)),
    [device.appareil, other.appareil].sort().map((id) => ({ id, numero: 1 })),
  );
  t.equal((answered.json() as SittingView).debut, now() - minuteMs, 'its start is the first one');
  const handed = await device.handIn();
  t.match((await other.handIn([[1, 1]])).json(), { remis: (handed.json() as SittingView).remis }, 'the first hand-in counts');
});

t.test(
  'answers after the end do not count; those before it are taken until the end of the grace, then an administrator decides',
  async (t) => {
    const { exam, learner, device } = await begun();
    await device.start();
    const end = now() + 60 * minuteMs;
    advance(80);
    await device.answer([
      [0, 1, end],
      [1, 1, end + 1],
    ]);
    t.same(await device.known(), { 0: 1 });
    t.match(await sittingOf(exam, learner), { late: null });
    advance(10.001);
    t.match((await device.answer([[2, 1, end - 1]])).json(), { remis: null });
    t.same(await device.known(), { 0: 1, 2: 1 }, 'the candidate reads what waits');
    t.match(await sittingOf(exam, learner), { late: 'waiting', batches: 2 });
    await kernel
      .fork()
      .execute(`update exam_sitting set late = 'accepted', late_until = ? where exam_id = ?`, [clock.now().toISOString(), exam.id]);
    t.same(await device.known(), { 0: 1, 2: 1 });
  },
);

t.test('hand-ins at the same time get one receipt, of the answers that count', async (t) => {
  const { exam, learner, device } = await begun();
  await device.answer([
    [0, 1],
    [1, 2],
  ]);
  advance(5);
  const other = phone(exam, learner);
  const responses = await Promise.all([device.handIn([[1, 3]]), other.handIn(), device.handIn(), other.answer([[2, 0, now() - 1000]])]);
  const receipts = responses.slice(0, 3).map((response) => (response.json() as SittingView).remis);
  t.match(receipts[0], { le: now(), recu: /^\w{4}-\w{4}$/, fin: 'candidate' });
  t.same(
    receipts,
    Array.from({ length: 3 }, () => receipts[0]),
  );
  advance(1);
  t.match((await device.handIn([[0, 3]])).json(), { remis: receipts[0] }, 'repeated later');
  t.match(await device.known(), { 0: 1 }, 'an answer after the hand-in does not count');
  t.match(await sittingOf(exam, learner), { receipt: receipts[0]?.recu });
});

t.test('a second hand-in that another process stores at the same time changes nothing', async (t) => {
  const { exam, learner, device } = await begun();
  await device.start();
  const hand = (receipt: string, at: number) =>
    storeHandIn(kernel.fork(), { exam: exam.id, learner: learner.id, at, known: null, ending: 'candidate', receipt });
  const first = await hand('BBBB-BBBB', now());
  t.match(first, { receipt: 'BBBB-BBBB', handedInAt: clock.now() });
  t.same(await hand('CCCC-CCCC', now() + 1000), first);
});

t.test('a receipt is that of the answers on the phone', async (t) => {
  const { exam, device } = await begun();
  await device.answer([
    [1, 2],
    [0, 1],
  ]);
  const { remis } = (await device.handIn([[2, 0]])).json() as SittingView;
  const own = [1, 2, 0].map((choice, at): [string, Given] => [
    exam.questions[at]?.id ?? '',
    { choices: [exam.questions[at]?.choices[choice] ?? ''] },
  ]);
  t.equal(remis?.recu, await receiptOf(new Map(own), remis?.le ?? 0));
});

t.test('answers of one candidate are not taken for another who has signed in on the device', async (t) => {
  const { exam, learner, device } = await begun();
  const { candidat } = (await device.answer([[0, 1]])).json() as SittingView;
  const other = phone(exam, await candidate(exam));
  t.match(await other.answer([[0, 2]], { candidat }), { statusCode: 409, body: /autre candidat/ });
  t.same(await other.known(), {});
  t.equal((await phone(exam, learner).answer([[1, 1]], { candidat })).statusCode, 200);
});

t.test('concurrent starts and batches of many candidates are all stored', async (t) => {
  const exam = await createOpenExam(home);
  const learners = await Promise.all(Array.from({ length: 25 }, () => candidate(exam)));
  const phones = learners.flatMap((learner) => [phone(exam, learner), phone(exam, learner)]);
  const responses = await Promise.all(
    phones.flatMap((device, at) => [device.start(now()), device.answer([[0, at % 4]]), device.answer([[1, at % 4]])]),
  );
  t.same(new Set(responses.map(({ statusCode }) => statusCode)), new Set([200]));
  const [row] = await readRows(
    kernel.fork(),
    'select (select count(*)::int from exam_sitting where exam_id = ?) as sittings, (select count(*)::int from exam_batch where exam_id = ?) as batches',
    [exam.id, exam.id],
  );
  t.same(row, { sittings: 25, batches: 100 });
});

t.test('what PostgreSQL cannot store, and unknown questions, are dropped quietly', async (t) => {
  const prepa = await createPrepa(home);
  const exam = await createOpenExam(home, { prepa, papers: [{ contenu: textQuestion('tttttttttttt', ['Um Nyobè']) }] });
  const device = phone(exam, await candidate(exam));
  const batch = (numero: number, reponses: object[]) =>
    device.post('reponses', { appareil: device.appareil, numero, envoye: now(), debut: now(), reponses });
  const typed = ' Um\0 Nyobè\ud83d ';
  t.equal(
    (
      await batch(1, [
        { q: 'tttttttttttt', g: { typed }, t: now() },
        { q: 'inconnue', g: { typed }, t: now() },
      ])
    ).statusCode,
    200,
  );
  t.same(await device.known(), { [-1]: 'Um Nyobè' });
  const [stored] = await readRows(kernel.fork(), 'select jsonb_array_length(answers) as count from exam_batch where exam_id = ?', [
    exam.id,
  ]);
  t.same(stored, { count: 1 });
  await batch(2, [{ q: 'tttttttttttt', g: { typed: '  ' }, t: now() + 1 }]);
  t.same(await device.known(), {}, 'an empty text is no answer');
});

t.test('a body that is not a batch is refused', async (t) => {
  const { exam, learner, device } = await begun();
  const good = { appareil: device.appareil, numero: 1, envoye: now(), debut: now(), reponses: [] };
  const answer = { q: exam.questions[0]?.id, g: { typed: '1' }, t: now() };
  for (const wrong of [
    { numero: 0 },
    { numero: 1.5 },
    { appareil: 'x' },
    { debut: -1 },
    { envoye: 1e18 },
    { reponses: [{ ...answer, g: { typed: '1', choices: ['a'] } }] },
    { reponses: [{ ...answer, g: { choices: [] } }] },
    { reponses: [{ ...answer, g: { typed: 'x'.repeat(201) } }] },
    { reponses: [{ ...answer, q: "'; --" }] },
    { reponses: Array.from({ length: 301 }, () => answer) },
  ])
    t.equal((await device.post('reponses', { ...good, ...wrong })).statusCode, 400, JSON.stringify(wrong).slice(0, 80));
  t.equal((await device.post('remise', good)).statusCode, 400, 'without an ending');
  t.equal(
    (
      await device.post('reponses', {
        ...good,
        reponses: Array.from({ length: 300 }, () => ({ ...answer, g: { typed: 'é'.repeat(200) } })),
      })
    ).statusCode,
    200,
  );
  t.equal(await sittingOf(exam, learner).then((sitting) => sitting?.batches), 1);
  const extreme = { ...good, numero: 2, debut: 0, envoye: 8_640_000_000_000_000, reponses: [{ ...answer, t: 8_640_000_000_000_000 }] };
  t.equal((await device.post('reponses', extreme)).statusCode, 200);
});

t.test('a learner who sends too often is told to wait', async (t) => {
  const { device } = await begun();
  const codes = new Set<number>();
  for (let at = 0; at < 41; at += 1) codes.add((await device.answer([])).statusCode);
  t.same(codes, new Set([200, 429]));
});

t.test('the database has the same newest answers as the shared rule', async (t) => {
  const exam = await createOpenExam(home, { questions: 4 });
  const random = seeded(42);
  const whole = (below: number) => Math.floor(random() * below);
  for (let round = 0; round < 20; round += 1) {
    const learner = await createLearner(home);
    await createSitting(home, exam, learner);
    const start = exam.opensAt.getTime();
    const devices = [randomUUID(), randomUUID()];
    const batches: ReceivedBatch[] = [];
    for (let at = 0; at < 8; at += 1) {
      const receivedAt = start + whole(90) * minuteMs;
      const sentAt = receivedAt + ([0, -90_000, 600_000, -600_000][whole(4)] ?? 0);
      const answers = Array.from({ length: whole(5) }, () => ({
        question: exam.questions[whole(4)]?.id ?? '',
        given: whole(5) === 0 ? null : { choices: [`c${whole(3)}`] },
        at: sentAt - whole(20) * minuteMs,
      }));
      const batch = { device: devices[whole(2)] ?? '', number: at + 1, sentAt, receivedAt, answers };
      batches.push(batch);
      await createBatch(home, exam, learner, {
        ...batch,
        at: new Date(receivedAt),
        sentAt: new Date(sentAt),
        answers: answers.map(({ question, given, at: time }) => ({ q: question, g: given, t: time })),
      });
    }
    const end = start + 60 * minuteMs;
    const stored = await findNewestAnswers(kernel.fork(), exam.id, learner.id, new Date(start + 200 * minuteMs));
    t.same(new Map(stored.map(({ q, g }) => [q, g])), newestAnswers(batches, start, end), `round ${round}`);
  }
});
