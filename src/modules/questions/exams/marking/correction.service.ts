import type { EntityManager } from '@mikro-orm/postgresql';
import type { UseCaseContext } from '../../../../platform/use-cases/events.ts';
import { transact } from '../../../../platform/use-cases/transaction.ts';
import type { QuestionStanding } from '../../../../shared/exams/exam-words.ts';
import { questionsOf } from '../../../../shared/questions/question-html.ts';
import type { QuestionKey } from '../../../../shared/questions/question-keys.ts';
import { type Actor, recordChange } from '../../../identity/index.ts';
import { type Correction, correctedKey, keyFault, maxReason } from './corrected-key.ts';
import { correctionFault, noSuchQuestion, notAnnounced } from './marking.errors.ts';
import { lockExam } from './marking.repository.ts';
import { markAll } from './marking.service.ts';

interface FrozenQuestion {
  position: number;
  standing: QuestionStanding;
  key: QuestionKey;
  contenu: string;
}

/**
 * Changes how a question of an announced exam counts, or its key. A marked exam is marked again in the same transaction, and candidates
 * whose results are published get to know ('exam.remarked').
 * @throws AppError 404; 400 without a reason or with a key that can mark no answer; 409 before the announcement
 */
export async function correctQuestion(em: EntityManager, context: UseCaseContext, actor: Actor, correction: Correction): Promise<void> {
  const { examId, questionId, standing } = correction;
  const reason = correction.reason.trim();
  if (reason === '') throw correctionFault('Donnez la raison : les candidats la lisent avec leur résultat');
  if (reason.length > maxReason) throw correctionFault(`La raison a au plus ${maxReason} caractères`);
  await transact(em, context, async (tx) => {
    const exam = await lockExam(tx, examId);
    if (!exam.announcedAt) throw notAnnounced();
    const before = await findQuestion(tx, examId, questionId);
    const key = standing === 'counted' ? correctedKey(before.key, correction.key) : before.key;
    const choices = questionsOf(before.contenu).find(({ id }) => id === questionId)?.choices ?? [];
    const fault =
      standing === 'counted'
        ? keyFault(
            key,
            choices.map(({ id }) => id),
          )
        : null;
    if (fault !== null) throw correctionFault(fault);
    const isSameKey = JSON.stringify(key) === JSON.stringify(before.key);
    if (standing === before.standing && isSameKey) throw correctionFault('Rien ne change : la question compte déjà ainsi');
    await tx.execute('update exam_question set standing = ?, key = ?::jsonb where exam_id = ? and question_id = ?', [
      standing,
      JSON.stringify(key),
      examId,
      questionId,
    ]);
    const at = context.clock.now();
    const [row] = await tx.execute<{ id: number }[]>(
      'insert into exam_correction (exam_id, question_id, standing, reason, corrected_at) values (?, ?, ?, ?, ?) returning id',
      [examId, questionId, standing, reason, at.toISOString()],
    );
    await recordChange(tx, context, actor, {
      action: 'corrected',
      subject: 'exam',
      subjectId: examId,
      label: exam.titre,
      before: { question: before.position, standing: before.standing, ...answersOf(before.key) },
      after: { question: before.position, standing, ...answersOf(key), reason },
    });
    if (!exam.markedAt) return;
    await markAll(tx, context, exam, 'missing', isSameKey ? '' : questionId);
    const { prepaId, titre } = exam;
    if (exam.publishedAt && row)
      await context.events.emit(tx, context, 'exam.remarked', {
        examId,
        prepaId,
        titre,
        at,
        correctionId: row.id,
        position: before.position,
        standing,
      });
  });
}

/** What decides whether an answer is right, for the audit log. */
const answersOf = ({ right, value, tolerance, accepted }: QuestionKey) => ({ right, value, tolerance, accepted });

async function findQuestion(tx: EntityManager, examId: number, questionId: string): Promise<FrozenQuestion> {
  const [question] = await tx.execute<FrozenQuestion[]>(
    `select q.position, q.standing, q.key, p.contenu from exam_question q join exam_paper p on p.id = q.paper_id
     where q.exam_id = ? and q.question_id = ?`,
    [examId, questionId],
  );
  if (!question) throw noSuchQuestion();
  return question;
}
