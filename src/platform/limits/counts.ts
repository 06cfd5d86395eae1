import { LRUCache } from 'lru-cache';
import { RateLimiterMemory, RateLimiterRes } from 'rate-limiter-flexible';
import { askFirst, isOneOfSeveral } from '../processes/first-process.ts';
import type { Answers } from '../processes/messages.ts';
import type { Counts, DistinctQuestion, PointsQuestion, Refusal, Used } from './count-questions.ts';
import { askAbout, SharedDistinct } from './shared-distinct.ts';

/** Maximum number of callers in memory per limit; the least recently used are dropped. */
const maxCallers = 20_000;

interface Window {
  /** End of the window, in ms since 1970. */
  end: number;
  things: Set<number | string>;
  refused: boolean;
}

/** Counts in this process's memory. */
class CountsHere implements Counts {
  readonly #limiters = new Map<string, RateLimiterMemory>();
  readonly #windows = new Map<string, LRUCache<string, Window>>();

  async points({ name, points, seconds, key, cost }: PointsQuestion): Promise<Used> {
    const limiter = found(this.#limiters, name, () => new RateLimiterMemory({ points, duration: seconds }));
    if (cost === 0) return used(await limiter.get(key), points, false);
    try {
      return used(await limiter.consume(key, cost), points, false);
    } catch (refusal) {
      if (refusal instanceof RateLimiterRes) return used(refusal, points, true);
      throw refusal;
    }
  }

  async distinct(question: DistinctQuestion): Promise<Refusal | null> {
    const { most, things, at } = question;
    const window = this.#window(question);
    const { things: taken, end } = window;
    if (taken.size >= most && things.some((thing) => !taken.has(thing))) {
      const isFirst = !window.refused;
      window.refused = true;
      return { retryAfterSeconds: (end - at) / 1000, taken: taken.size, isFirst };
    }
    for (const thing of things) taken.add(thing);
    return null;
  }

  /** Counts things that another process has already given out. */
  given(question: DistinctQuestion): void {
    const { things } = this.#window(question);
    for (const thing of question.things) things.add(thing);
  }

  #window({ name, windowMs, caller, at }: DistinctQuestion): Window {
    const windows = found(this.#windows, name, () => new LRUCache<string, Window>({ max: maxCallers }));
    let window = windows.get(caller);
    if (!window || window.end <= at) {
      window = { end: at + windowMs, things: new Set(), refused: false };
      windows.set(caller, window);
    }
    return window;
  }
}

const used = (result: RateLimiterRes | null, points: number, refused: boolean): Used => ({
  remaining: result?.remainingPoints ?? points,
  consumed: result?.consumedPoints ?? 0,
  msBeforeNext: result?.msBeforeNext ?? 0,
  refused,
});

function found<Value>(map: Map<string, Value>, name: string, make: () => Value): Value {
  const known = map.get(name) ?? make();
  map.set(name, known);
  return known;
}

/** Returns the answers of the first process, which counts for all processes. @param tell sends a message to each of them */
export function sharedCounts(tell: (about: string, news: unknown) => unknown): Answers {
  const counts = new CountsHere();
  const told = new LRUCache<string, number>({ max: maxCallers });
  return {
    points: (question: PointsQuestion) => counts.points(question),
    distinct: (question: DistinctQuestion) => {
      // One process has asked about this caller, so from now on all processes must ask. The announcement is sent once per window, since it
      // costs as much as a question.
      const { name, caller, at, windowMs } = question;
      const whose = `${name} ${caller}`;
      if ((told.get(whose) ?? 0) <= at) {
        told.set(whose, at + windowMs);
        tell(askAbout(name), { caller, end: at + windowMs });
      }
      return counts.distinct(question);
    },
    given: (questions: DistinctQuestion[]) => {
      for (const question of questions) counts.given(question);
    },
  };
}

/**
 * Returns this process's counts, or shared ones if several processes serve the site: the first counts for all; if it does not reply, each
 * counts alone.
 */
export function openCounts(): Counts {
  const here = new CountsHere();
  if (!isOneOfSeveral()) return here;
  const shared = new SharedDistinct(here);
  return {
    points: (question) => askFirst<Used>('points', question).catch(() => here.points(question)),
    distinct: (question) => shared.take(question),
  };
}
