import type { EntityManager } from '@mikro-orm/postgresql';
import { AppError, notFound } from '../../../platform/errors.ts';
import { readAnswer, readSheet, type sheetSchema } from '../../../shared/questions/answer-sheet.ts';
import { type Given, isRight } from '../../../shared/questions/grade.ts';
import { type QuestionHtml, questionsOf } from '../../../shared/questions/question-html.ts';
import { recordAnswers } from '../answers/answer.repository.ts';
import { keyFrom } from '../answers/answer.service.ts';
import { type DiagnosticEntry, type DiagnosticRow, findDiagnostic } from './diagnostic.repository.ts';
import type { KeptAnswers } from './kept-answers.ts';

/** A question of a diagnostic with its text and its item. */
export interface DiagnosticQuestion extends DiagnosticEntry {
  html: QuestionHtml;
  item: DiagnosticRow;
}

/** A diagnostic: its questions, in order. */
export interface Diagnostic {
  head: DiagnosticRow;
  questions: DiagnosticQuestion[];
}

/** Returns a discipline's diagnostic. @throws AppError 404 where there is none for this reader */
export async function openDiagnostic(em: EntityManager, reading: Parameters<typeof findDiagnostic>[1]): Promise<Diagnostic> {
  const rows = await findDiagnostic(em, reading);
  const questions = rows
    .flatMap((item) => {
      const texts = new Map(questionsOf(item.contenu).map((html) => [html.id, html]));
      return item.questions.flatMap((entry) => {
        const html = texts.get(entry.id);
        return html ? [{ ...entry, html, item }] : [];
      });
    })
    .sort((one, other) => one.position - other.position);
  const [head] = rows;
  if (!head || questions.length === 0) throw notFound("Cette discipline n'a pas de diagnostic.");
  return { head, questions };
}

export interface Judged extends DiagnosticQuestion {
  answer: { given: Given; isRight: boolean };
}

/**
 * Judges the answers of a form. A question without an answer counts as 'Je ne sais pas'.
 * @throws AppError 400 when nothing was answered, when questions are left and the reader has not agreed, or when the questions have changed
 */
export function judgeSheet(questions: readonly DiagnosticQuestion[], form: ReturnType<typeof sheetSchema.parse>): Judged[] {
  const { given, isOther } = readSheet(
    form,
    questions.map(({ html }) => html),
  );
  if (isOther) {
    throw new AppError(
      'DIAGNOSTIC.CHANGED',
      400,
      'Ce test vient de changer. Vos réponses aux questions qui restent sont gardées : vérifiez-les, puis envoyez de nouveau.',
    );
  }
  const left = questions.length - given.size;
  if (given.size === 0) throw new AppError('DIAGNOSTIC.EMPTY', 400, 'Répondez au moins à une question.');
  if (left > 0 && !form.incomplet) {
    throw new AppError(
      'DIAGNOSTIC.INCOMPLETE',
      400,
      left === 1
        ? 'Il reste une question sans réponse. Répondez-y, ou voyez votre résultat : elle comptera comme « Je ne sais pas ».'
        : `Il reste ${left} questions sans réponse. Répondez-y, ou voyez votre résultat : elles compteront comme « Je ne sais pas ».`,
    );
  }
  return questions.map((question) => judge(question, given.get(question.id) ?? { skipped: true }));
}

/** Judges the answers that a browser has kept. Questions that are no longer asked, or have other choices now, are left out. */
export const judgeKept = (questions: readonly DiagnosticQuestion[], { reponses }: KeptAnswers): Judged[] =>
  questions.flatMap((question) => {
    const value = Object.hasOwn(reponses, question.id) ? reponses[question.id] : undefined;
    const given = readAnswer(question.html, value);
    return value === undefined || given === 'other' ? [] : [judge(question, given ?? { skipped: true })];
  });

const judge = (question: DiagnosticQuestion, given: Given): Judged => ({
  ...question,
  answer: { given, isRight: question.key !== null && isRight(question.key, given) },
});

/** Returns the questions that the learner has answered. */
export const answeredOf = (questions: readonly DiagnosticQuestion[]): Judged[] =>
  questions.filter((question): question is Judged => question.answer !== null);

/** Stores a learner's judged answers. The same sheet counts once: its first answers stay. @param essai the sheet's key */
export const storeDiagnostic = (
  em: EntityManager,
  { userId, now }: { userId: string; now: Date },
  essai: string,
  judged: readonly Judged[],
) =>
  recordAnswers(
    em,
    userId,
    judged.map(({ id, keyVersion, points, item, answer }) => ({
      cle: keyFrom([userId, essai, id]),
      questionId: id,
      keyVersion,
      itemVersion: item.itemVersion,
      context: 'diagnostic',
      ...answer,
      points: answer.isRight ? points : 0,
      at: now,
    })),
  );
