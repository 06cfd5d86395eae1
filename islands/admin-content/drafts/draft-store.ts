import { clear, createStore, delMany, getMany, keys, set, type UseStore } from 'idb-keyval';
import type { ItemKind } from '../../../src/shared/item-kinds.ts';
import type { DocumentJson } from '../items/calls.ts';

/** Unsaved text of an item, with everything needed to continue. */
export interface Draft {
  titre: string;
  /** Missing in drafts of earlier releases. */
  intitule?: string;
  annee: string;
  /** Minutes. Missing in drafts of earlier releases. */
  duree?: string;
  /** Marking rule as typed. Missing in drafts of earlier releases. */
  bareme?: string;
  /** Documents as JSON, or null for an empty one. */
  contenu: DocumentJson | null;
  corrige: DocumentJson | null;
  /** The item's version when typing began; null for a new item. */
  version: number | null;
  /** Time of the last change, in ms since 1970. */
  at: number;
}

/** Identifies the item and the author of a draft. */
export interface DraftPlace {
  administratorId: string;
  disciplineId: number;
  kind: ItemKind;
  item: number | 'new';
}

/** Each open page has its own draft, so that two tabs with the same item do not overwrite each other's draft. */
export interface StoredDraft {
  place: DraftPlace;
  session: string;
  draft: Draft;
}

/** Timeout of IndexedDB, in ms: some browsers never respond. */
const timeoutMs = 3_000;

let opened: UseStore | undefined;
/** Opens the database on first use. Rejects if the browser cannot store data or does not respond. */
const store: UseStore = async (mode, act) => {
  opened ??= createStore('prepa-authoring', 'drafts');
  return Promise.race([opened(mode, act), new Promise<never>((_, reject) => setTimeout(reject, timeoutMs))]);
};

let serial = 0;
/** Returns a name that no other page or session has used. */
export function newSession(): string {
  serial += 1;
  return `${Date.now().toString(36)}-${Math.floor(Math.random() * 1e9).toString(36)}-${serial}`;
}

/** The name of this page's session. */
export const thisSession = newSession();

const prefixOf = ({ administratorId, disciplineId, kind, item }: DraftPlace): string =>
  `${administratorId}/${disciplineId}/${kind}/${item}/`;
const keyOf = ({ place, session }: Pick<StoredDraft, 'place' | 'session'>): string => prefixOf(place) + session;

/** Drafts that the browser could not store. They are lost when this page is closed. */
const unkept = new Map<string, StoredDraft>();

/** Key prefixes of deleted items: the closing editor must not write a draft for them again. */
const dropped = new Set<string>();

/** Stores a draft. @throws when the browser cannot store it (private window, no space): then only this page keeps it */
export async function keepDraft(stored: StoredDraft): Promise<void> {
  if (dropped.has(prefixOf(stored.place))) return;
  const key = keyOf(stored);
  unkept.set(key, stored);
  await set(key, stored, store);
  if (unkept.get(key) === stored) unkept.delete(key);
}

/** Deletes an item's drafts and ignores later ones. For an item that was deleted, or replaced by a new item. */
export async function dropDrafts(place: DraftPlace): Promise<void> {
  dropped.add(prefixOf(place));
  await removeDrafts(await draftsOf(place));
}

/** Deletes drafts. Ignores errors: a browser that cannot store drafts has none to delete. */
export function removeDrafts(drafts: readonly Pick<StoredDraft, 'place' | 'session'>[]): Promise<void> {
  const gone = drafts.map(keyOf);
  for (const key of gone) unkept.delete(key);
  return delMany(gone, store).catch(() => {});
}

/** Deletes all drafts of all administrators in this browser. */
export async function forgetDrafts(): Promise<void> {
  unkept.clear();
  await clear(store);
}

/** Returns the drafts of an item, latest first; only this page's if the browser cannot store drafts. */
export const draftsOf = (place: DraftPlace): Promise<StoredDraft[]> => readDrafts(prefixOf(place));

/** Returns all drafts of a discipline's items, latest first. */
export const draftsWithin = (administratorId: string, disciplineId: number): Promise<StoredDraft[]> =>
  readDrafts(`${administratorId}/${disciplineId}/`);

async function readDrafts(prefix: string): Promise<StoredDraft[]> {
  const wanted = (key: string) => key.startsWith(prefix);
  const drafts = new Map<string, StoredDraft | undefined>();
  try {
    const kept = (await keys<string>(store)).filter(wanted);
    for (const [index, stored] of (await getMany<StoredDraft>(kept, store)).entries()) drafts.set(kept[index] ?? '', stored);
  } catch {
    // Drafts kept by this page are still available.
  }
  for (const [key, stored] of unkept) if (wanted(key)) drafts.set(key, stored);
  return [...drafts.values()].filter((stored) => stored !== undefined).sort((a, b) => b.draft.at - a.draft.at);
}
