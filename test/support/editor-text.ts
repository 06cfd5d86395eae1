import { parseHTML } from 'linkedom';
import { type Command, EditorState, type Plugin, Selection, TextSelection } from 'prosemirror-state';
import { CellSelection } from 'prosemirror-tables';
import type { EditorView } from 'prosemirror-view';
import { documentFromDom } from '../../src/shared/rich-text/parse.ts';
import { serialise } from '../../src/shared/rich-text/serialise.ts';

/** Returns an editor state without a page, from canonical HTML in which `[` and `]` (or only `|`) mark the selection. */
export function textOf(html: string, plugins: Plugin[] = []): EditorState {
  const { document } = parseHTML(`<!DOCTYPE html><html><body>${html}</body></html>`);
  const state = EditorState.create({ doc: documentFromDom(document.body, 'exact'), plugins });
  const { tr } = state;
  const at = (sign: string): number | null => {
    let found: number | null = null;
    tr.doc.descendants((node, pos) => {
      const index = node.text?.indexOf(sign) ?? -1;
      if (found === null && index >= 0) found = pos + index;
    });
    if (found !== null) tr.delete(found, found + 1);
    return found;
  };
  const start = at('[') ?? at('|');
  const end = at(']') ?? start;
  const selection = start === null ? Selection.atStart(tr.doc) : TextSelection.create(tr.doc, start, end ?? start);
  return EditorState.create({ doc: tr.doc, plugins, selection: Selection.fromJSON(tr.doc, selection.toJSON()) });
}

/** Like `textOf`, with a selection of table cells from the cell with `[` to the cell with `]`. */
export function cellsOf(html: string, plugins: Plugin[] = []): EditorState {
  const state = textOf(html, plugins);
  const { $from, $to } = state.selection;
  const cell = ($pos: typeof $from) => {
    for (let depth = $pos.depth; depth > 0; depth -= 1)
      if ($pos.node(depth).type.spec.tableRole?.endsWith('cell')) return $pos.before(depth);
    throw new Error('no cell');
  };
  return state.apply(state.tr.setSelection(CellSelection.create(state.doc, cell($from), cell($to))));
}

/** Returns the document as canonical HTML; formulas are shown as LaTeX. */
export const htmlOf = ({ doc }: EditorState): string => serialise(doc, { formula: (latex) => latex });

/** Returns the state after a command; throws when the command does nothing. */
export function after(state: EditorState, command: Command): EditorState {
  let next: EditorState | null = null;
  const took = command(state, (tr) => {
    next = state.apply(tr);
  });
  if (!took || !next) throw new Error(`the command did nothing to ${htmlOf(state)}`);
  return next;
}

/** Returns the HTML after a command. */
export const changed = (html: string, command: Command): string => htmlOf(after(textOf(html), command));

/** Types `text` letter by letter, so that input rules of plugins run. */
export function typed(state: EditorState, text: string): EditorState {
  let current = state;
  const view = {
    composing: false,
    get state() {
      return current;
    },
    dispatch: (tr: Parameters<EditorState['apply']>[0]) => {
      current = current.apply(tr);
    },
  } as unknown as EditorView;
  for (const letter of text) {
    const { from, to } = current.selection;
    const insert = () => current.tr.insertText(letter, from, to);
    const handled = current.plugins.some((plugin) => plugin.props.handleTextInput?.call(plugin as never, view, from, to, letter, insert));
    if (!handled) view.dispatch(insert());
  }
  return current;
}
