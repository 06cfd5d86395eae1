import { forgetting_curve, FSRS6_DEFAULT_DECAY as fsrsDecay } from 'ts-fsrs';
import { dayMs, dayNumber } from '../../src/shared/dates.ts';
import type { Memory } from '../../src/shared/recall/memory.ts';
import { planSession } from '../../src/shared/recall/plan.ts';
import type { Random } from '../../test/support/random.ts';

/** What a policy sees of a learner on one day: answers, never the true memory. */
interface View {
  day: number;
  days: number;
  /** Time of each day, in seconds. */
  seconds: number;
  /** By question; null if unseen. */
  memories: readonly (Memory | null)[];
  /** SM-2's state by question. */
  sm2: readonly Sm2[];
  random: Random;
}

/** Returns questions in the order in which they should be asked today. */
export interface Policy {
  name: string;
  /** Questions are read with their answers, not asked. */
  reading?: true;
  rank: (view: View) => number[];
}

export interface Sm2 {
  due: number;
  ease: number;
  repetitions: number;
  interval: number;
}

/** Expected seconds of a repetition and of a new question, as the planner is told. */
export const [repetition, introduction] = [25, 45];
/** 18:00 in Africa/Douala on a day of the simulation, in ms. */
export const instantOf = (day: number): number => Date.UTC(2027, 0, 4, 17) + day * dayMs;
const firstDay = dayNumber(instantOf(0));
const dayOf = (memory: Memory): number => dayNumber(memory.lastAt) - firstDay;

const by = (value: (question: number) => number) => (one: number, other: number) => value(one) - value(other) || one - other;
const unseen = ({ memories }: View): number[] => memories.flatMap((memory, question) => (memory ? [] : [question]));
const seenBefore = ({ memories, day }: View): number[] =>
  memories.flatMap((memory, question) => (memory && dayOf(memory) < day ? [question] : []));

export const ours: Policy = {
  name: 'ours',
  rank: ({ memories, day, days, seconds }) => {
    const questions = {
      seen: memories.flatMap((memory, id) => (memory ? [{ id: idOf(id), discipline: id % 3, seconds: repetition, memory }] : [])),
      unseen: memories.flatMap((memory, id) => (memory ? [] : [{ id: idOf(id), discipline: id % 3, position: id, seconds: introduction }])),
    };
    // One minute more, because answers may take less time than expected; the simulation stops in time.
    const session = { now: instantOf(day), minutes: seconds / 60 + 1, minutesADay: seconds / 60, daysLeft: days - day };
    return planSession(questions, session).map(({ id }) => Number(id));
  },
};
const idOf = (question: number): string => String(question).padStart(4, '0');

/** FSRS with its default parameters at a retention of 90 %: due questions, the weakest first, then new ones, then the others. */
function fixed(view: View): number[] {
  const recalls = new Map(
    seenBefore(view).map((question) => {
      const memory = view.memories[question] as Memory;
      return [question, forgetting_curve(fsrsDecay, view.day - dayOf(memory), memory.stability)];
    }),
  );
  const seen = [...recalls.keys()].toSorted(by((question) => recalls.get(question) as number));
  const due = seen.filter((question) => (recalls.get(question) as number) <= 0.9);
  return [...due, ...unseen(view), ...seen.slice(due.length)];
}

/** The same, with new questions spread evenly over the days and asked first. */
function fixedSpread(view: View): number[] {
  const fresh = unseen(view).slice(0, Math.ceil(view.memories.length / view.days));
  const chosen = new Set(fresh);
  return [...fresh, ...fixed(view).filter((question) => !chosen.has(question))];
}

export const policies: readonly Policy[] = [
  { name: 'fixed 90 %', rank: fixed },
  { name: 'fixed, new spread', rank: fixedSpread },
  {
    name: 'SM-2',
    rank: (view) => {
      const seen = seenBefore(view).toSorted(by((question) => (view.sm2[question] as Sm2).due));
      const due = seen.filter((question) => (view.sm2[question] as Sm2).due <= view.day);
      return [...due, ...unseen(view), ...seen.slice(due.length)];
    },
  },
  {
    name: 'unseen, random',
    rank: (view) => {
      const order = view.memories.map(() => view.random());
      return [...unseen(view), ...seenBefore(view).toSorted(by((question) => order[question] as number))];
    },
  },
  {
    name: 'reading again',
    reading: true,
    rank: (view) => [...unseen(view), ...seenBefore(view).toSorted(by((question) => dayOf(view.memories[question] as Memory)))],
  },
  ours,
];

/** Returns SM-2's state after an answer: 4 of 5 for a right one, 2 for a wrong one (Wozniak 1990). */
export function nextSm2({ ease, repetitions, interval }: Sm2, day: number, right: boolean): Sm2 {
  const quality = right ? 4 : 2;
  const changed = Math.max(1.3, ease + 0.1 - (5 - quality) * (0.08 + (5 - quality) * 0.02));
  const next = !right || repetitions === 0 ? 1 : repetitions === 1 ? 6 : Math.round(interval * ease);
  return { due: day + next, ease: changed, repetitions: right ? repetitions + 1 : 0, interval: next };
}
