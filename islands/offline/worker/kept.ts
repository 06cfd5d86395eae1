import { examCache } from '../../exams/exam-cache.ts';
import { isWhole, readableCopies } from '../both/access.ts';
import { isAnythingLeft, signOutToSend } from '../both/removal.ts';
import { onChange } from '../both/store/changes.ts';
import { disciplinesOf } from '../both/store/texts.ts';

/** Index of the kept data in memory, to decide quickly about every request. */
export interface Kept {
  /** Whether there is a copy, or anything to send to the server. */
  any: boolean;
  /** Whether the room of a mock exam is kept. */
  exam: boolean;
  /** The pending sign-out, which is sent before any other request. */
  leaving: unknown;
  /** Prepas that can be shown, by id: whether all of their disciplines are kept. */
  prepas: Map<number, boolean>;
  /** Prepa id by discipline id. */
  disciplines: Map<number, number>;
  items: Set<number>;
}

/** The last index read; null when none was read or the store has changed since. */
export let known: Kept | null = null;
/** Replaced by a new object at each change, so that a read can notice a change made meanwhile. */
let unchanged: object | undefined;

export function forgetKnown(): void {
  known = null;
  unchanged = {};
}
onChange(forgetKnown);

/** @throws StorageRefused */
export async function whatIsKept(): Promise<Kept> {
  const before = unchanged;
  const kept = await read();
  if (unchanged === before) known = kept;
  return kept;
}

async function read(): Promise<Kept> {
  const copies = await readableCopies();
  const kept: Kept = {
    any: await isAnythingLeft(),
    exam: await caches.has(examCache),
    leaving: await signOutToSend(),
    prepas: new Map(),
    disciplines: new Map(),
    items: new Set(),
  };
  for (const copy of copies.filter(isWhole)) {
    kept.prepas.set(copy.id, copy.disciplines === null);
    for (const { id, items } of await disciplinesOf(copy.id)) {
      kept.disciplines.set(id, copy.id);
      for (const item of items) kept.items.add(item.id);
    }
  }
  return kept;
}
