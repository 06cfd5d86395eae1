import type { EntityManager } from '@mikro-orm/postgresql';
import { requireRightClock } from '../../../../platform/use-cases/clock-check.ts';
import type { UseCaseContext } from '../../../../platform/use-cases/events.ts';
import { transact } from '../../../../platform/use-cases/transaction.ts';
import { type Actor, recordChange } from '../../../identity/index.ts';
import { judgeAgain, judgeAnswers } from './judge.service.ts';
import { alreadyPublished, batchesGone, noLateCopy, notAnnounced, notMarked, stillOpen } from './marking.errors.ts';
import { type LockedExam, lockExam, markedFrom, setMarked } from './marking.repository.ts';
import { scoreResults } from './score.repository.ts';
import { handInAbsent, hasBatches, type Settled, settleAnswers } from './settle.repository.ts';

/**
 * Marks all copies of an exam: hands in those of candidates who did not come back, settles which answers count, judges them and ranks the
 * candidates. Marking again replaces all results in one transaction. Once the results are published, answers that are settled stay as they
 * are: the batches are pruned some weeks later.
 * @param actor author of the entry in the audit log; none without
 * @returns number of candidates
 * @throws AppError 404, 409 before the end of the grace, or 503 with a wrong clock
 */
export function markExam(em: EntityManager, context: UseCaseContext, id: number, actor?: Actor): Promise<{ candidates: number }> {
  return transact(em, context, async (tx) => {
    await requireRightClock(tx);
    const exam = await lockExam(tx, id);
    if (!exam.announcedAt) throw notAnnounced();
    const from = markedFrom(exam);
    if (context.clock.now() < from) throw stillOpen(from);
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

/**
 * Marks all copies in the caller's transaction, which holds the exam's lock (`lockExam`).
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
  const now = clock.now();
  await handInAbsent(tx, exam.id, now);
  const settled = await settleAnswers(tx, exam.id, which);
  if (settled > 0 || changed === null) await judgeAnswers(tx, exam.id);
  else if (changed !== '') await judgeAgain(tx, exam.id, changed);
  await scoreResults(tx, exam.id);
  return setMarked(tx, exam.id, now);
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
 * Counts or refuses the answers of a candidate that came after the grace. In a marked exam all ranks change with them. A decision may be
 * changed.
 * @throws AppError 404 without such answers, 409 once they are pruned
 */
export async function decideLate(
  em: EntityManager,
  context: UseCaseContext,
  actor: Actor,
  { examId, userId, accepted }: { examId: number; userId: string; accepted: boolean },
): Promise<void> {
  await transact(em, context, async (tx) => {
    const exam = await lockExam(tx, examId);
    const late = accepted ? 'accepted' : 'refused';
    const [before] = await tx.execute<{ late: string }[]>(
      'select late from exam_sitting where exam_id = ? and user_id = ? and late is not null for no key update',
      [examId, userId],
    );
    if (!before) throw noLateCopy();
    if (before.late === late) return;
    if (!(await hasBatches(tx, examId, userId))) throw batchesGone();
    await tx.execute('update exam_sitting set late = ? where exam_id = ? and user_id = ?', [late, examId, userId]);
    await recordChange(tx, context, actor, {
      action: 'updated',
      subject: 'exam',
      subjectId: examId,
      label: exam.titre,
      before: { late: before.late, candidate: userId },
      after: { late, candidate: userId },
    });
    if (exam.markedAt) await markAll(tx, context, exam, { userId });
  });
}
