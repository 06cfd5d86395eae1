import { FSRSAlgorithm } from 'ts-fsrs';
import { dayMs, dayNumber } from '../dates.ts';
import { gradeOf, type RecallAnswer } from './answers.ts';
import { evidenceOf } from './evidence.ts';
import { memoryModels, type Trace } from './models.ts';

/** Version of the fold and its models: stored memories of another version are computed anew. */
export const memoryVersion = 1;

const fsrs = new FSRSAlgorithm({});

/** The memory right after a first answer, right and wrong. */
export const firstTraces: readonly [right: Trace, wrong: Trace] = [
  { ...fsrs.next_state(null, 0, 3), right: 1, wrong: 0 },
  { ...fsrs.next_state(null, 0, 1), right: 0, wrong: 1 },
];

/** What is known of a learner's memory of one question. */
export interface Memory extends Trace {
  /** Time of the last answer, and when FSRS expects recall to fall to 90 %, in ms since 1970. */
  lastAt: number;
  dueAt: number;
  /** Number of answers, and of those that were wrong after a right one. */
  reps: number;
  lapses: number;
  /** Whether the first and the last answer were right. */
  firstRight: boolean;
  lastRight: boolean;
  /** Log-likelihood of the answers under each of `memoryModels`, weighed by their gaps. */
  evidence: number[];
}

/** Returns the answers by time, then by key, each key once. */
function inOrder(answers: readonly RecallAnswer[]): RecallAnswer[] {
  const sorted = answers.toSorted((one, other) => one.at - other.at || (one.key < other.key ? -1 : one.key > other.key ? 1 : 0));
  const keys = new Set<string>();
  return sorted.filter(({ key }) => !keys.has(key) && keys.add(key));
}

/**
 * Returns the memory after one more answer, the latest so far. FSRS counts days of Africa/Douala: a further answer of the same day changes
 * stability by FSRS's short-term formula, and is no evidence about forgetting, because the learner has just seen the explanation.
 * @param median the learner's median time of an answer, in seconds
 */
export function remember(memory: Memory | null, answer: RecallAnswer, median: number | null): Memory {
  const { at, right } = answer;
  const days = memory ? Math.max(dayNumber(at) - dayNumber(memory.lastAt), 0) : 0;
  const state = fsrs.next_state(memory && { stability: memory.stability, difficulty: memory.difficulty }, days, gradeOf(answer, median));
  const counts = memory === null || days > 0;
  const gained = memory ? evidenceOf(memory, days, right) : null;
  const before = memory?.evidence ?? memoryModels.map(() => 0);
  return {
    ...state,
    right: (memory?.right ?? 0) + (counts && right ? 1 : 0),
    wrong: (memory?.wrong ?? 0) + (counts && !right ? 1 : 0),
    lastAt: at,
    dueAt: at + fsrs.next_interval(state.stability, 0) * dayMs,
    reps: (memory?.reps ?? 0) + 1,
    lapses: (memory?.lapses ?? 0) + (memory?.lastRight && !right ? 1 : 0),
    firstRight: memory?.firstRight ?? right,
    lastRight: right,
    evidence: gained ? before.map((sum, index) => sum + (gained[index] as number)) : before,
  };
}

/**
 * Returns the memory of one question from all answers of one learner to it, in any order, repeated or not; null without an answer.
 * @param median the learner's median time of an answer, in seconds
 */
export const foldMemory = (answers: readonly RecallAnswer[], median: number | null): Memory | null =>
  inOrder(answers).reduce<Memory | null>((memory, answer) => remember(memory, answer, median), null);
