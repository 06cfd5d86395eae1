import { NodeSelection, Plugin, TextSelection } from 'prosemirror-state';
import type { EditorView } from 'prosemirror-view';
import { dialogFor, type EditorHost } from '../commands/editor-host.ts';

const EDITED = new Set(['formula', 'formula_block', 'image', 'figure', 'video']);

/** Pictures, formulas and videos: a click selects them whole, a double click opens their dialog. */
export function clickSelection(host: EditorHost): Plugin {
  // A figure holds a caption that is written in: only its picture stands for the whole.
  const isMeant = (name: string, { target }: MouseEvent) => EDITED.has(name) && (name !== 'figure' || target instanceof HTMLImageElement);
  const select = ({ state, dispatch }: EditorView, pos: number) => dispatch(state.tr.setSelection(NodeSelection.create(state.doc, pos)));
  return new Plugin({
    props: {
      handleClickOn: (view, pos, node, nodePos, event, direct) => {
        if (!direct || node.type.name !== 'figure') return false;
        if (isMeant('figure', event)) select(view, nodePos);
        // A figure can be dragged, and browsers leave the cursor out of what can be: into the caption it goes by hand.
        else if (event.detail === 1 && !event.shiftKey)
          view.dispatch(view.state.tr.setSelection(TextSelection.near(view.state.doc.resolve(pos))));
        else return false;
        return true;
      },
      handleDoubleClickOn: (view, _pos, node, nodePos, event, direct) => {
        if (!direct || !isMeant(node.type.name, event)) return false;
        select(view, nodePos);
        host.openDialog(dialogFor(node.type.name));
        return true;
      },
    },
  });
}
