import type { EntityManager } from '@mikro-orm/postgresql';
import type { UseCaseContext } from '../../../platform/use-cases/events.ts';
import { within } from '../../../platform/work/within.ts';
import { keepReadings, type Opening } from './reading.repository.ts';

/** How long openings are gathered before they are written, in ms. */
const gatherMs = 1_000;
/** How long a page waits for what has just been opened, in ms: somebody may hold the row of one item for longer. */
const flushTimeoutMs = 250;
/** So many are written at once. */
const batch = 1_000;
/** Openings that wait, at most; a database that is away for long costs the oldest ones. */
const maxWaiting = 10_000;

/**
 * Which items learners open and finish, written behind the answers: one statement for all that happened within a second, in however many pages
 * (docs/decisions/021-reading-marks.md).
 */
export class ReadingJournal {
  readonly #fork: () => EntityManager;
  readonly #log: UseCaseContext['log'];
  #waiting = new Map<string, Opening>();
  #timer: NodeJS.Timeout | null = null;
  #writing: Promise<void> = Promise.resolve();
  /** A writing is under way. */
  #busy = false;
  /** The next writing, when one is asked for already. */
  #next: Promise<void> | null = null;

  constructor({ fork, log }: { fork: () => EntityManager; log: UseCaseContext['log'] }) {
    this.#fork = fork;
    this.#log = log;
  }

  /** Remembers an opening; never waits, never throws. */
  note(opening: Opening): void {
    this.#remember(opening);
    if (this.#waiting.size === batch) this.flush();
    else this.#timer ??= setTimeout(() => this.flush(), gatherMs).unref();
  }

  /** Writes what waits. Never rejects. */
  flush(): Promise<void> {
    this.#next ??= this.#writing = this.#writing.then(() => {
      this.#next = null;
      return this.#write();
    });
    return this.#next;
  }

  /** The same, for a page that shows what has been read: what takes longer is missing from it. */
  async flushSoon(): Promise<void> {
    if (this.#waiting.size === 0 && !this.#busy) return;
    await within(this.flush(), flushTimeoutMs, () => undefined);
  }

  #remember(opening: Opening): void {
    const key = `${opening.userId} ${opening.itemId}`;
    const known = this.#waiting.get(key);
    // Asked for once is asked for, whatever was shown unasked besides; finished once is finished.
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
      // Kept for the next time; an item deleted at this very moment is left out then.
      this.#log.error({ err: error, openings: openings.size }, 'readings could not be kept');
      const later = this.#waiting;
      this.#waiting = openings;
      for (const opening of later.values()) this.#remember(opening);
    } finally {
      this.#busy = false;
    }
  }
}
