import { Plugin, PluginKey } from 'prosemirror-state';
import { Decoration, DecorationSet, type EditorView } from 'prosemirror-view';
import { maxImageBytes } from '../../../src/shared/forms/catalogue.ts';
import { isDataImage } from '../../../src/shared/rich-text/addresses.ts';
import { richTextSchema } from '../../../src/shared/rich-text/schema.ts';
import { dataAddress } from '../../runtime/data-address.ts';
import type { UploadedImage } from '../commands/editor-host.ts';
import type { PictureHost } from './picture-uploads.ts';
import { sendPicture } from './send-picture.ts';

const key = new PluginKey<DecorationSet>('picture-files');

/** Marks the positions of pictures that are being uploaded. */
export function picturePlaces(): Plugin {
  return new Plugin<DecorationSet>({
    key,
    state: {
      init: () => DecorationSet.empty,
      apply(tr, places) {
        const change: { add?: { pos: number; id: object; name: string }; remove?: object } = tr.getMeta(key) ?? {};
        const mapped = places.map(tr.mapping, tr.doc);
        if (change.add) {
          const { pos, id, name } = change.add;
          return mapped.add(tr.doc, [Decoration.widget(pos, () => notice(name), { id })]);
        }
        return change.remove ? mapped.remove(mapped.find(undefined, undefined, ({ id }) => id === change.remove)) : mapped;
      },
    },
    props: { decorations: (state) => key.getState(state) },
  });
}

function notice(name: string): HTMLElement {
  const element = document.createElement('span');
  element.className = 'editor__sending';
  element.setAttribute('role', 'status');
  element.textContent = `Envoi de l'image ${name}...`;
  return element;
}

/** Uploads picture files and inserts them in order at `pos`, which is mapped through changes made meanwhile. */
export async function insertPictures(view: EditorView, files: readonly File[], pos: number, host: PictureHost): Promise<void> {
  const places = files.map((file) => {
    const id = {};
    view.dispatch(view.state.tr.setMeta(key, { add: { pos, id, name: file.name } }));
    return { file, id };
  });
  for (const { file, id } of places) {
    const { result, sent } = await sendPicture(file, host);
    if (view.isDestroyed) return;
    const picture = 'fault' in result ? await waitingPicture(sent, result.fault, host) : result;
    if (view.isDestroyed) return;
    settle(view, id, picture);
  }
}

/** Returns the picture as a `data:` address, to be stored with the text; null if it is too large or no picture. */
async function waitingPicture(file: File, fault: string, host: PictureHost): Promise<Exclude<UploadedImage, { fault: string }> | null> {
  const src = file.size > maxImageBytes ? null : await dataAddress(file).catch(() => null);
  if (!isDataImage(src)) {
    host.notify('error', fault);
    return null;
  }
  host.notify('warning', `${fault} Elle sera envoyée avec le texte.`);
  return { src, width: null, height: null };
}

function settle(view: EditorView, id: object, picture: Exclude<UploadedImage, { fault: string }> | null): void {
  const { tr } = view.state;
  const place = (key.getState(view.state) as DecorationSet).find(undefined, undefined, (spec) => spec.id === id)[0];
  // If the position was deleted meanwhile, the picture is not inserted.
  if (place && picture) {
    const { nodes } = richTextSchema;
    const $pos = tr.doc.resolve(place.from);
    const inLine =
      $pos.parent.inlineContent && $pos.parent.content.size > 0 && $pos.parent.canReplaceWith($pos.index(), $pos.index(), nodes.image);
    const node = (inLine ? nodes.image : nodes.figure).create({ ...picture, alt: '' });
    if (inLine) tr.insert(place.from, node);
    else {
      tr.replaceRangeWith(place.from, place.from, node);
      // Leave a paragraph after the figure to continue writing.
      if (tr.doc.lastChild?.type === nodes.figure) tr.insert(tr.doc.content.size, nodes.paragraph.create());
    }
  }
  view.dispatch(tr.setMeta(key, { remove: id }));
}
