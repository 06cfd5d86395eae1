import { createStore, delMany, getMany, keys, set, type UseStore } from 'idb-keyval';
import type { DocumentJson } from './calls.ts';
import type { Kind } from './records.ts';

/** What was typed and is not saved: everything that is needed to go on. */
export interface Draft {
  titre: string;
  annee: string;
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
  kind: Kind;
  item: number | 'new';
}

/** Each page that is open writes its own: two tabs with the same item overwrite nothing of each other. */
export interface StoredDraft {
  place: DraftPlace;
  session: string;
  draft: Draft;
}

let opened: UseStore | undefined;
/** Only in a browser, and only when it is needed. */
const store = (): UseStore => {
  opened ??= createStore('prepa-authoring', 'drafts');
  return opened;
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

/** Items that nobody wants back: what an editor still writes while it closes would be found again later. */
const dropped = new Set<string>();

/** @throws when the browser keeps nothing, in a private window for instance, or has no room left */
export async function keepDraft(stored: StoredDraft): Promise<void> {
  if (!dropped.has(prefixOf(stored.place))) await set(keyOf(stored), stored, store());
}

/** The item was deleted on purpose, or lives on as another: no draft of it is kept from now on. */
export async function dropDrafts(place: DraftPlace): Promise<void> {
  dropped.add(prefixOf(place));
  await removeDrafts(await draftsOf(place));
}

/** A browser that keeps nothing has nothing to remove. */
export const removeDrafts = (drafts: readonly Pick<StoredDraft, 'place' | 'session'>[]): Promise<void> =>
  delMany(drafts.map(keyOf), store()).catch(() => {});

/** Drafts of one item, the latest first; none where the browser keeps nothing. */
export const draftsOf = (place: DraftPlace): Promise<StoredDraft[]> => readDrafts(prefixOf(place));

/** All drafts of a discipline's items, the latest first. */
export const draftsWithin = (administratorId: string, disciplineId: number): Promise<StoredDraft[]> =>
  readDrafts(`${administratorId}/${disciplineId}/`);

async function readDrafts(prefix: string): Promise<StoredDraft[]> {
  try {
    const wanted = (await keys<string>(store())).filter((key) => key.startsWith(prefix));
    const drafts = await getMany<StoredDraft>(wanted, store());
    return drafts.filter((stored) => stored !== undefined).sort((a, b) => b.draft.at - a.draft.at);
  } catch {
    return [];
  }
}
