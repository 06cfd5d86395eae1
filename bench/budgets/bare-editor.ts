/**
 * A ProseMirror editor with only our schema, the base key bindings and the undo history. The page sets the document in
 * `window.documentJson`.
 */
import { baseKeymap } from 'prosemirror-commands';
import { history } from 'prosemirror-history';
import { keymap } from 'prosemirror-keymap';
import { EditorState } from 'prosemirror-state';
import { EditorView } from 'prosemirror-view';
import { richTextSchema } from '../../src/shared/rich-text/schema.ts';

declare global {
  interface Window {
    documentJson: unknown;
  }
}

new EditorView(document.querySelector('#editor'), {
  state: EditorState.create({ doc: richTextSchema.nodeFromJSON(window.documentJson), plugins: [history(), keymap(baseKeymap)] }),
  attributes: { class: 'prose' },
});
