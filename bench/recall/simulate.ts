import { mixedRecall, rightWhenKnown, weighModels } from '../../src/shared/recall/evidence.ts';
import { type Memory, remember } from '../../src/shared/recall/memory.ts';
import { type Outlook, outlookOf } from '../../src/shared/recall/outlook.ts';
import { seeded } from '../../test/support/random.ts';
import { luck } from './draws.ts';
import type { Family } from './learners.ts';
import { instantOf, introduction, nextSm2, type Policy, repetition, type Sm2 } from './policies.ts';

export interface Setting {
  family: Family;
  questions: number;
  days: number;
  /** Minutes a day. */
  minutes: number;
}

/** A forecast, and what came true. */
export interface Forecast {
  chance: number;
  right: boolean;
}

interface Outcome {
  /** Expected share of questions known on the day. */
  known: number;
  forecasts: Forecast[];
  /** The outlook of 'studying' after a third of the days, and of 'stopping' on the eve. */
  studying: Outlook['studying'] | null;
  stopping: Outlook['stopping'] | null;
}

/** Seconds that an answer takes: the first, with its explanation; a right one; a wrong one; reading again. */
const seconds = { first: 45, right: 20, wrong: 35, reading: 30 };
/** Share of right answers without knowledge, and of wrong ones with it. */
const [guessed, slipped] = [0.15, 0.03];

/** Returns what one learner knows on the day after studying by a policy. The same seed is the same learner with the same luck. */
export function simulate({ family, questions, days, minutes }: Setting, policy: Policy, seed: number, record = false): Outcome {
  const random = seeded(Math.imul(seed, 7919) + 13);
  const truth = family(random, questions)();
  /** Share of questions that this learner knew before. */
  const knewBefore = 0.15 + 0.4 * random();
  const memories: (Memory | null)[] = Array.from({ length: questions }, () => null);
  const sm2: Sm2[] = Array.from({ length: questions }, () => ({ due: 0, ease: 2.5, repetitions: 0, interval: 0 }));
  const outcome: Outcome = { known: 0, forecasts: [], studying: null, stopping: null };
  const budget = minutes * 60;
  const draw = seeded(seed);
  for (let day = 0; day < days; day += 1) {
    const models = record ? weighModels(memories.filter((memory) => memory !== null)) : [];
    if (record && day === Math.floor(days / 3)) outcome.studying = outlook(memories, day, days, minutes)?.studying ?? null;
    let spent = 0;
    for (const question of policy.rank({ day, days, seconds: budget, memories, sm2, random: draw })) {
      const memory = memories[question] ?? null;
      // A question is begun only if its expected time is left, under each policy.
      if (spent + (memory ? repetition : introduction) > budget) continue;
      const times = memory?.reps ?? 0;
      const pace = 0.75 + 0.5 * luck(seed, question, times, 3);
      const knew = luck(seed, question, times, 1) < (memory ? truth.recall(question, day) : knewBefore);
      const right = luck(seed, question, times, 2) < (knew ? 1 - slipped : guessed);
      if (policy.reading) truth.read(question, day);
      else truth.practise(question, day, knew);
      spent += pace * (memory === null ? seconds.first : policy.reading ? seconds.reading : right ? seconds.right : seconds.wrong);
      if (record && memory) outcome.forecasts.push({ chance: rightWhenKnown(mixedRecall(models, memory, sinceOf(memory, day))), right });
      memories[question] = remember(memory, { key: `${day}`, at: instantOf(day), right, seconds: null }, null);
      sm2[question] = nextSm2(sm2[question] as Sm2, day, right);
    }
  }
  for (let question = 0; question < questions; question += 1) outcome.known += truth.recall(question, days) / questions;
  if (record) outcome.stopping = outlook(memories, days - 1, days, minutes)?.stopping ?? null;
  return outcome;
}

const sinceOf = (memory: Memory, day: number): number => Math.round((instantOf(day) - memory.lastAt) / 86_400_000);

function outlook(memories: readonly (Memory | null)[], day: number, days: number, minutes: number): Outlook | null {
  const seen = memories.flatMap((memory, id) => (memory ? [{ id: `${id}`, discipline: 0, seconds: repetition, memory }] : []));
  const unseen = memories.flatMap((memory, id) => (memory ? [] : [{ id: `${id}`, discipline: 0, position: id, seconds: introduction }]));
  return outlookOf({ seen, unseen }, instantOf(day), days - day, minutes);
}
