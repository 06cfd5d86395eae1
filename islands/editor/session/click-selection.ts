import { NodeSelection, Plugin, TextSelection } from 'prosemirror-state';
import type { EditorView } from 'prosemirror-view';
import { dialogFor, type EditorHost } from '../commands/editor-host.ts';

const EDITED = new Set(['formula', 'formula_block', 'image', 'figure', 'video']);

/** A click selects a picture, formula or video; a double click opens its dialog. */
export function clickSelection(host: EditorHost): Plugin {
  // A figure has an editable caption, so only a click on its picture selects it.
  const isMeant = (name: string, { target }: MouseEvent) => EDITED.has(name) && (name !== 'figure' || target instanceof HTMLImageElement);
  const select = ({ state, dispatch }: EditorView, pos: number) => dispatch(state.tr.setSelection(NodeSelection.create(state.doc, pos)));
  return new Plugin({
    props: {
      handleClickOn: (view, pos, node, nodePos, event, direct) => {
        if (!direct || node.type.name !== 'figure') return false;
        if (isMeant('figure', event)) select(view, nodePos);
        // Browsers do not place the cursor in draggable elements, so a click in a figure's caption sets it here.
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
