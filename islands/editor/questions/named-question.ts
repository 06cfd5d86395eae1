import { Selection } from 'prosemirror-state';
import type { EditorView } from 'prosemirror-view';

/** Puts the cursor in the question that the address names (`#q-<id>`), and scrolls to it. Does nothing if the text has no such question. */
export function showNamedQuestion(view: EditorView): void {
  const { doc, tr } = view.state;
  doc.forEach(({ type, attrs }, pos) => {
    if (type.name !== 'question' || location.hash !== `#q-${attrs.id}`) return;
    view.dispatch(tr.setSelection(Selection.near(doc.resolve(pos + 1))));
    // Without the focus, which would open a phone's keyboard.
    (view.nodeDOM(pos) as Element).scrollIntoView();
  });
}
