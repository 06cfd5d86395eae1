import type { FastifyReply, FastifyRequest } from 'fastify';
import { z } from 'zod';
import { ownCookie } from '../../../platform/http/cookies.ts';
import { diagnosticHref } from '../../../shared/questions/diagnostic.ts';
import type { Given } from '../../../shared/questions/grade.ts';
import { storable } from '../../../shared/questions/read-given.ts';
import { maxAnswerLength, maxChoices } from '../../../shared/rich-text/question-kinds.ts';

const cookieName = 'diagnostic';
/** How long a visitor's browser keeps the answers, in seconds. */
const keptSeconds = 86_400;
/** Largest value of the cookie, in characters. Only ten long texts would need more. */
const maxLength = 3000;

const keptSchema = z.object({
  essai: z.guid(),
  /** By question: what was typed, or the ids of the choices. Empty for a question without an answer. */
  reponses: z.record(
    z.string(),
    z.union([z.string().max(maxAnswerLength).transform(storable), z.array(z.string().max(12)).max(maxChoices)]),
  ),
});

/** A visitor's answers in the browser. */
export type KeptAnswers = z.output<typeof keptSchema>;

/** The place of a diagnostic, whose pages alone get its cookie. */
interface Place {
  prepaId: number;
  disciplineId: number;
}

const cookieOf = (request: FastifyRequest, { prepaId, disciplineId }: Place) =>
  ownCookie(request, cookieName, diagnosticHref(prepaId, disciplineId));

/**
 * Keeps a visitor's answers in the browser, since the server stores nothing of visitors.
 * @param given by question; null without an answer @returns false when they are too long for a cookie
 */
export function keepAnswers(
  request: FastifyRequest,
  reply: FastifyReply,
  place: Place,
  essai: string,
  given: ReadonlyMap<string, Given | null>,
): boolean {
  const reponses = Object.fromEntries(Array.from(given, ([id, answer]) => [id, sentValue(answer)]));
  const value = Buffer.from(JSON.stringify({ essai, reponses } satisfies KeptAnswers)).toString('base64url');
  const { name, options } = cookieOf(request, place);
  if (value.length > maxLength) {
    forgetAnswers(request, reply, place);
    return false;
  }
  reply.setCookie(name, value, { ...options, maxAge: keptSeconds });
  return true;
}

/** Returns the answers that the browser keeps; null without any, or for a value that we did not write. */
export function keptAnswers(request: FastifyRequest, place: Place): KeptAnswers | null {
  const value = request.cookies[cookieOf(request, place).name];
  if (value === undefined || value.length > maxLength) return null;
  try {
    return keptSchema.parse(JSON.parse(Buffer.from(value, 'base64url').toString('utf8')));
  } catch {
    return null;
  }
}

/** Removes the answers from the browser. */
export function forgetAnswers(request: FastifyRequest, reply: FastifyReply, place: Place): void {
  const { name, options } = cookieOf(request, place);
  if (request.cookies[name] !== undefined) reply.clearCookie(name, options);
}

const sentValue = (given: Given | null): string | string[] =>
  given === null || 'skipped' in given ? '' : 'typed' in given ? given.typed : given.choices;
