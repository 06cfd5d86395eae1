import { AllSelection, type Command, type EditorState, Selection, TextSelection } from 'prosemirror-state';

/**
 * The state in which everything selected (Ctrl+A) is all text selected: from the first block of text to the last one. A selection of the
 * whole document begins and ends in no block, so that nothing can be said about its blocks.
 */
export function textSelected(state: EditorState): EditorState {
  const { doc, selection } = state;
  if (!(selection instanceof AllSelection)) return state;
  const first = Selection.findFrom(doc.resolve(0), 1, true);
  const last = Selection.findFrom(doc.resolve(doc.content.size), -1, true);
  // Not a state of its own: commands ask plugins for theirs.
  return first && last ? Object.create(state, { selection: { value: TextSelection.create(doc, first.from, last.to) } }) : state;
}

/** A command that takes everything selected for all text selected; everything stays selected. */
export function overText(command: Command): Command {
  return (state, dispatch, view) => {
    const seen = textSelected(state);
    if (seen === state) return command(state, dispatch, view);
    return command(seen, dispatch && ((tr) => dispatch(tr.selectionSet ? tr : tr.setSelection(new AllSelection(tr.doc)))), view);
  };
}
