import { gainOfNew, gainUnder, type Held, priced } from './gain.ts';
import { firstTraces } from './memory.ts';
import type { MemoryModel } from './models.ts';
import { priceOf, type Remaining } from './price.ts';
import { difficultyAt, levelAfterLapse, levelOf } from './worth.ts';

/** A question of the sample; null before its first answer. */
interface Played {
  held: (Held & { answered: number }) | null;
}

/** The sample has about so many questions. */
const sampled = 60;

/**
 * Returns the share of all questions that a learner knows on the day, if one model is right and the time of each day is used as sessions
 * use it: the days to come are played with a sample of the questions. The answers are drawn, always the same for the same questions.
 */
export function knownAfterDays(model: MemoryModel, remaining: Remaining): number {
  const { seen, unseen, days, budget, repetition, introduction, firstRight } = remaining;
  const total = seen.length + unseen;
  const every = Math.max(Math.ceil(total / sampled), 1);
  const questions: Played[] = [
    ...seen
      .filter((_, index) => index % every === 0)
      .map(({ trace, elapsed }) => ({
        held: { strength: model.strengthOf(trace), level: levelOf(trace), difficulty: trace.difficulty, answered: -elapsed },
      })),
    ...Array.from({ length: Math.round(unseen / every) }, () => ({ held: null })),
  ];
  const price = priceOf([{ model, weight: 1 }], remaining);
  const random = draws();
  let time = 0;
  for (let day = 0; day < days; day += 1) {
    time += (budget / days) * (questions.length / total);
    const parts = priced([{ model, weight: 1 }], price, days - day);
    const fresh = gainOfNew(parts, remaining) / introduction;
    const ranked = questions
      .map((question) => ({
        question,
        rate: question.held ? gainUnder(parts[0] as (typeof parts)[0], question.held, day - question.held.answered) / repetition : fresh,
      }))
      .toSorted((one, other) => other.rate - one.rate);
    for (const { question } of ranked) {
      if (question.held?.answered === day) continue;
      const seconds = question.held ? repetition : introduction;
      if (seconds > time) continue;
      time -= seconds;
      question.held = { ...answered(model, question.held, day, firstRight, random()), answered: day };
    }
  }
  const known = questions.reduce((sum, { held }) => sum + (held ? model.recall(days - held.answered, held.strength) : 0), 0);
  return known / Math.max(questions.length, 1);
}

/** Returns the memory after an answer. @param luck from 0 to 1: the answer is right if it is below the chance */
function answered(model: MemoryModel, held: Played['held'], day: number, firstRight: number, luck: number): Held {
  if (!held) {
    const trace = firstTraces[luck < firstRight ? 0 : 1];
    return { strength: model.strengthOf(trace), level: levelOf(trace), difficulty: trace.difficulty };
  }
  const recall = model.recall(day - held.answered, held.strength);
  const right = luck < recall;
  const level = right ? held.level : levelAfterLapse(held.level);
  const strength = model.next(held.strength, held.difficulty, recall, right);
  return { strength, level, difficulty: right ? held.difficulty : difficultyAt(level) };
}

/** Returns a generator of numbers from 0 to less than 1, always the same (a linear congruence). */
function draws(): () => number {
  let state = 1;
  return () => {
    state = (Math.imul(state, 1_664_525) + 1_013_904_223) >>> 0;
    return state / 2 ** 32;
  };
}
