import { type AttachedDocument, type ItemRef, sameItem } from './outline.ts';

/** An item as it is read. Without texts it is the one that the server wrote into the page. */
export interface Reading extends ItemRef {
  titre: string;
  texts: { contenu: string; corrige: string | null } | null;
  documents: readonly AttachedDocument[];
}

export interface ReadingState {
  shown: Reading | null;
  /** What is being fetched, or could not be; the text shown stays meanwhile. */
  asked: ItemRef | null;
  loading: boolean;
  /** How often in a row the asked item could not be fetched. */
  failures: number;
  /** A new object each time that an item arrives: it is announced, and scrolled to unless the browser restores its own position. */
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

/** Readings kept for the way back, which then costs no data: the latest `limit` of them. */
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
