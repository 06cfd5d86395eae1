import { z } from 'zod';
import { answerFields } from './answer-form.ts';
import { fieldPrefix, notKnown } from './asked-together.ts';
import type { Given } from './grade.ts';
import type { QuestionHtml } from './question-html.ts';
import { readGiven } from './read-given.ts';

/** The form of a diagnostic. The answers are in fields `r-<id of the question>`. */
export const sheetSchema = z.looseObject({
  /** Idempotency key of the page: the same sheet sent twice counts once. */
  essai: z.guid('Formulaire inconnu : rechargez la page.'),
  /** Ids of the questions asked, with commas between them. */
  questions: z.string().max(200),
  /** Sent after the warning about questions without an answer. */
  incomplet: z.literal('oui').optional(),
});

/** A form's answers, as far as they can be read. */
export interface AnswerSheet {
  /** By question; questions without an answer are missing. */
  given: Map<string, Given>;
  /** Whether the form does not belong to these questions: one of them, or a choice, was added, removed or is unknown. */
  isOther: boolean;
}

/** Reads the answers to these questions. */
export function readSheet(form: Record<string, unknown>, questions: readonly QuestionHtml[]): AnswerSheet {
  const given = new Map<string, Given>();
  const asked = typeof form.questions === 'string' ? form.questions.split(',') : [];
  const ids = new Set(questions.map(({ id }) => id));
  const named = Object.keys(form).filter((name) => name.startsWith(fieldPrefix));
  let isOther = asked.length !== ids.size || [...asked, ...named.map((name) => name.slice(fieldPrefix.length))].some((id) => !ids.has(id));
  for (const question of questions) {
    const answer = readAnswer(question, form[fieldPrefix + question.id]);
    if (answer === 'other') isOther = true;
    else if (answer) given.set(question.id, answer);
  }
  return { given, isOther };
}

/** Returns an answer as it was sent or kept: null without one, 'other' when it does not fit the question. */
export function readAnswer(question: QuestionHtml, value: unknown): Given | null | 'other' {
  const isTyped = question.kind === 'number' || question.kind === 'text';
  if (value === undefined) return null;
  if (isTyped ? typeof value === 'string' && value.trim() === '' : Array.isArray(value) && value.length === 0) return null;
  if (!isTyped && value === notKnown) return { skipped: true };
  const { data } = z.object(answerFields).safeParse(isTyped ? { texte: value } : { choix: value });
  // A sheet is not sent back for one text that is no number.
  const given = data && readGiven(question, data, { numbersOnly: false });
  return given === undefined || typeof given === 'string' ? 'other' : given;
}
