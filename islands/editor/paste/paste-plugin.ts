import { Slice } from 'prosemirror-model';
import { Plugin } from 'prosemirror-state';
import type { EditorView } from 'prosemirror-view';
import { canonicalPaste, hasBlobs, isLonePicture, isOwnCopy, withBlobs } from './foreign-html.ts';
import { limitDepth } from './limit-depth.ts';
import { insertPictures, picturePlaces } from './picture-files.ts';
import { type PictureHost, pictureUploads } from './picture-uploads.ts';
import { plainText } from './plain-text.ts';

/**
 * Handles pastes and drops: converts other programs' HTML, uploads pictures and reports parts that could not be kept. ProseMirror handles
 * plain pastes and copies of our own.
 * @param isPlain whether the current paste is plain text
 */
export function pastePlugin(host: PictureHost, isPlain: () => boolean): Plugin[] {
  return [pictureUploads(host), picturePlaces(), foreignPaste(host, isPlain)];
}

function foreignPaste(host: PictureHost, isPlain: () => boolean): Plugin {
  /** The RTF beside the HTML that ProseMirror is about to parse. */
  let rtf = '';
  let foreign = false;

  function pasted(view: EditorView, data: DataTransfer): boolean {
    const html = data.getData('text/html');
    const files = pictures(data);
    rtf = data.getData('text/rtf') || data.getData('application/rtf');
    // Ignore files next to other HTML: Excel adds a picture of the cells, and a web page adds the file of a picture in the HTML.
    if (files.length > 0 && (html === '' || isLonePicture(html)) && !(html === '' && data.getData('text/plain') !== '')) {
      void insertPictures(view, files, replaceable(view), host);
      return true;
    }
    if (!hasBlobs(html) || isOwnCopy(html) || isPlain()) return false;
    void withBlobs(html).then((filled) => {
      if (!view.isDestroyed) view.pasteHTML(filled);
    });
    return true;
  }

  return new Plugin({
    props: {
      handleDOMEvents: {
        paste: (view, event) => {
          if (!event.clipboardData || !view.editable || !pasted(view, event.clipboardData)) return false;
          event.preventDefault();
          return true;
        },
        drop: (view, event) => {
          rtf = '';
          if (!event.dataTransfer || !view.editable || view.dragging) return false;
          return dropped(view, event, event.dataTransfer, host);
        },
      },
      transformPastedHTML(html) {
        foreign = !isOwnCopy(html);
        if (!foreign) return html;
        const { html: canonical, notes } = canonicalPaste(html, rtf);
        rtf = '';
        if (notes.length > 0) host.notify('info', notes.join(' '));
        return canonical;
      },
      transformPasted(slice, view) {
        const was = foreign;
        foreign = false;
        return limitDepth(was ? closedAtStart(slice, view) : slice, view.state);
      },
      clipboardTextSerializer: plainText,
    },
  });
}

const pictures = ({ files }: DataTransfer): File[] => [...files].filter(({ type }) => type.startsWith('image/'));

/** Deletes the selection, which a picture replaces. */
function replaceable(view: EditorView): number {
  if (!view.state.selection.empty) view.dispatch(view.state.tr.deleteSelection());
  return view.state.selection.from;
}

/** Handles dropped files: without this, the browser would open the file and replace the page and its unsaved text. */
function dropped(view: EditorView, event: DragEvent, data: DataTransfer, host: PictureHost): boolean {
  if (data.files.length === 0) return false;
  const files = pictures(data);
  const html = data.getData('text/html');
  if (html && !isLonePicture(html)) return false;
  event.preventDefault();
  const pos = view.posAtCoords({ left: event.clientX, top: event.clientY })?.pos ?? view.state.selection.from;
  if (files.length > 0) void insertPictures(view, files, pos, host);
  if (files.length < data.files.length) host.notify('info', 'Seules les images peuvent être déposées dans le texte.');
  return true;
}

/** Returns a slice whose first block keeps its type (alignment, level, list) in an empty paragraph, unless that block is plain text. */
function closedAtStart(slice: Slice, { state }: EditorView): Slice {
  const { $from, empty } = state.selection;
  const first = slice.content.firstChild;
  if (!empty || !first || $from.parent.type.name !== 'paragraph' || $from.parent.content.size > 0) return slice;
  const isMereText = first.type.name === 'paragraph' && first.attrs.align === null && first.attrs.indent === 0 && first.attrs.dir === null;
  return isMereText ? slice : new Slice(slice.content, 0, slice.content.childCount === 1 ? 0 : slice.openEnd);
}
