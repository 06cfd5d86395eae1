import type { KeptTime } from './site-clock.ts';
import { type SittingRecord, unsentOf } from './sitting-record.ts';
import type { Browser } from './sitting-view.ts';

/** Batches whose numbers are stored ahead: a batch that leaves with the page need not be stored first. */
const aheadNumbers = 8;

/** What the store needs of the page. */
interface Page {
  record(): SittingRecord;
  time(): KeptTime;
  /** A save has ended. */
  saved(): void;
  /** Storage is full or refused from now on. */
  failed(): void;
}

export interface RecordStore {
  /** False: storage is refused or full, and the page goes on in memory. */
  isStored(): boolean;
  /** Whether the last answer is on the disk. */
  isAnswerStored(): boolean;
  /** Whether the next page will begin with a number after this one. */
  isNumberUsed(numero: number): boolean;
  /** Returns the stored record of a candidate; with null, that of the last one. Null without storage. */
  load(candidat: string | null): Promise<SittingRecord | null>;
  /** The page goes on with this record. */
  goOnWith(record: SittingRecord): void;
  /** The next save stores an answer. */
  addAnswer(): void;
  /** Stores the record. Several changes share one save. */
  save(): Promise<void>;
  /** The server has these many of the unsent answers, in their order. */
  confirm(count: number): void;
}

/**
 * Stores the record of a page's sitting. Once a save has failed, the record on the disk no longer changes: when the server has its answers, it
 * is removed. A later page would send them again, at times that it guesses from a clock that may have changed since.
 */
export function recordStore(browser: Pick<Browser, 'load' | 'save' | 'remove'>, page: Page): RecordStore {
  let isStored = true;
  let storedNumber = 0;
  let saved = 0;
  let changes = 0;
  /** The last change that was an answer. */
  let answered = 0;
  let saving: Promise<void> = Promise.resolve();
  /** Answers on the disk that the server does not have; null when there is nothing to remove. */
  let left: number | null = null;

  function fail(): void {
    isStored = false;
    left = unsentOf(page.record()).length;
    page.failed();
    confirm(0);
  }

  function confirm(count: number): void {
    if (left === null) return;
    left -= count;
    const { candidat, rendu, isArrived } = page.record();
    // The record also keeps that the candidate has handed in.
    if (left > 0 || (rendu && !isArrived)) return;
    left = null;
    browser.remove(candidat).catch(() => {});
  }

  return {
    isStored: () => isStored,
    isAnswerStored: () => saved >= answered,
    isNumberUsed: (numero) => numero < storedNumber,
    async load(candidat) {
      if (!isStored) return null;
      try {
        return await browser.load(candidat);
      } catch {
        // A candidate who has signed in later may still be stored.
        if (candidat === null) isStored = false;
        return null;
      }
    },
    goOnWith({ numero }) {
      storedNumber = numero;
      left = null;
    },
    addAnswer() {
      answered = changes + 1;
    },
    save() {
      changes += 1;
      const own = changes;
      saving = saving.then(async () => {
        if (!isStored || saved >= own) return;
        const record = page.record();
        const [upTo, numero] = [changes, record.numero + aheadNumbers];
        try {
          await browser.save({ ...record, numero, time: page.time() });
          [saved, storedNumber] = [upTo, numero];
        } catch {
          fail();
        }
        page.saved();
      });
      return saving;
    },
    confirm,
  };
}
