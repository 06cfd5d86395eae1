import { z } from 'zod';
import { maxAnswerLength, maxChoices } from '../rich-text/question-kinds.ts';
import type { Given } from './grade.ts';
import type { QuestionHtml } from './question-html.ts';

/** Where a question was answered: in a text, in a series, among the learner's errors, in a diagnostic, in a daily session. */
export const answerContexts = ['text', 'series', 'errors', 'diagnostic', 'session'] as const;
/** Those that a page names; answers of a series have an attempt. */
export const textContexts = ['text', 'errors'] as const satisfies readonly AnswerContext[];
export type AnswerContext = (typeof answerContexts)[number];

const choiceId = z.string().max(12);

/** The fields of an answer: one of them is sent. */
export const answerFields = {
  /** Ids of the chosen choices. */
  choix: z
    .union([choiceId.transform((id) => [id]), z.array(choiceId).max(maxChoices)])
    .optional()
    .meta({ description: 'Les choix retenus' }),
  texte: z.string().max(maxAnswerLength).optional().meta({ description: 'Le nombre ou le texte saisi' }),
  passe: z.coerce.boolean().optional().meta({ description: '« Je ne sais pas »' }),
};
export type AnswerFields = z.output<z.ZodObject<typeof answerFields>>;

/** Returns an answer in French when it cannot be judged: nothing was given, or a choice is not one of the question's. */
export function readGiven(
  { kind, choices }: Pick<QuestionHtml, 'kind' | 'choices'>,
  { choix, texte, passe }: AnswerFields,
): Given | string {
  if (passe) return { skipped: true };
  if (kind === 'number' || kind === 'text') {
    const typed = texte?.trim() ?? '';
    return typed === '' ? 'Écrivez une réponse, ou choisissez «\u00a0Je ne sais pas\u00a0».' : { typed };
  }
  const chosen = [...new Set(choix ?? [])].sort();
  if (chosen.length === 0) return 'Choisissez une réponse, ou «\u00a0Je ne sais pas\u00a0».';
  if (chosen.some((id) => !choices.some((choice) => choice.id === id)))
    return 'Cette question vient de changer : rechargez la page, puis répondez de nouveau.';
  return kind === 'one' && chosen.length > 1 ? 'Choisissez une seule réponse.' : { choices: chosen };
}
