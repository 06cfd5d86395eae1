import { Plugin } from 'prosemirror-state';
import type { EditorView } from 'prosemirror-view';
import { fetchScript } from '../../runtime/fetch-script.ts';
import type { FormattingHost } from '../commands/editor-host.ts';
import { linkPasted } from '../commands/marks.ts';
import { lazyFormatting } from './lazy-formatting.ts';
import type { PictureHost } from './picture-uploads.ts';
import { plainText } from './plain-text.ts';

const WITHOUT_NETWORK = "La mise en forme n'a pas pu être lue, faute de connexion : le texte seul a été collé.";

/**
 * Loads the code for other programs' HTML at the first paste or drop that needs it, then repeats that event. The code is as large as the
 * editor itself, and many texts are only typed. ProseMirror handles plain text and copies of our own without it.
 */
export function lazyPaste(host: PictureHost & FormattingHost): Plugin {
  let fetched = false;
  let shift = false;

  async function fetchFor(
    view: EditorView,
    event: ClipboardEvent | DragEvent,
    data: DataTransfer,
    again: (data: DataTransfer) => Event,
  ): Promise<void> {
    event.preventDefault();
    // The clipboard data is not readable after the event.
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
      handlePaste: (view, { clipboardData }) => {
        // With Shift, the author wants the text as it is.
        if (shift || !clipboardData) return false;
        if (linkPasted(clipboardData.getData('text/plain'))(view.state, view.dispatch)) return true;
        void lazyFormatting(view, clipboardData, host);
        return false;
      },
      handleDOMEvents: {
        keydown: (_view, { shiftKey, key }) => {
          // Shift+Insert is a normal paste with formatting.
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

/** Returns whether the data has files, or HTML that is not a copy of our own. */
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
