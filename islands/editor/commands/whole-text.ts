import { AllSelection, type Command, type EditorState, Selection, TextSelection } from 'prosemirror-state';

/**
 * Returns a state in which a selection of the whole document (Ctrl+A) is a text selection from the first text block to the last. A whole
 * document selection is in no block, so commands could not find its blocks.
 */
export function textSelected(state: EditorState): EditorState {
  const { doc, selection } = state;
  if (!(selection instanceof AllSelection)) return state;
  const first = Selection.findFrom(doc.resolve(0), 1, true);
  const last = Selection.findFrom(doc.resolve(doc.content.size), -1, true);
  // Derived from the given state, because commands read plugin states from it.
  return first && last ? Object.create(state, { selection: { value: TextSelection.create(doc, first.from, last.to) } }) : state;
}

/** Wraps a command to treat a selection of the whole document as a selection of all text. The whole document stays selected. */
export function overText(command: Command): Command {
  return (state, dispatch, view) => {
    const seen = textSelected(state);
    if (seen === state) return command(state, dispatch, view);
    return command(seen, dispatch && ((tr) => dispatch(tr.selectionSet ? tr : tr.setSelection(new AllSelection(tr.doc)))), view);
  };
}
