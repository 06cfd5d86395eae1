import { mixedRecall, type Weighed, weighModels } from './evidence.ts';
import { exerciseId, exerciseInstead, type Valued } from './exercise.ts';
import { gainOfNew, gainOfSeen, priced } from './gain.ts';
import { byId, introduced, mixed } from './mixing.ts';
import { meanSeconds, priceOf, remainingOf } from './price.ts';
import { daysSince, type MarkedExercise, type Questions, type SeenQuestion } from './questions.ts';
import { reasonOf, reasonOfExercise, reasonOfNew } from './reasons.ts';
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

/** A question of a session, or its exercise. */
export interface PlannedQuestion {
  /** The question's id; that of an exercise is `exerciseId`. */
  id: string;
  /** The exercise; absent for a question. */
  item?: number;
  discipline: number;
  isNew: boolean;
  /** Expected time, in seconds. */
  seconds: number;
  /** Why the question is asked, in French. */
  reason: string;
  /** Whether the learner has passed over the exercise. */
  passed?: true;
}

/** Share of each session that asks what was not asked for longest, so that wrong forecasts are noticed. */
const checkedShare = 0.1;
/** Recall that is kept without a date. */
const kept = 0.9;
/** Questions at least as well known that gain nothing are left out. */
const wellKnown = 0.95;

/** Expected recall below which an exercise that went well comes back. */
const fading = 0.75;

/** A seen question that may be asked today. */
interface Candidate {
  question: SeenQuestion;
  days: number;
  recall: number;
}

/** Adds a question, or several, to a session if its time suffices. */
type Take = (chosen: Chosen) => void;

interface Ranked {
  /** Gain in expected recall per second. */
  rate: number;
  take: Take;
}

/** What a session takes, in this order, and the gain per second of an exercise. */
interface Choice {
  takes: Take[];
  rateOf: (exercise: MarkedExercise) => number;
}

/**
 * Returns the questions of today's session in the order in which they are asked. Their expected time is at most that of the session; a
 * question that was answered today comes back only if its last answer was wrong, and after all others. A session of 15 minutes and more may
 * have one exercise, which stands after the questions. The result depends on the questions and the session alone, not on the order in which
 * the questions are given.
 */
export function planSession(
  { seen, unseen, exercises = [] }: Questions & { exercises?: readonly MarkedExercise[] },
  session: Session,
): PlannedQuestion[] {
  const questions = { seen: seen.toSorted(byId), unseen: introduced(unseen) };
  const models = weighModels(questions.seen.map(({ memory }) => memory));
  const all = questions.seen.map((question) => {
    const days = daysSince(question, session.now);
    return { question, days, recall: mixedRecall(models, question.memory, days) };
  });
  const open = all.filter(({ days }) => days > 0);
  const failedToday = all.filter(({ question, days }) => days === 0 && !question.memory.lastRight);
  const { takes, rateOf } =
    session.daysLeft === null
      ? belowKept(questions, open, models, session.now)
      : mostWorth(questions, open, models, session, session.daysLeft);
  const valued = exercises
    .filter((exercise) => mayComeBack(exercise, daysSince(exercise, session.now), models))
    .map((exercise) => ({ exercise, seconds: exercise.seconds, rate: rateOf(exercise) }));
  const limit = session.minutes * 60;
  const without = choose(takes, limit);
  const exercise = exerciseInstead(valued, without.valued(), session.minutes);
  const chosen = exercise ? choose(takes, limit - exercise.seconds) : without;
  const first = mixed(chosen.all());
  for (const candidate of failedToday) chosen.repeat(candidate, 0);
  const planned = exercise ? [plannedExercise(exercise, session.now)] : [];
  return [...first, ...chosen.all().slice(first.length), ...planned];
}

/** An exercise takes long: one that went well waits until it is probably being forgotten. */
const mayComeBack = ({ memory }: MarkedExercise, days: number, models: readonly Weighed[]): boolean =>
  days > 0 && (!memory.lastRight || mixedRecall(models, memory, days) < fading);

function choose(takes: readonly Take[], limit: number): Chosen {
  const chosen = new Chosen(limit);
  for (const take of takes) take(chosen);
  return chosen;
}

function plannedExercise(exercise: MarkedExercise, now: number): PlannedQuestion {
  const { item, discipline, seconds } = exercise;
  return { id: exerciseId(item), item, discipline, isNew: false, seconds, reason: reasonOfExercise(exercise, daysSince(exercise, now)) };
}

/** Asks what is below 90 %, the weakest first, then new questions. */
function belowKept({ seen, unseen }: Questions, open: readonly Candidate[], models: readonly Weighed[], now: number): Choice {
  const repeats = open
    .filter(({ recall }) => recall < kept)
    .toSorted((one, other) => one.recall - other.recall)
    .map(
      (candidate): Take =>
        (chosen) =>
          chosen.repeat(candidate, (kept - candidate.recall) / candidate.question.seconds),
    );
  const introductions = unseen.map(
    (question): Take =>
      (chosen) =>
        chosen.introduce(question, 0),
  );
  const unit = meanSeconds(seen.length > 0 ? seen : unseen);
  const rateOf = (exercise: MarkedExercise) => (kept - mixedRecall(models, exercise.memory, daysSince(exercise, now))) / unit;
  return { takes: [...repeats, ...introductions], rateOf };
}

/** Asks a tenth to check the forecasts, then what adds most expected recall on the day per second. */
function mostWorth(
  questions: Questions,
  open: readonly Candidate[],
  models: readonly Weighed[],
  { now, minutes, minutesADay = minutes }: Session,
  daysLeft: number,
): Choice {
  const days = Math.min(Math.max(daysLeft, 1), longest);
  const remaining = remainingOf(questions, now, days, minutesADay);
  const parts = priced(models, priceOf(models, remaining), days);
  const checkedTime = checkedShare * minutes * 60;
  const longestAgo = open.toSorted((one, other) => other.days - one.days || one.question.memory.reps - other.question.memory.reps);
  const checks = (chosen: Chosen): void => {
    for (const candidate of longestAgo) {
      if (chosen.seconds + candidate.question.seconds / 2 > checkedTime) break;
      chosen.repeat(candidate, Number.POSITIVE_INFINITY, true);
    }
  };
  const repeats = open.flatMap((candidate): Ranked[] => {
    const { question, recall, days: elapsed } = candidate;
    const gain = gainOfSeen(parts, question.memory, elapsed);
    const rate = gain / question.seconds;
    return gain > 0 || recall < wellKnown ? [{ rate, take: (chosen) => chosen.repeat(candidate, rate) }] : [];
  });
  const gain = gainOfNew(parts, remaining);
  // On the eve what was learnt is repeated first: a new question has no further chance.
  const introductions = questions.unseen.map((question): Ranked => {
    const rate = days === 1 ? Number.NEGATIVE_INFINITY : gain / question.seconds;
    return { rate, take: (chosen) => chosen.introduce(question, rate) };
  });
  const rest = [...repeats, ...introductions].toSorted((one, other) => (one.rate === other.rate ? 0 : other.rate - one.rate));
  const rateOf = (exercise: MarkedExercise) => gainOfSeen(parts, exercise.memory, daysSince(exercise, now)) / remaining.repetition;
  return { takes: [checks, ...rest.map(({ take }) => take)], rateOf };
}

/** The questions of a session, as long as its time suffices. */
class Chosen {
  seconds = 0;
  readonly #limit: number;
  readonly #questions = new Map<string, { planned: PlannedQuestion; rate: number }>();

  constructor(limit: number) {
    this.#limit = limit;
  }

  repeat({ question, days, recall }: Candidate, rate: number, checked = false): void {
    this.#add(question, rate, false, () => reasonOf(question, days, recall, checked));
  }

  introduce(question: Questions['unseen'][number], rate: number): void {
    this.#add(question, rate, true, () => reasonOfNew);
  }

  #add(question: Omit<PlannedQuestion, 'isNew' | 'reason'>, rate: number, isNew: boolean, reason: () => string): void {
    const { id, discipline, seconds } = question;
    if (this.#questions.has(id) || this.seconds + seconds > this.#limit) return;
    this.seconds += seconds;
    this.#questions.set(id, { planned: { id, discipline, isNew, seconds, reason: reason() }, rate });
  }

  /** Returns the questions in the order in which they were chosen. */
  all(): PlannedQuestion[] {
    return Array.from(this.#questions.values(), ({ planned }) => planned);
  }

  valued(): Valued[] {
    return Array.from(this.#questions.values(), ({ planned: { seconds }, rate }) => ({ seconds, rate }));
  }
}
