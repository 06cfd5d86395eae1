import type { EntityManager } from '@mikro-orm/postgresql';
import { requireRightClock } from '../../../../platform/use-cases/clock-check.ts';
import type { UseCaseContext } from '../../../../platform/use-cases/events.ts';
import { transact } from '../../../../platform/use-cases/transaction.ts';
import { type Actor, recordChange } from '../../../identity/index.ts';
import { judgeAgain, judgeAnswers } from './judge.service.ts';
import { alreadyPublished, lateDecided, noLateCopy, notAnnounced, notMarked, stillOpen } from './marking.errors.ts';
import { type LockedExam, lockExam, markedFrom, setMarked } from './marking.repository.ts';
import { scoreResults } from './score.repository.ts';
import { handInAbsent, type Settled, settleAnswers } from './settle.repository.ts';

/**
 * Marks all copies of an exam: hands in those of candidates who did not come back, then settles which answers count, judges them and ranks
 * the candidates. Marking again replaces all results in one transaction, which follows that of the hand-ins. Once the results are published,
 * answers that are settled stay as they are: the batches are pruned some weeks later.
 * @param actor author of the entry in the audit log; none without
 * @returns number of candidates
 * @throws AppError 404, 409 until one minute after the end of the grace, or 503 with a wrong clock
 */
export async function markExam(em: EntityManager, context: UseCaseContext, id: number, actor?: Actor): Promise<{ candidates: number }> {
  // In a transaction of its own: late batches wait for the rows that it locks, and batches of other exams behind them.
  await transact(em, context, async (tx) => {
    await lockMarkable(tx, context, id);
    await handInAbsent(tx, id, context.clock.now());
  });
  return transact(em, context, async (tx) => {
    const exam = await lockMarkable(tx, context, id);
    const candidates = await markAll(tx, context, exam, exam.publishedAt ? 'missing' : 'all');
    if (actor)
      await recordChange(tx, context, actor, {
        action: 'marked',
        subject: 'exam',
        subjectId: id,
        label: exam.titre,
        after: { candidates },
      });
    return { candidates };
  });
}

/** Locks an exam that can be marked. @throws AppError 404, 409 before it can be, or 503 with a wrong clock */
async function lockMarkable(tx: EntityManager, { clock }: UseCaseContext, id: number): Promise<LockedExam> {
  await requireRightClock(tx);
  const exam = await lockExam(tx, id);
  if (!exam.announcedAt) throw notAnnounced();
  const from = markedFrom(exam);
  if (clock.now() < from) throw stillOpen(from);
  return exam;
}

/**
 * Marks all copies that are handed in, in the caller's transaction, which holds the exam's lock (`lockExam`).
 * @param changed id of a question whose key alone has changed since the last marking, '' if no key has; null at a first marking
 * @returns number of candidates
 */
export async function markAll(
  tx: EntityManager,
  { clock }: UseCaseContext,
  exam: LockedExam,
  which: Settled,
  changed: string | null = null,
): Promise<number> {
  const settled = await settleAnswers(tx, exam.id, which);
  if (settled > 0 || changed === null) await judgeAnswers(tx, exam.id);
  else if (changed !== '') await judgeAgain(tx, exam.id, changed);
  await scoreResults(tx, exam.id);
  return setMarked(tx, exam.id, clock.now());
}

/**
 * Publishes the results of a marked exam, and emits 'exam.published'.
 * @throws AppError 404, or 409 before the marking and for results that are published
 */
export async function publishResults(em: EntityManager, context: UseCaseContext, actor: Actor, id: number): Promise<void> {
  await transact(em, context, async (tx) => {
    const exam = await lockExam(tx, id);
    if (exam.publishedAt) throw alreadyPublished();
    if (!exam.markedAt) throw notMarked();
    const at = context.clock.now();
    await tx.execute('update exam set published_at = ?, revision = revision + 1 where id = ?', [at.toISOString(), id]);
    await recordChange(tx, context, actor, { action: 'published', subject: 'exam', subjectId: id, label: exam.titre });
    await context.events.emit(tx, context, 'exam.published', { examId: id, prepaId: exam.prepaId, titre: exam.titre, at });
  });
}

/**
 * Counts or refuses the answers of a candidate that came after the grace, as far as they have arrived. In a marked exam all ranks change
 * with them. A decision may be changed until the publication. Refusing answers that came after an acceptance leaves the accepted ones.
 * @throws AppError 404 without such answers, 409 after the publication
 */
export async function decideLate(
  em: EntityManager,
  context: UseCaseContext,
  actor: Actor,
  { examId, userId, accepted }: { examId: number; userId: string; accepted: boolean },
): Promise<void> {
  await transact(em, context, async (tx) => {
    const exam = await lockExam(tx, examId);
    if (exam.publishedAt) throw lateDecided();
    const late = accepted ? 'accepted' : 'refused';
    const [before] = await tx.execute<{ late: string }[]>(
      'select late from exam_sitting where exam_id = ? and user_id = ? and late is not null for no key update',
      [examId, userId],
    );
    if (!before) throw noLateCopy();
    if (before.late === late) return;
    // A refusal after an acceptance takes it back; one of answers that came later keeps it.
    await tx.execute(
      `update exam_sitting set late = ?, late_until = case when ?::boolean then ?::timestamptz when late = 'accepted' then null else late_until end
       where exam_id = ? and user_id = ?`,
      [late, accepted, context.clock.now().toISOString(), examId, userId],
    );
    await recordChange(tx, context, actor, {
      action: 'updated',
      subject: 'exam',
      subjectId: examId,
      label: exam.titre,
      before: { late: before.late, candidate: userId },
      after: { late, candidate: userId },
    });
    if (!exam.markedAt) return;
    // A sitting that began while the marking ran may not be handed in yet.
    await handInAbsent(tx, examId, context.clock.now());
    await markAll(tx, context, exam, { userId });
  });
}
