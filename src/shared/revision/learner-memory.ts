import type { ItemKind } from '../item-kinds.ts';
import { medianSeconds, type RecallAnswer } from '../recall/answers.ts';
import { foldMemory } from '../recall/memory.ts';
import type { MarkedExercise, Questions, SeenQuestion, UnseenQuestion } from '../recall/questions.ts';
import type { QuestionKind } from '../rich-text/question-kinds.ts';

/** A question of a prepa that may be asked, and the learner's answers to it under its present key. */
export interface QuestionWithAnswers {
  id: string;
  discipline: number;
  item: number;
  kind: QuestionKind;
  /** Key, time in ms since 1970, right or not, seconds taken. */
  answers: [key: string, at: number, right: boolean, seconds: number | null][] | null;
}

/** An exercise or past exam that the learner has marked, with the verdicts. */
interface ExerciseWithVerdicts {
  item: number;
  discipline: number;
  kind: ItemKind;
  /** Expected time: the learner's own, else the advised time, else the time for reading text and correction. */
  seconds: number;
  /** Time in ms since 1970, whether 'Réussi', seconds taken. */
  verdicts: [at: number, right: boolean, seconds: number | null][];
}

/** What a learner has done of a prepa, for a session. */
export interface Studied {
  questions: QuestionWithAnswers[];
  exercises: ExerciseWithVerdicts[];
}

/** Expected time of an answer with its feedback, in seconds, until the learner's own times are known. */
const usualSeconds: Record<QuestionKind, number> = { one: 40, several: 50, number: 75, text: 45 };
/** Time for reading the feedback, in seconds. */
const feedbackSeconds = 12;

/**
 * Returns what a learner remembers of a prepa's questions, from the answers alone (decision 121). Questions keep their order.
 * @param until answers from this time on are left out, in ms since 1970
 */
export function questionsOfLearner(rows: readonly QuestionWithAnswers[], until = Number.POSITIVE_INFINITY): Questions {
  const answered = rows.map((row) => ({ row, answers: answersOf(row).filter(({ at }) => at < until) }));
  const median = medianSeconds(answered.flatMap(({ answers }) => answers.flatMap(({ seconds }) => seconds ?? [])));
  const seen: SeenQuestion[] = [];
  const unseen: UnseenQuestion[] = [];
  for (const [position, { row, answers }] of answered.entries()) {
    const { id, discipline } = row;
    const seconds = median === null ? usualSeconds[row.kind] : Math.round(median) + feedbackSeconds;
    const memory = foldMemory(answers, median);
    if (memory) seen.push({ id, discipline, seconds, memory });
    else unseen.push({ id, discipline, position, seconds });
  }
  return { seen, unseen };
}

/**
 * Returns what a learner remembers of the exercises that they have marked. Their times are no times of answers, so that a verdict is Good or
 * Again.
 * @param until verdicts from this time on are left out, in ms since 1970
 */
const exercisesOfLearner = (rows: readonly ExerciseWithVerdicts[], until = Number.POSITIVE_INFINITY): MarkedExercise[] =>
  rows.flatMap(({ verdicts, ...exercise }) => {
    const answers = verdicts.map(([at, right]) => ({ key: `${at}`, at, right, seconds: null })).filter(({ at }) => at < until);
    const memory = foldMemory(answers, null);
    return memory ? [{ ...exercise, memory }] : [];
  });

const answersOf = ({ answers }: QuestionWithAnswers): RecallAnswer[] =>
  (answers ?? []).map(([key, at, right, seconds]) => ({ key, at, right, seconds }));

/** Returns what a learner remembers of a prepa, for `planSession`. @param until as in `questionsOfLearner` */
export const memoriesOf = ({ questions, exercises }: Studied, until?: number) => ({
  ...questionsOfLearner(questions, until),
  exercises: exercisesOfLearner(exercises, until),
});
