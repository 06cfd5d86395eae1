import type { EditorView } from 'prosemirror-view';
import { fetchScript } from '../../runtime/fetch-script.ts';
import type { FormattingHost } from '../commands/editor-host.ts';
import { questionsKey } from '../commands/written-text.ts';

/**
 * Loads the code that offers to format a pasted text, and passes it the text that ProseMirror is about to insert. Does nothing in code and
 * captions, and when the script cannot be loaded: the text has been pasted all the same.
 */
export async function lazyFormatting(view: EditorView, data: DataTransfer, host: FormattingHost): Promise<void> {
  const { parent } = view.state.selection.$from;
  const pasted = { text: data.getData('text/plain'), html: data.getData('text/html') };
  if (!host.readMarkdown || pasted.text === '' || (parent.isTextblock && !/^(?:paragraph|heading)$/.test(parent.type.name))) return;
  const before = questionsKey.getState(view.state)?.serial;
  // ProseMirror inserts the text before the next microtask.
  await null;
  const { doc } = view.state;
  const range = questionsKey.getState(view.state);
  if (!range || range.serial === before) return;
  const module = await fetchScript(() => import('./formatting-offer.tsx')).catch(() => null);
  // Typed text in the meantime is an edit after which nothing is offered.
  if (module && !view.isDestroyed && view.state.doc === doc) module.offerFormatting(view, pasted, range.serial, host);
}
