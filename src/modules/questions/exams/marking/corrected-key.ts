import type { QuestionStanding } from '../../../../shared/exams/exam-words.ts';
import { readNumber, readTolerance } from '../../../../shared/questions/number.ts';
import type { QuestionKey } from '../../../../shared/questions/question-keys.ts';

/** The parts of a key that a correction may change. Those that are absent stay. */
export type CorrectedKey = Partial<Pick<QuestionKey, 'right' | 'value' | 'tolerance' | 'accepted' | 'explanation'>>;

/** Longest reason, in characters. */
export const maxReason = 500;

/** A change of a question after the announcement. */
export interface Correction {
  examId: number;
  questionId: string;
  standing: QuestionStanding;
  /** Only with `counted`. */
  key?: CorrectedKey | undefined;
  /** Shown to candidates. 1 to `maxReason` characters. */
  reason: string;
}

/** Returns a key with its corrected parts. */
export const correctedKey = (key: QuestionKey, { right, value, tolerance, accepted, explanation }: CorrectedKey = {}): QuestionKey => ({
  ...key,
  ...(right !== undefined && { right: [...new Set(right)] }),
  ...(value !== undefined && { value: value.trim() }),
  ...(tolerance !== undefined && { tolerance: tolerance.trim() }),
  ...(accepted !== undefined && { accepted: accepted.map((answer) => answer.trim()).filter((answer) => answer !== '') }),
  ...(explanation !== undefined && { explanation }),
});

/** Returns in French why a key can mark no answer; null when it can. @param choices ids of the question's choices */
export function keyFault({ kind, right, value, tolerance, accepted }: QuestionKey, choices: readonly string[]): string | null {
  if (kind === 'number') {
    if (readNumber(value) === null) return "La valeur attendue n'est pas un nombre";
    return readTolerance(tolerance) === null ? "La tolérance n'est pas un nombre" : null;
  }
  if (kind === 'text') return accepted.length > 0 ? null : 'Donnez au moins une réponse acceptée';
  if (right.length === 0) return 'Donnez au moins un choix juste';
  if (kind === 'one' && right.length > 1) return "Cette question n'a qu'un choix juste";
  return right.every((id) => choices.includes(id)) ? null : "Ce choix n'est pas dans la question";
}
