import { z } from 'zod';
import { maxAnswerLength, maxChoices } from '../rich-text/question-kinds.ts';

/** Where a question was answered: in a text, in a series, among the learner's errors, in a diagnostic, in a daily session. */
export const answerContexts = ['text', 'series', 'errors', 'diagnostic', 'session'] as const;
/** Those that a page names. Answers of a series have an attempt, unless they were given in a kept copy without network. */
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
  passe: z
    .union([z.boolean(), z.literal(['1', 'true']).transform(() => true)])
    .optional()
    .meta({ description: '« Je ne sais pas »' }),
};
export type AnswerFields = z.output<z.ZodObject<typeof answerFields>>;
