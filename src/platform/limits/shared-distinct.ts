import { LRUCache } from 'lru-cache';
import { askFirst, hearFirst } from '../processes/first-process.ts';
import { processes } from '../processes/share.ts';
import type { Counts, DistinctQuestion, Refusal } from './count-questions.ts';

/** How long things given out are collected before they are reported to the first process, in ms. */
const gatherMs = 250;
const maxCallers = 20_000;

interface Known {
  /** End of the window, in ms since 1970. */
  end: number;
  things: Set<number | string>;
  /** True once the caller has taken much: from then on the first process decides. */
  asks: boolean;
}

/**
 * Counts different things per caller across several processes. Asking the first process costs up to half the time of a page, and few
 * callers come near a limit. So each process gives out its share of half the limit by itself and reports afterwards. Beyond this share it
 * asks the first process, and so do all others then. The limit is exact unless a caller reaches it within the reporting delay.
 */
export class SharedDistinct {
  readonly #here: Counts;
  readonly #known = new LRUCache<string, Known>({ max: maxCallers });
  #given: DistinctQuestion[] = [];
  #timer: NodeJS.Timeout | null = null;
  #name: string | null = null;

  constructor(here: Counts) {
    this.#here = here;
  }

  async take(question: DistinctQuestion): Promise<Refusal | null> {
    this.#listen(question.name);
    const { most, caller, things, at, windowMs } = question;
    let known = this.#known.get(caller);
    if (!known || known.end <= at) {
      known = { end: at + windowMs, things: new Set(), asks: false };
      this.#known.set(caller, known);
    }
    const { things: had } = known;
    const fresh = things.filter((thing) => !had.has(thing));
    if (fresh.length === 0) return null;
    const own = Math.floor(most / 2 / processes());
    if (!known.asks && had.size + fresh.length <= own) {
      for (const thing of fresh) had.add(thing);
      this.#given.push({ ...question, things: fresh });
      this.#timer ??= setTimeout(() => this.#tell(), gatherMs).unref();
      return null;
    }
    // Messages arrive in order: the report must precede the question.
    this.#tell();
    const refusal = await askFirst<Refusal | null>('distinct', question).catch(() => this.#here.distinct(question));
    if (refusal === null) for (const thing of fresh) had.add(thing);
    return refusal;
  }

  #tell(): void {
    if (this.#timer) clearTimeout(this.#timer);
    this.#timer = null;
    if (this.#given.length === 0) return;
    void askFirst('given', this.#given).catch(() => {});
    this.#given = [];
  }

  #listen(name: string): void {
    if (this.#name !== null) return;
    this.#name = name;
    hearFirst<{ caller: string; end: number }>(askAbout(name), ({ caller, end }) => {
      const known = this.#known.get(caller) ?? { end, things: new Set(), asks: true };
      known.asks = true;
      this.#known.set(caller, known);
      this.#tell();
    });
  }
}

/** Returns the topic under which all processes learn that they must ask about a caller. */
export const askAbout = (name: string): string => `distinct ${name}`;
