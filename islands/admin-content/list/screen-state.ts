import { byKind, type ItemKind } from '../../../src/shared/item-kinds.ts';
import type { DraftSummary, ItemSummary } from '../items/records.ts';

/** Number of items per page (specification §9). */
export const pageSize = 10;

export interface ListState {
  /** Ascending by `numero_page`. */
  items: ItemSummary[];
  reading: 'done' | 'waiting' | 'failed';
  /** The current page, from 1. */
  page: number;
  selected: number | null;
}

export interface ScreenState {
  tab: ItemKind;
  /** Tabs that have been shown: their open items stay mounted. */
  visited: readonly ItemKind[];
  lists: Record<ItemKind, ListState>;
  /** Unpublished texts on the server, of all kinds, in the order in which they were created. */
  drafts: readonly DraftSummary[];
  /** The item created just now, and the parts of its text that could not be kept. */
  created: { id: number; remarks: readonly string[] } | null;
}

export type ScreenEvent =
  | { type: 'tab chosen'; kind: ItemKind }
  | { type: 'page chosen'; kind: ItemKind; page: number }
  | { type: 'selected'; kind: ItemKind; id: number }
  /** Opens the first item if none is open. */
  | { type: 'first wanted'; kind: ItemKind }
  | { type: 'list wanted'; kind: ItemKind }
  | { type: 'list read'; kind: ItemKind; items: ItemSummary[] }
  | { type: 'list failed'; kind: ItemKind }
  | { type: 'created'; kind: ItemKind; item: ItemSummary; remarks?: string[] }
  | { type: 'changed'; kind: ItemKind; item: Partial<ItemSummary> & { id: number } }
  | { type: 'moved'; kind: ItemKind; id: number; to: number }
  | { type: 'deleted'; kind: ItemKind; id: number }
  | { type: 'draft selected'; kind: ItemKind; id: number };

/** Changes of the drafts on the server. */
export type DraftEvent =
  | { type: 'draft kept'; draft: DraftSummary }
  | { type: 'drafts read'; drafts: readonly DraftSummary[] }
  /** The draft was published or deleted. */
  | { type: 'draft over'; kind: ItemKind; id: number };

/** @param selected the id in the address, of the list shown first */
export function beginScreen(
  lists: Record<ItemKind, ItemSummary[]>,
  tab: ItemKind,
  selected: number | null,
  failed: readonly ItemKind[] = [],
  drafts: readonly DraftSummary[] = [],
): ScreenState {
  const isDraft = drafts.some(({ id, publie }) => id === selected && !publie);
  const begin = (kind: ItemKind): ListState => {
    const list: ListState = { items: lists[kind], reading: failed.includes(kind) ? 'failed' : 'done', page: 1, selected: null };
    if (kind !== tab || selected === null) return list;
    return isDraft ? { ...list, selected } : select(list, selected);
  };
  return { tab, visited: [tab], lists: byKind(begin), drafts, created: null };
}

export function reduceScreen(state: ScreenState, event: ScreenEvent | DraftEvent): ScreenState {
  switch (event.type) {
    case 'draft kept': {
      const { draft } = event;
      const isKnown = state.drafts.some(({ id }) => id === draft.id);
      return { ...state, drafts: isKnown ? state.drafts.map((one) => (one.id === draft.id ? draft : one)) : [...state.drafts, draft] };
    }
    case 'drafts read':
      return { ...state, drafts: event.drafts };
    case 'draft over': {
      const list = state.lists[event.kind];
      const isOpen = list.selected === event.id && !list.items.some(({ id }) => id === event.id);
      const drafts = state.drafts.filter(({ id }) => id !== event.id);
      return { ...state, drafts, lists: isOpen ? { ...state.lists, [event.kind]: { ...list, selected: null } } : state.lists };
    }
  }
  if (event.type === 'tab chosen') return { ...state, tab: event.kind, visited: [...new Set([...state.visited, event.kind])] };
  const list = reduceList(state.lists[event.kind], event);
  const next = list === state.lists[event.kind] ? state : { ...state, lists: { ...state.lists, [event.kind]: list } };
  if (event.type === 'created') return { ...next, created: { id: event.item.id, remarks: event.remarks ?? [] } };
  return event.type === 'selected' || event.type === 'draft selected' ? { ...next, created: null } : next;
}

function reduceList(list: ListState, event: Exclude<ScreenEvent, { type: 'tab chosen' }>): ListState {
  switch (event.type) {
    case 'page chosen':
      return { ...list, page: within(list, event.page) };
    case 'selected':
      return select(list, event.id);
    case 'draft selected':
      return { ...list, selected: event.id };
    case 'first wanted':
      return list.selected === null && list.items[0] ? select(list, list.items[0].id) : list;
    case 'list wanted':
      return { ...list, reading: 'waiting' };
    case 'list failed':
      return { ...list, reading: 'failed' };
    case 'list read': {
      const read: ListState = { ...list, items: event.items, reading: 'done' };
      // The open item stays open even if it is gone: its text may exist nowhere else.
      return { ...read, page: within(read, list.page) };
    }
    case 'created':
      return select({ ...list, items: [...list.items.filter(({ id }) => id !== event.item.id), event.item] }, event.item.id);
    case 'changed':
      return { ...list, items: list.items.map((item) => (item.id === event.item.id ? { ...item, ...event.item } : item)) };
    case 'moved':
      return move(list, event.id, event.to);
    case 'deleted': {
      const left: ListState = { ...list, items: numbered(list.items.filter(({ id }) => id !== event.id)) };
      return { ...left, page: within(left, list.page), selected: list.selected === event.id ? null : list.selected };
    }
  }
}

/** Returns the number of pages: at least one. */
export const pagesOf = ({ items }: Pick<ListState, 'items'>): number => Math.max(1, Math.ceil(items.length / pageSize));

/** Returns the items of the current page. */
export const shownItems = ({ items, page }: ListState): ItemSummary[] => items.slice((page - 1) * pageSize, page * pageSize);

const within = (list: Pick<ListState, 'items'>, page: number): number => Math.min(Math.max(1, page), pagesOf(list));

/** Selects an item and shows its page. An item missing in the list may still be open: somebody else has deleted it. */
function select(list: ListState, id: number): ListState {
  const index = list.items.findIndex((item) => item.id === id);
  return index < 0 ? list : { ...list, selected: id, page: Math.floor(index / pageSize) + 1 };
}

/** Moves an item to position `to`, from 1, and shows its page. */
function move(list: ListState, id: number, to: number): ListState {
  const item = list.items.find((one) => one.id === id);
  if (!item) return list;
  const items = list.items.filter((one) => one !== item);
  const place = Math.min(Math.max(1, to), items.length + 1);
  items.splice(place - 1, 0, item);
  return { ...list, items: numbered(items), page: Math.ceil(place / pageSize) };
}

/** Renumbers the items in their order, as the server does. */
const numbered = (items: ItemSummary[]): ItemSummary[] =>
  items.map((item, index) => (item.numero_page === index + 1 ? item : { ...item, numero_page: index + 1 }));
