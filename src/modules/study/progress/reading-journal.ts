import type { EntityManager } from '@mikro-orm/postgresql';
import type { UseCaseContext } from '../../../platform/use-cases/events.ts';
import { within } from '../../../platform/work/within.ts';
import { keepReadings, type Opening } from './reading.repository.ts';

/** Time for which openings are collected before they are written, in ms. */
const gatherMs = 1_000;
/** Longest time that a page waits for pending openings to be written, in ms. Another transaction may lock an item's row for longer. */
const flushTimeoutMs = 250;
/** Maximum number of openings written by one statement. */
const batch = 1_000;
/** Maximum number of openings kept in memory. During a long database outage the oldest are dropped. */
const maxWaiting = 10_000;

/**
 * Records which items learners open and finish. Writes happen after the response: one statement for all openings of one second
 * (docs/decisions/021-reading-marks.md).
 */
export class ReadingJournal {
  readonly #fork: () => EntityManager;
  readonly #log: UseCaseContext['log'];
  #waiting = new Map<string, Opening>();
  #timer: NodeJS.Timeout | null = null;
  #writing: Promise<void> = Promise.resolve();
  /** True while a write is running. */
  #busy = false;
  /** The next write, if it is already queued. */
  #next: Promise<void> | null = null;

  constructor({ fork, log }: { fork: () => EntityManager; log: UseCaseContext['log'] }) {
    this.#fork = fork;
    this.#log = log;
  }

  /** Queues an opening. Never waits, never throws. */
  note(opening: Opening): void {
    this.#remember(opening);
    if (this.#waiting.size === batch) this.flush();
    else this.#timer ??= setTimeout(() => this.flush(), gatherMs).unref();
  }

  /** Writes the queued openings. Never rejects. */
  flush(): Promise<void> {
    this.#next ??= this.#writing = this.#writing.then(() => {
      this.#next = null;
      return this.#write();
    });
    return this.#next;
  }

  /**
   * Writes the queued openings, for a page that shows the learner's progress. After the timeout the page is rendered without the
   * rest.
   */
  async flushSoon(): Promise<void> {
    if (this.#waiting.size === 0 && !this.#busy) return;
    await within(this.flush(), flushTimeoutMs, () => undefined);
  }

  #remember(opening: Opening): void {
    const key = `${opening.userId} ${opening.itemId}`;
    const known = this.#waiting.get(key);
    // A requested opening wins over one shown by default. Once finished, an opening stays finished.
    const latest = known?.asked && !opening.asked ? known : opening;
    this.#waiting.set(key, { ...latest, finished: known?.finished || opening.finished });
    if (this.#waiting.size <= maxWaiting) return;
    const [oldest] = this.#waiting.keys();
    if (oldest !== undefined) this.#waiting.delete(oldest);
  }

  async #write(): Promise<void> {
    if (this.#timer) clearTimeout(this.#timer);
    this.#timer = null;
    if (this.#waiting.size === 0) return;
    this.#busy = true;
    const openings = this.#waiting;
    this.#waiting = new Map();
    try {
      await keepReadings(this.#fork(), [...openings.values()]);
    } catch (error) {
      // Keep the openings for the next write. That write leaves out items deleted meanwhile.
      this.#log.error({ err: error, openings: openings.size }, 'readings could not be kept');
      const later = this.#waiting;
      this.#waiting = openings;
      for (const opening of later.values()) this.#remember(opening);
    } finally {
      this.#busy = false;
    }
  }
}
