import { clear, createStore, delMany, getMany, keys, set, type UseStore } from 'idb-keyval';
import type { ItemKind } from '../../../src/shared/item-kinds.ts';
import type { DocumentJson } from '../items/calls.ts';

/** What was typed and is not saved: everything that is needed to go on. */
export interface Draft {
  titre: string;
  annee: string;
  /** Missing in drafts of earlier releases. */
  duree?: string;
  /** Documents as JSON; null: none was written. */
  contenu: DocumentJson | null;
  corrige: DocumentJson | null;
  /** Of the item that the typing began with; null for one that is not created yet. */
  version: number | null;
  /** When it was typed, ms since 1970. */
  at: number;
}

/** Whose draft of what. */
export interface DraftPlace {
  administratorId: string;
  disciplineId: number;
  kind: ItemKind;
  item: number | 'new';
}

/** Each page that is open writes its own: two tabs with the same item overwrite nothing of each other. */
export interface StoredDraft {
  place: DraftPlace;
  session: string;
  draft: Draft;
}

/** For the browser to answer: some never have. */
const timeoutMs = 3_000;

let opened: UseStore | undefined;
/** Only in a browser, and only when it is needed. Rejects where the browser refuses to keep anything, however it says so. */
const store: UseStore = async (mode, act) => {
  opened ??= createStore('prepa-authoring', 'drafts');
  return Promise.race([opened(mode, act), new Promise<never>((_, reject) => setTimeout(reject, timeoutMs))]);
};

let serial = 0;
/** A name that no other page or time uses. */
export function newSession(): string {
  serial += 1;
  return `${Date.now().toString(36)}-${Math.floor(Math.random() * 1e9).toString(36)}-${serial}`;
}

/** This page's own. */
export const thisSession = newSession();

const prefixOf = ({ administratorId, disciplineId, kind, item }: DraftPlace): string =>
  `${administratorId}/${disciplineId}/${kind}/${item}/`;
const keyOf = ({ place, session }: Pick<StoredDraft, 'place' | 'session'>): string => prefixOf(place) + session;

/** Drafts that the browser did not keep: at least they last as long as this page. */
const unkept = new Map<string, StoredDraft>();

/** Items that nobody wants back: what an editor still writes while it closes would be found again later. */
const dropped = new Set<string>();

/** @throws when the browser keeps nothing, in a private window for instance, or has no room left: then only this page keeps it */
export async function keepDraft(stored: StoredDraft): Promise<void> {
  if (dropped.has(prefixOf(stored.place))) return;
  const key = keyOf(stored);
  unkept.set(key, stored);
  await set(key, stored, store);
  if (unkept.get(key) === stored) unkept.delete(key);
}

/** The item was deleted on purpose, or lives on as another: no draft of it is kept from now on. */
export async function dropDrafts(place: DraftPlace): Promise<void> {
  dropped.add(prefixOf(place));
  await removeDrafts(await draftsOf(place));
}

/** A browser that keeps nothing has nothing to remove. */
export function removeDrafts(drafts: readonly Pick<StoredDraft, 'place' | 'session'>[]): Promise<void> {
  const gone = drafts.map(keyOf);
  for (const key of gone) unkept.delete(key);
  return delMany(gone, store).catch(() => {});
}

/** All that anybody has typed and not saved in this browser. */
export async function forgetDrafts(): Promise<void> {
  unkept.clear();
  await clear(store);
}

/** Drafts of one item, the latest first; only this page's where the browser keeps nothing. */
export const draftsOf = (place: DraftPlace): Promise<StoredDraft[]> => readDrafts(prefixOf(place));

/** All drafts of a discipline's items, the latest first. */
export const draftsWithin = (administratorId: string, disciplineId: number): Promise<StoredDraft[]> =>
  readDrafts(`${administratorId}/${disciplineId}/`);

async function readDrafts(prefix: string): Promise<StoredDraft[]> {
  const wanted = (key: string) => key.startsWith(prefix);
  const drafts = new Map<string, StoredDraft | undefined>();
  try {
    const kept = (await keys<string>(store)).filter(wanted);
    for (const [index, stored] of (await getMany<StoredDraft>(kept, store)).entries()) drafts.set(kept[index] ?? '', stored);
  } catch {
    // What this page has kept itself is still there.
  }
  for (const [key, stored] of unkept) if (wanted(key)) drafts.set(key, stored);
  return [...drafts.values()].filter((stored) => stored !== undefined).sort((a, b) => b.draft.at - a.draft.at);
}
