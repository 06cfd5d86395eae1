import * as z from 'zod/mini';
import type { Form } from '../../../../platform/pages/form-answer.ts';
import { correctionReason, maxCorrectionReason } from '../../../../shared/exams/exam-form.ts';
import { questionStandings } from '../../../../shared/exams/exam-words.ts';
import { maxAccepted, maxAnswerLength, type QuestionKind } from '../../../../shared/rich-text/question-kinds.ts';
import type { CorrectedKey } from '../marking/corrected-key.ts';

/** Fields of the form that corrects a question. */
export interface CorrectionForm {
  /** Word of a standing; '' without one. */
  compte: string;
  /** Ids of the right choices. */
  choix: string[];
  valeur: string;
  tolerance: string;
  /** Accepted answers, one a line. */
  acceptees: string;
  raison: string;
}

/** The required fields. The key's fields are checked with the question. */
export const correctionSchema = z.object({
  compte: z.enum(questionStandings, { error: 'Choisissez ce que devient la question' }),
  raison: correctionReason,
});

/** Longest text of the accepted answers, in characters. */
const maxLines = maxAccepted * (maxAnswerLength + 2);

/** Returns the form as it was typed, cut to what its page may show. */
export function typedCorrection(form: Form): CorrectionForm {
  const text = (name: string, length: number): string => {
    const value = form[name];
    return typeof value === 'string' ? value.replaceAll('\0', '').replaceAll('\r\n', '\n').slice(0, length).toWellFormed() : '';
  };
  const chosen = Array.isArray(form.choix) ? form.choix : [form.choix];
  return {
    compte: text('compte', 20),
    choix: chosen.filter((id): id is string => typeof id === 'string' && /^[\w-]{1,12}$/.test(id)),
    valeur: text('valeur', maxAnswerLength),
    tolerance: text('tolerance', maxAnswerLength),
    acceptees: text('acceptees', maxLines),
    raison: text('raison', 2 * maxCorrectionReason),
  };
}

/** Returns the parts of a key that the form gives for a question of this kind. */
export function correctionOf(kind: QuestionKind, { choix, valeur, tolerance, acceptees }: CorrectionForm): CorrectedKey {
  if (kind === 'number') return { value: valeur, tolerance };
  if (kind === 'text')
    return {
      accepted: acceptees
        .split('\n')
        .map((line) => line.trim().slice(0, maxAnswerLength).toWellFormed())
        .filter(Boolean)
        .slice(0, maxAccepted),
    };
  return { right: choix };
}
