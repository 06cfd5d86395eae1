import { type AttachedDocument, type ItemRef, sameItem } from './outline.ts';

/** A readable item. Without `texts`, its texts are in the server's HTML. */
export interface Reading extends ItemRef {
  titre: string;
  /** Reading time of the text, in minutes. */
  minutes: number;
  texts: { contenu: string; corrige: string | null } | null;
  documents: readonly AttachedDocument[];
}

export interface ReadingState {
  shown: Reading | null;
  /** The requested item, while it is loading or after a failure. The current text stays shown. */
  asked: ItemRef | null;
  loading: boolean;
  /** Number of consecutive failures to load the requested item. */
  failures: number;
  /** A new object each time an item is shown: it is announced, and scrolled to unless the browser restores its scroll position. */
  arrival: { scroll: boolean } | null;
}

export type ReadingAction =
  | { type: 'ask'; item: ItemRef }
  | { type: 'fail' }
  | { type: 'show'; reading: Reading; scroll: boolean }
  | { type: 'leave' };

const quiet = { asked: null, loading: false, failures: 0 };

export const startReading = (shown: Reading | null): ReadingState => ({ ...quiet, shown, arrival: null });

export function reduceReading(state: ReadingState, action: ReadingAction): ReadingState {
  switch (action.type) {
    case 'ask':
      return { ...state, asked: action.item, loading: true, failures: sameItem(state.asked, action.item) ? state.failures : 0 };
    case 'fail':
      return state.loading ? { ...state, loading: false, failures: state.failures + 1 } : state;
    case 'show':
      return { ...quiet, shown: action.reading, arrival: { scroll: action.scroll } };
    case 'leave':
      return { ...state, ...quiet };
  }
}

/** Keeps the latest `limit` readings, so that going back costs no data. */
export class ReadingMemory {
  readonly #readings = new Map<string, Reading>();
  readonly #limit: number;

  constructor(limit: number) {
    this.#limit = limit;
  }

  get({ type, id }: ItemRef): Reading | undefined {
    return this.#readings.get(type + id);
  }

  keep(reading: Reading): void {
    const key = reading.type + reading.id;
    this.#readings.delete(key);
    this.#readings.set(key, reading);
    const [oldest] = this.#readings.keys();
    if (this.#readings.size > this.#limit && oldest !== undefined) this.#readings.delete(oldest);
  }
}
