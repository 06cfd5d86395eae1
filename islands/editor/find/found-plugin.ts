import { NodeSelection, Plugin, PluginKey, TextSelection, type Transaction } from 'prosemirror-state';
import { Decoration, DecorationSet, type EditorView } from 'prosemirror-view';
import type { Match } from '../../../src/shared/rich-text/find/matches.ts';

/** The matches of the open search, in the order of the text, and the index of the current one; -1 without one. */
export interface Found {
  matches: readonly Match[];
  current: number;
}

interface Shown extends Found {
  marks: DecorationSet;
}

const none: Shown = { matches: [], current: -1, marks: DecorationSet.empty };
const foundKey = new PluginKey<Shown>('found');
/** Most matches that are highlighted. */
const mostMarks = 1_000;

const listeners = new WeakMap<EditorView, () => void>();

/** Highlights the matches, and moves them with the text. */
const plugin = new Plugin<Shown>({
  key: foundKey,
  state: {
    init: () => none,
    apply(tr, shown) {
      const found: Found | undefined = tr.getMeta(foundKey);
      if (found) return { ...found, marks: marksOf(tr, found) };
      if (!tr.docChanged || shown.matches.length === 0) return shown;
      const matches = shown.matches.map((match) => ({ ...match, from: tr.mapping.map(match.from), to: tr.mapping.map(match.to, -1) }));
      return { matches, current: shown.current, marks: shown.marks.map(tr.mapping, tr.doc) };
    },
  },
  props: { decorations: (state) => foundKey.getState(state)?.marks },
  view: () => ({
    update(view, before) {
      if (view.state.doc !== before.doc) listeners.get(view)?.();
    },
  }),
});

function marksOf({ doc }: Transaction, { matches, current }: Found): DecorationSet {
  const first = Math.max(0, current - mostMarks / 2);
  const marks = matches.slice(first, first + mostMarks).map(({ from, to, latex }, index) => {
    const look = { class: first + index === current ? 'bg-orange' : 'bg-yellow' };
    return latex ? Decoration.node(from, to, look) : Decoration.inline(from, to, look);
  });
  return DecorationSet.create(doc, marks);
}

/** @param onText called after each change of the text */
export function watchText(view: EditorView, onText: () => void): void {
  listeners.set(view, onText);
  if (!view.state.plugins.includes(plugin)) view.updateState(view.state.reconfigure({ plugins: [...view.state.plugins, plugin] }));
}

export const foundIn = (view: EditorView): Found => foundKey.getState(view.state) ?? none;

/** Shows matches. @param reveal whether the current one is selected and scrolled into view */
export function showFound(view: EditorView, found: Found, reveal: boolean, tr: Transaction = view.state.tr): void {
  const match = found.matches[found.current];
  tr.setMeta(foundKey, found).setMeta('addToHistory', tr.docChanged);
  if (match && reveal) {
    tr.setSelection(match.latex ? NodeSelection.create(tr.doc, match.from) : TextSelection.create(tr.doc, match.from, match.to));
    tr.scrollIntoView();
  }
  view.dispatch(tr);
}

/** Ends the search. */
export function forget(view: EditorView): void {
  listeners.delete(view);
  if (!view.isDestroyed && foundIn(view).matches.length > 0) showFound(view, none, false);
}
