import { isWhole, readableCopies } from '../access.ts';
import { isAnythingLeft, signOutToSend } from '../removal.ts';
import { onChange } from '../store/changes.ts';
import { disciplinesOf } from '../store/texts.ts';

/** What is kept, small enough to be asked about every request. */
export interface Kept {
  /** Anything at all, if only something to be sent or told to the server. */
  any: boolean;
  /** Whether a sign-out is to be sent before anything else. */
  leaving: unknown;
  /** Prepas that can be shown: whether all of their disciplines are kept. */
  prepas: Map<number, boolean>;
  /** By discipline: its prepa. */
  disciplines: Map<number, number>;
  items: Set<number>;
}

/** What was read last; null: not read yet, or changed since. */
export let known: Kept | null = null;
/** Another object after each change. */
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
