import { mixedRecall, type Weighed, weighModels } from './evidence.ts';
import { gainOfNew, gainOfSeen, priced } from './gain.ts';
import { byId, introduced, mixed } from './mixing.ts';
import { priceOf, remainingOf } from './price.ts';
import { daysSince, type Questions, type SeenQuestion } from './questions.ts';
import { reasonOf, reasonOfNew } from './reasons.ts';
import { longest } from './worth.ts';

export interface Session {
  /** In ms since 1970. */
  now: number;
  /** Time of the session, in minutes. */
  minutes: number;
  /** Days until the concours: 1 is the eve; null without a date. */
  daysLeft: number | null;
  /** Time of each further day, in minutes; that of this session by default. */
  minutesADay?: number;
}

export interface PlannedQuestion {
  id: string;
  discipline: number;
  isNew: boolean;
  /** Expected time, in seconds. */
  seconds: number;
  /** Why the question is asked, in French. */
  reason: string;
}

/** Share of each session that asks what was not asked for longest, so that wrong forecasts are noticed. */
const checkedShare = 0.1;
/** Recall that is kept without a date. */
const kept = 0.9;
/** Questions at least as well known that gain nothing are left out. */
const wellKnown = 0.95;

/** A seen question that may be asked today. */
interface Candidate {
  question: SeenQuestion;
  days: number;
  recall: number;
}

/**
 * Returns the questions of today's session in the order in which they are asked. Their expected time is at most that of the session; a
 * question that was answered today comes back only if its last answer was wrong, and after all others. The result depends on the questions
 * and the session alone, not on the order in which the questions are given.
 */
export function planSession({ seen, unseen }: Questions, session: Session): PlannedQuestion[] {
  const questions = { seen: seen.toSorted(byId), unseen: introduced(unseen) };
  const models = weighModels(questions.seen.map(({ memory }) => memory));
  const all = questions.seen.map((question) => {
    const days = daysSince(question, session.now);
    return { question, days, recall: mixedRecall(models, question.memory, days) };
  });
  const open = all.filter(({ days }) => days > 0);
  const failedToday = all.filter(({ question, days }) => days === 0 && !question.memory.lastRight);
  const chosen = new Chosen(session.minutes * 60);
  if (session.daysLeft === null) keepRecall(chosen, questions, open);
  else takeMostWorth(chosen, questions, open, models, session, session.daysLeft);
  const first = mixed(chosen.all());
  for (const candidate of failedToday) chosen.repeat(candidate);
  return [...first, ...chosen.all().slice(first.length)];
}

/** Asks what is below 90 %, the weakest first, then new questions. */
function keepRecall(chosen: Chosen, { unseen }: Questions, open: readonly Candidate[]): void {
  for (const candidate of open.filter(({ recall }) => recall < kept).toSorted((one, other) => one.recall - other.recall))
    chosen.repeat(candidate);
  for (const question of unseen) chosen.introduce(question);
}

/** Asks a tenth to check the forecasts, then what adds most expected recall on the day per second. */
function takeMostWorth(
  chosen: Chosen,
  questions: Questions,
  open: readonly Candidate[],
  models: readonly Weighed[],
  { now, minutes, minutesADay = minutes }: Session,
  daysLeft: number,
): void {
  const days = Math.min(Math.max(daysLeft, 1), longest);
  const remaining = remainingOf(questions, now, days, minutesADay);
  const parts = priced(models, priceOf(models, remaining), days);
  const checkedTime = checkedShare * minutes * 60;
  for (const candidate of open.toSorted((one, other) => other.days - one.days || one.question.memory.reps - other.question.memory.reps)) {
    if (chosen.seconds + candidate.question.seconds / 2 > checkedTime) break;
    chosen.repeat(candidate, true);
  }
  const repeats = open.flatMap((candidate) => {
    const { question, recall, days: elapsed } = candidate;
    const gain = gainOfSeen(parts, question.memory, elapsed);
    return gain > 0 || recall < wellKnown ? [{ rate: gain / question.seconds, take: () => chosen.repeat(candidate) }] : [];
  });
  const gain = gainOfNew(parts, remaining);
  // On the eve what was learnt is repeated first: a new question has no further chance.
  const introductions = questions.unseen.map((question) => ({
    rate: days === 1 ? Number.NEGATIVE_INFINITY : gain / question.seconds,
    take: () => chosen.introduce(question),
  }));
  for (const { take } of [...repeats, ...introductions].toSorted((one, other) => (one.rate === other.rate ? 0 : other.rate - one.rate)))
    take();
}

/** The questions of a session, as long as its time suffices. */
class Chosen {
  seconds = 0;
  readonly #limit: number;
  readonly #questions = new Map<string, PlannedQuestion>();

  constructor(limit: number) {
    this.#limit = limit;
  }

  repeat({ question, days, recall }: Candidate, checked = false): void {
    this.#add(question, false, () => reasonOf(question, days, recall, checked));
  }

  introduce(question: Questions['unseen'][number]): void {
    this.#add(question, true, () => reasonOfNew);
  }

  #add({ id, discipline, seconds }: Omit<PlannedQuestion, 'isNew' | 'reason'>, isNew: boolean, reason: () => string): void {
    if (this.#questions.has(id) || this.seconds + seconds > this.#limit) return;
    this.seconds += seconds;
    this.#questions.set(id, { id, discipline, isNew, seconds, reason: reason() });
  }

  /** Returns the questions in the order in which they were chosen. */
  all(): PlannedQuestion[] {
    return [...this.#questions.values()];
  }
}
