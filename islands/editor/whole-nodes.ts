import { NodeSelection, Plugin } from 'prosemirror-state';
import type { EditorView } from 'prosemirror-view';
import { type Doors, dialogFor } from './doors.ts';

const EDITED = new Set(['formula', 'formula_block', 'image', 'figure', 'video']);

/** Pictures, formulas and videos: a click selects them whole, a double click opens their dialog. */
export function wholeNodes(doors: Doors): Plugin {
  // A figure holds a caption that is written in: only its picture stands for the whole.
  const isMeant = (name: string, { target }: MouseEvent) => EDITED.has(name) && (name !== 'figure' || target instanceof HTMLImageElement);
  const select = ({ state, dispatch }: EditorView, pos: number) => dispatch(state.tr.setSelection(NodeSelection.create(state.doc, pos)));
  return new Plugin({
    props: {
      handleClickOn: (view, _pos, node, nodePos, event, direct) => {
        if (!direct || node.type.name !== 'figure' || !isMeant('figure', event)) return false;
        select(view, nodePos);
        return true;
      },
      handleDoubleClickOn: (view, _pos, node, nodePos, event, direct) => {
        if (!direct || !isMeant(node.type.name, event)) return false;
        select(view, nodePos);
        doors.open(dialogFor(node.type.name));
        return true;
      },
    },
  });
}
