import * as z from 'zod/mini';
import { maxAnswerLength, maxChoices } from '../rich-text/question-kinds.ts';

/** Bodies of the calls of a sitting. Page and server use the same. Times are in ms since 1970, by the site's clock as the page estimates it. */

/** Most answers of a batch: a page that was long without network sends several. */
export const maxBatchAnswers = 300;
/** Largest number of a batch. */
const maxBatchNumber = 5_000;

const time = z.int().check(z.minimum(0), z.maximum(8_640_000_000_000_000));
const questionId = z.string().check(z.regex(/^[\w-]{1,12}$/));

const given = z.nullable(
  z.union([
    z.strictObject({ choices: z.array(z.string().check(z.regex(/^[\w-]{1,12}$/))).check(z.minLength(1), z.maxLength(maxChoices)) }),
    z.strictObject({ typed: z.string().check(z.maxLength(maxAnswerLength)) }),
  ]),
);

/** Body of POST …/reponses. */
export const batchSchema = z.object({
  /** `SittingView.candidat` as the page knows it: answers of one candidate are never taken for another who has signed in meanwhile (409). */
  candidat: z.optional(z.string().check(z.maxLength(64))),
  appareil: z.guid(),
  numero: z.int().check(z.minimum(1), z.maximum(maxBatchNumber)),
  /** When the batch was sent. */
  envoye: time,
  /** When the candidate began: it begins the sitting if no request has begun it. */
  debut: time,
  reponses: z.array(z.strictObject({ q: questionId, g: given, t: time })).check(z.maxLength(maxBatchAnswers)),
});
export type BatchBody = z.output<typeof batchSchema>;

/** Body of POST …/remise: the answers still unsent, and who ended the sitting. */
export const handInSchema = z.extend(batchSchema, { fin: z.enum(['candidate', 'time']) });
export type HandInBody = z.output<typeof handInSchema>;

/** A candidate's sitting, as calls return it. */
export interface SittingView {
  /** The site's time at the response, in ms. */
  maintenant: number;
  /** Names the candidate to their own devices, and says nothing about them. */
  candidat?: string;
  debut: number;
  /** End of the candidate's time, in ms. */
  fin: number;
  /** Minutes after `fin` within which answers are still taken. */
  grace: number;
  remis: { le: number; recu: string; fin: 'candidate' | 'time' | 'site' } | null;
  /** Answers came after the grace: the organiser decides whether they count. */
  tard?: boolean;
  /** Devices that have sent answers, with the number of the last batch of each. */
  appareils: { id: string; numero: number }[];
}

/** Response of GET …/participation. */
export interface ParticipationView {
  maintenant: number;
  candidat?: string;
  sitting: SittingView | null;
  /** The newest answer to each question that the server has; `null` answers are left out. */
  reponses: { q: string; g: { choices: string[] } | { typed: string }; t: number }[];
}
