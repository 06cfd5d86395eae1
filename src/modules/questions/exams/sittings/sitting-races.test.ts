import t from 'tap';
import { createTestApp } from '../../../../../test/support/app.ts';
import { createCandidate, examPhone } from '../../../../../test/support/exam-phone.ts';
import { createOpenExam, minuteMs, passExam, type TestExam } from '../../../../../test/support/exams.ts';
import { createAdministrator } from '../../../../../test/support/factories.ts';
import { holding, untilBlocked } from '../../../../../test/support/sql.ts';
import { transact } from '../../../../platform/use-cases/transaction.ts';
import type { SittingView } from '../../../../shared/exams/exam-calls.ts';
import { receiptOf } from '../../../../shared/exams/receipt.ts';
import { actorOf } from '../../../identity/index.ts';
import { findReceipt } from '../administration/exam.administration.repository.ts';
import { changeAnnouncedExam } from '../administration/exam.service.ts';
import { handInAbsent } from '../marking/settle.repository.ts';

const home = await createTestApp(t);
const { kernel, clock, databaseUrl } = home;
const { context } = kernel;
const actor = actorOf(await createAdministrator(home));

/** Starts work. `isOver` says whether it has ended. */
function running<Result>(work: Promise<Result>) {
  let over = false;
  const done = work.finally(() => {
    over = true;
  });
  return { done, isOver: () => over };
}

const postpone = ({ id, titre, opensAt, closesAt }: TestExam) =>
  changeAnnouncedExam(kernel.fork(), context, actor, {
    id,
    revision: 2,
    form: { titre, consignes: '', ouverture: opensAt, fermeture: new Date(closesAt.getTime() + 30 * minuteMs) },
  });

t.test('the receipt of a hand-in that meets that of the site has the time that is stored', async (t) => {
  const exam = await createOpenExam(home);
  const device = examPhone(home, exam, await createCandidate(home, exam));
  await device.answer([[0, 1]]);
  passExam(home, exam);
  const bySite = clock.now().getTime();
  const { handing } = await transact(kernel.fork(), context, async (tx) => {
    await handInAbsent(tx, exam.id, clock.now());
    clock.advance(1_000);
    const handing = running(device.handIn([], { fin: 'time' }));
    await untilBlocked(databaseUrl, 1, handing.isOver);
    return { handing };
  });
  const { remis } = (await handing.done).json() as SittingView;
  const answers = new Map([[exam.questions[0]?.id ?? '', { choices: [exam.questions[0]?.choices[1] ?? ''] }]]);
  t.same(remis, { le: bySite, recu: await receiptOf(answers, bySite), fin: 'site' });
});

t.test(
  'answers of another device that arrive after the hand-in count; its receipt stays, and administrators see that they came later',
  async (t) => {
    const exam = await createOpenExam(home);
    const learner = await createCandidate(home, exam);
    const [device, other] = [examPhone(home, exam, learner), examPhone(home, exam, learner)];
    await device.answer([[0, 1]]);
    clock.advance(minuteMs);
    const [answeredAt, handedInAt] = [clock.now().getTime(), clock.now().getTime() + minuteMs];
    clock.advance(minuteMs);
    const { remis } = (await device.handIn()).json() as SittingView;
    clock.advance(minuteMs);
    t.match((await other.answer([[0, 2, answeredAt]])).json(), { remis });
    t.match((await other.handIn()).json(), { remis });
    t.same(await device.known(), { 0: 2 });
    const answers = new Map([[exam.questions[0]?.id ?? '', { choices: [exam.questions[0]?.choices[1] ?? ''] }]]);
    t.equal(remis?.recu, await receiptOf(answers, handedInAt));
    t.match(await findReceipt(kernel.fork(), exam.id, remis?.recu ?? ''), [{ userId: learner.id, batches: 2, answers: 2, after: 1 }]);
  },
);

t.test('a hand-in whose learner is erased meanwhile finds nothing', async (t) => {
  const exam = await createOpenExam(home);
  const learner = await createCandidate(home, exam);
  const device = examPhone(home, exam, learner);
  await device.answer([[0, 1]]);
  const { handing } = await holding(databaseUrl, `delete from exam_sitting where user_id = '${learner.id}'`, async () => {
    const handing = running(device.handIn());
    await untilBlocked(databaseUrl, 1, handing.isOver);
    return { handing };
  });
  const { statusCode, body } = await handing.done;
  t.equal(statusCode, 404);
  t.match(body, "Ce concours blanc n'existe pas ou n'existe plus.");
});

/** A candidate who begins too late for their whole time: `begunAt`, or some minutes before the start that the server knows. */
async function lateStart(isEarlier: boolean) {
  const exam = await createOpenExam(home, { openFor: 60 });
  const learner = await createCandidate(home, exam);
  const phone = examPhone(home, exam, learner);
  clock.advance(25 * minuteMs);
  if (isEarlier) await phone.start();
  const begunAt = clock.now().getTime() - 5 * minuteMs;
  return { exam, learner, phone, begunAt, newEnd: begunAt + exam.duree * minuteMs };
}

for (const name of ['a start', 'an earlier start'])
  t.test(`${name} that is in flight while the closing is postponed gets the new end`, async (t) => {
    const { exam, learner, phone, begunAt, newEnd } = await lateStart(name === 'an earlier start');
    // The start comes first, and waits for its learner.
    const { begins, changes } = await holding(databaseUrl, `select from app_user where id = '${learner.id}' for update`, async () => {
      const begins = running(phone.start(begunAt));
      await untilBlocked(databaseUrl, 1, begins.isOver);
      const changes = running(postpone(exam));
      await untilBlocked(databaseUrl, 2, changes.isOver);
      return { begins, changes };
    });
    t.match(await begins.done, { statusCode: 200 });
    await changes.done;
    t.match((await phone.start(begunAt)).json(), { debut: begunAt, fin: newEnd });
  });

for (const name of ['a start', 'an earlier start'])
  t.test(`${name} that arrives while the closing is being postponed gets the new end`, async (t) => {
    const { exam, phone, begunAt, newEnd } = await lateStart(name === 'an earlier start');
    // The change comes first, and waits for its entry in the audit log.
    const { begins, changes } = await holding(databaseUrl, 'lock table audit_entry in exclusive mode', async () => {
      const changes = running(postpone(exam));
      await untilBlocked(databaseUrl, 1, changes.isOver);
      const begins = running(phone.start(begunAt));
      await untilBlocked(databaseUrl, 2, begins.isOver);
      return { begins, changes };
    });
    t.match((await begins.done).json(), { debut: begunAt, fin: newEnd });
    await changes.done;
  });
