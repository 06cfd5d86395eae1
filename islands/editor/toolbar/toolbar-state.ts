import type { EditorState } from 'prosemirror-state';
import { inTable } from '../commands/insert-table.ts';
import { type LinkRange, linkAt } from '../commands/marks.ts';
import { textSelected } from '../commands/whole-text.ts';
import type { ToolbarGroup } from './toolbar.ts';

/** The toolbar's state: plain values, so that comparing two states is cheap. */
interface ToolbarState {
  /** State of each item by its id: '' (disabled), 'off' or 'on'; for a menu, the id of the current entry. */
  readonly items: Readonly<Record<string, string>>;
  readonly inTable: boolean;
  readonly inQuestion: boolean;
  readonly link: LinkRange | null;
}

export const idleState: ToolbarState = { items: {}, inTable: false, inQuestion: false, link: null };

/** Computes the state. Runs once per frame while typing, so it reads the selection and never the whole document. */
export function readToolbar(
  current: EditorState,
  { main, question, table }: Record<'main' | 'question' | 'table', readonly ToolbarGroup[]>,
): ToolbarState {
  const isInTable = inTable(current);
  const { $from, from } = current.selection;
  const inQuestion = current.doc.nodeAt($from.depth > 0 ? $from.before(1) : from)?.type.name === 'question';
  const state = textSelected(current);
  const items: Record<string, string> = {};
  for (const group of [...main, ...(inQuestion ? question : []), ...(isInTable ? table : [])]) {
    for (const item of group.items) {
      if (item.kind === 'menu') items[item.id] = item.isEnabled && !item.isEnabled(state) ? '' : (item.current(state) ?? 'none');
      else if (!(item.isEnabled ?? item.run)(state)) items[item.id] = '';
      else items[item.id] = item.isActive?.(state) ? 'on' : 'off';
    }
  }
  return { items, inTable: isInTable, inQuestion, link: linkAt(state) };
}

function isSame(a: ToolbarState, b: ToolbarState): boolean {
  if (
    a.inTable !== b.inTable ||
    a.inQuestion !== b.inQuestion ||
    a.link?.from !== b.link?.from ||
    a.link?.href !== b.link?.href ||
    a.link?.to !== b.link?.to
  )
    return false;
  const ids = Object.keys(b.items);
  return ids.length === Object.keys(a.items).length && ids.every((id) => a.items[id] === b.items[id]);
}

export type ToolbarStore = ReturnType<typeof toolbarStore>;

/** A store of the toolbar's state, computed at most once per frame. Listeners are called only when it changes. */
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
    /** Updates the state in the next frame. */
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
