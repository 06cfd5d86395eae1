import { Plugin } from 'prosemirror-state';
import type { EditorView } from 'prosemirror-view';
import { fetchScript } from '../../runtime/fetch-script.ts';
import { linkPasted } from '../commands/marks.ts';
import type { PictureHost } from './picture-uploads.ts';
import { plainText } from './plain-text.ts';

const WITHOUT_NETWORK = "La mise en forme n'a pas pu être lue, faute de connexion : le texte seul a été collé.";

/**
 * Fetches what reads other programs' HTML with the first paste or drop that needs it, then lets that one happen again: it is as large as the
 * editor itself, and many a text is only typed. Plain text and copies of our own are ProseMirror's and wait for nothing.
 */
export function lazyPaste(host: PictureHost): Plugin {
  let fetched = false;
  let shift = false;

  async function fetchFor(
    view: EditorView,
    event: ClipboardEvent | DragEvent,
    data: DataTransfer,
    again: (data: DataTransfer) => Event,
  ): Promise<void> {
    event.preventDefault();
    // What the browser offers is gone once the event is over.
    const kept = copyOf(data);
    const module = await fetchScript(() => import('./paste-plugin.ts')).catch(() => null);
    if (view.isDestroyed) return;
    if (!module) {
      const text = kept.getData('text/plain');
      if (text) view.pasteText(text);
      return host.notify('warning', WITHOUT_NETWORK);
    }
    if (!fetched) view.updateState(view.state.reconfigure({ plugins: [...module.pastePlugin(host, () => shift), ...view.state.plugins] }));
    fetched = true;
    view.dom.dispatchEvent(again(kept));
  }

  return new Plugin({
    props: {
      clipboardTextSerializer: plainText,
      handlePaste: (view, event) => !shift && linkPasted(event.clipboardData?.getData('text/plain') ?? '')(view.state, view.dispatch),
      handleDOMEvents: {
        keydown: (_view, { shiftKey, key }) => {
          // Shift+Insert pastes with everything.
          shift = shiftKey && key !== 'Insert';
          return false;
        },
        keyup: (_view, { key }) => {
          if (key === 'Shift') shift = false;
          return false;
        },
        paste: (view, event) => {
          const data = event.clipboardData;
          if (fetched || shift || !data || !isForeign(data)) return false;
          void fetchFor(
            view,
            event,
            data,
            (clipboardData) => new ClipboardEvent('paste', { clipboardData, bubbles: true, cancelable: true }),
          );
          return true;
        },
        drop: (view, event) => {
          const data = event.dataTransfer;
          if (fetched || view.dragging || !data || !isForeign(data)) return false;
          const { clientX, clientY } = event;
          void fetchFor(
            view,
            event,
            data,
            (dataTransfer) => new DragEvent('drop', { dataTransfer, clientX, clientY, bubbles: true, cancelable: true }),
          );
          return true;
        },
      },
    },
  });
}

/** HTML that is no copy of ours, or files. */
function isForeign(data: DataTransfer): boolean {
  const html = data.getData('text/html');
  return data.files.length > 0 || (html !== '' && !html.includes('data-pm-slice'));
}

function copyOf(data: DataTransfer): DataTransfer {
  const copy = new DataTransfer();
  for (const type of data.types) if (type !== 'Files') copy.setData(type, data.getData(type));
  for (const file of data.files) copy.items.add(file);
  return copy;
}
