import { mixedRecall, weighModels } from '../recall/evidence.ts';
import { daysSince, type Questions } from '../recall/questions.ts';

/** A question is solid when its expected recall on the day is at least this. */
const solidRecall = 0.75;
/** Days ahead for which questions are judged without a date. */
export const solidDays = 7;

/**
 * Returns the ids of the questions that the learner will probably still know on the day.
 * @param now in ms since 1970 @param daysLeft until the concours; null without a date
 */
export function solidQuestions({ seen }: Questions, now: number, daysLeft: number | null): Set<string> {
  const models = weighModels(seen.map(({ memory }) => memory));
  const ahead = daysLeft === null ? solidDays : Math.max(daysLeft, 1);
  return new Set(
    seen
      .filter(
        (question) => question.memory.lastRight && mixedRecall(models, question.memory, daysSince(question, now) + ahead) >= solidRecall,
      )
      .map(({ id }) => id),
  );
}
