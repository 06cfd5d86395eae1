import { LRUCache } from 'lru-cache';
import { askFirst, hearFirst } from '../processes/first-process.ts';
import { processes } from '../processes/share.ts';
import type { Counts, DistinctQuestion, Refusal } from './count-questions.ts';

/** How long what was given is gathered before the first process is told, in ms. */
const gatherMs = 250;
const maxCallers = 20_000;

interface Known {
  /** In ms since 1970. */
  end: number;
  things: Set<number | string>;
  /** Somebody has had much: the first process decides. */
  asks: boolean;
}

/**
 * Different things that callers take, counted by several processes together. A question to the first one costs up to half of a page, and nearly nobody comes near a
 * limit: each process gives a share of half the limit by itself and tells afterwards. Whoever has had that is asked about, and then by all processes; so the limit
 * is exact for whoever needs more than a moment to reach it.
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
    // Messages arrive in their order.
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

/** What all processes are told when one has asked about somebody. */
export const askAbout = (name: string): string => `distinct ${name}`;
