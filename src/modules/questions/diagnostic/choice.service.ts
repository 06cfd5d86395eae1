import type { EntityManager } from '@mikro-orm/postgresql';
import { AppError, notFound } from '../../../platform/errors.ts';
import type { UseCaseContext } from '../../../platform/use-cases/events.ts';
import { transact } from '../../../platform/use-cases/transaction.ts';
import { maxDiagnosticQuestions } from '../../../shared/questions/diagnostic.ts';
import { type Actor, recordChange } from '../../identity/index.ts';
import { describeChoice, lockDiscipline, storeChoice } from './choice.repository.ts';

export const disciplineGone = "Cette discipline n'existe pas ou n'existe plus.";

/**
 * Stores which questions the diagnostic of a discipline asks; none removes the diagnostic.
 * @throws AppError 400 for too many questions, or for one that is not in an open item or has a fault; 404 without such a discipline
 */
export async function chooseQuestions(
  em: EntityManager,
  context: UseCaseContext,
  actor: Actor,
  disciplineId: number,
  ids: readonly string[],
): Promise<void> {
  if (ids.length > maxDiagnosticQuestions) {
    throw new AppError(
      'DIAGNOSTIC.TOO_MANY',
      400,
      `Choisissez au plus ${maxDiagnosticQuestions} questions : vous en avez choisi ${ids.length}.`,
    );
  }
  await transact(em, context, async (tx) => {
    const label = await lockDiscipline(tx, disciplineId);
    if (label === null) throw notFound(disciplineGone);
    const before = await describeChoice(tx, disciplineId);
    if ((await storeChoice(tx, disciplineId, ids)) < ids.length) {
      throw new AppError(
        'DIAGNOSTIC.NOT_OPEN',
        400,
        "Une question choisie n'est plus dans les contenus ouverts, ou est à compléter. Vérifiez votre choix, puis enregistrez de nouveau.",
      );
    }
    const after = await describeChoice(tx, disciplineId);
    if (before === after) return;
    await recordChange(tx, context, actor, {
      action: 'updated',
      subject: 'diagnostic',
      subjectId: disciplineId,
      label,
      before: { questions: before },
      after: { questions: after },
    });
  });
}
