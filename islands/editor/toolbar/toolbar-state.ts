import type { EditorState } from 'prosemirror-state';
import { isInTable } from 'prosemirror-tables';
import { type LinkRange, linkAt } from '../commands/marks.ts';
import { textSelected } from '../commands/whole-text.ts';
import type { ToolbarGroup } from './toolbar.ts';

/** What the toolbar shows: plain values, so that two of them are compared at once. */
interface ToolbarState {
  /** By the item's id: '' when nothing can be done, 'off' or 'on'; of a menu the entry that holds. */
  readonly items: Readonly<Record<string, string>>;
  readonly inTable: boolean;
  readonly link: LinkRange | null;
}

export const idleState: ToolbarState = { items: {}, inTable: false, link: null };

/** Reads the selection, never the whole document: it is asked once a frame while somebody types. */
export function readToolbar(current: EditorState, main: readonly ToolbarGroup[], table: readonly ToolbarGroup[]): ToolbarState {
  const inTable = isInTable(current);
  const state = textSelected(current);
  const items: Record<string, string> = {};
  for (const group of inTable ? [...main, ...table] : main) {
    for (const item of group.items) {
      if (item.kind === 'menu') items[item.id] = item.isEnabled && !item.isEnabled(state) ? '' : (item.current(state) ?? 'none');
      else if (!(item.isEnabled ?? item.run)(state)) items[item.id] = '';
      else items[item.id] = item.isActive?.(state) ? 'on' : 'off';
    }
  }
  return { items, inTable, link: linkAt(state) };
}

function isSame(a: ToolbarState, b: ToolbarState): boolean {
  if (a.inTable !== b.inTable || a.link?.from !== b.link?.from || a.link?.href !== b.link?.href || a.link?.to !== b.link?.to) return false;
  const ids = Object.keys(b.items);
  return ids.length === Object.keys(a.items).length && ids.every((id) => a.items[id] === b.items[id]);
}

export type ToolbarStore = ReturnType<typeof toolbarStore>;

/** The state of one editor's toolbar, read at most once a frame and told only when it has changed. */
export function toolbarStore(read: () => ToolbarState) {
  const listeners = new Set<() => void>();
  let state = idleState;
  let frame = 0;

  function refresh(): void {
    const next = read();
    if (isSame(state, next)) return;
    state = next;
    for (const listener of listeners) listener();
  }

  return {
    subscribe: (listener: () => void) => {
      listeners.add(listener);
      return () => listeners.delete(listener);
    },
    snapshot: () => state,
    /** Reads with the next frame. */
    schedule: () => {
      frame ||= requestAnimationFrame(() => {
        frame = 0;
        refresh();
      });
    },
    refresh,
    destroy: () => {
      cancelAnimationFrame(frame);
      listeners.clear();
    },
  };
}
