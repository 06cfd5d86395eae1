import { createHash, randomUUID } from 'node:crypto';
import type { EntityManager } from '@mikro-orm/postgresql';
import { AppError, notFound } from '../../../platform/errors.ts';
import type { AnswerContext, AnswerFields } from '../../../shared/questions/answer-form.ts';
import { type Given, isRight } from '../../../shared/questions/grade.ts';
import { type QuestionHtml, questionsOf } from '../../../shared/questions/question-html.ts';
import { readGiven } from '../../../shared/questions/read-given.ts';
import { shareQuestionHref } from '../../../shared/questions/share.ts';
import { type AskedRow, findAnswer, findAsked, recordAnswers } from './answer.repository.ts';

/** Who answers: null for a visitor, whose answer is judged and not stored. */
export interface Reader {
  userId: string | null;
  now: Date;
}

/** Longest time of an answer that is stored, in seconds: a page left open tells nothing. */
export const maxAnswerSeconds = 600;

/** Form of a question's id. */
export const questionId = /^[a-z0-9]{12}$/;
export const questionGone = "Cette question n'existe pas ou n'existe plus.";

/** Returns a question, and whether the reader may answer it (answer.policy.ts). @throws AppError 404 without such a question */
export async function findQuestion(em: EntityManager, { userId, now }: Reader, questionId: string): Promise<AskedRow> {
  const asked = await findAsked(em, userId, now, questionId);
  if (!asked) throw notFound(questionGone);
  return asked;
}

interface Answer extends AnswerFields {
  /** Idempotency key of the page; absent from a form without scripts. */
  cle?: string | undefined;
  context: AnswerContext;
}

/**
 * Judges an answer to a question that the reader may answer, and stores it once.
 * @returns the question as HTML, and the stored answer: with a repeated key, the first one
 * @throws AppError 400 when nothing was answered
 */
export async function answerQuestion(em: EntityManager, reader: Reader, asked: AskedRow, answer: Answer) {
  const question = questionOf(asked);
  const given = readGiven(question, answer);
  if (typeof given === 'string') throw new AppError('QUESTION.ANSWER', 400, given);
  const right = isRight(asked.key, given);
  const own = { cle: answer.cle ?? keyOf(reader, asked.id, given), given, isRight: right };
  if (reader.userId === null) return { question, answer: own };
  const [kept] = await recordAnswers(em, reader.userId, [
    {
      ...own,
      questionId: asked.id,
      keyVersion: asked.keyVersion,
      itemVersion: asked.itemVersion,
      context: answer.context,
      points: right ? asked.key.points : 0,
      at: reader.now,
    },
  ]);
  return { question, answer: kept ?? (await answerUnder(em, reader.userId, own.cle, asked.id)) };
}

/** Returns the answer that a request at the same time has just stored. @throws AppError 409 when it is one to another question */
export async function answerUnder(em: EntityManager, userId: string, cle: string, questionId: string) {
  const stored = await findAnswer(em, userId, cle, questionId);
  if (!stored) throw keyOfAnother();
  return { ...stored, cle };
}

/** The key of the request belongs to an answer to another question: showing this one's key would tell it without an answer. */
const keyOfAnother = () =>
  new AppError('QUESTION.KEY', 409, "Cette réponse n'a pas été gardée : rechargez la page, puis répondez de nouveau.");

/** Returns the question without its key. @throws AppError 404 */
export function questionOf({ section }: Pick<AskedRow, 'section'>): QuestionHtml {
  const [question] = questionsOf(section);
  if (!question) throw notFound(questionGone);
  return question;
}

/** Returns a link that shares an answered question. @param origin of the site */
export function shareAsked(asked: AskedRow, question: QuestionHtml, origin: string): string {
  const { prepaId, isPublished, isOpen, disciplineId, kind, itemId } = asked;
  return shareQuestionHref(question, { prepaId, isPublished, open: isOpen ? { disciplineId, kind, itemId } : null }, origin);
}

/** Returns the key of an answer from a form without scripts: the same answer within one minute counts once. */
function keyOf({ userId, now }: Reader, questionId: string, given: Given): string {
  if (userId === null) return randomUUID();
  const minute = Math.floor(now.getTime() / 60_000);
  return keyFrom([userId, questionId, given, minute]);
}

/** Returns a key that is the same for the same values. */
export const keyFrom = (values: unknown[]): string =>
  createHash('md5')
    .update(JSON.stringify(values))
    .digest('hex')
    .replace(/(.{8})(.{4})(.{4})(.{4})(.{12})/, '$1-$2-$3-$4-$5');
