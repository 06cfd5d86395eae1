import type { Node } from 'prosemirror-model';
import { Plugin, PluginKey, type PluginView } from 'prosemirror-state';
import { Decoration, DecorationSet, type EditorView } from 'prosemirror-view';
import { isDataImage } from '../../../src/shared/rich-text/addresses.ts';
import { isRemoteImage, remoteImagesRemark } from '../../../src/shared/rich-text/remote-images.ts';
import type { EditorHost, UploadedImage } from '../commands/editor-host.ts';
import { remotePicture } from './remote-picture.ts';
import { sendPicture } from './send-picture.ts';

export type PictureHost = Pick<EditorHost, 'uploadImage' | 'notify'>;

const NO_ANSWER = "L'image n'a pas pu être envoyée.";
const key = new PluginKey<DecorationSet>('picture-uploads');

/**
 * Uploads pasted or dropped pictures from `data:` addresses or other sites, one after the other, and replaces their addresses. A refused
 * `data:` picture stays in the text and is stored with it. If another site does not allow its picture to be read, the picture keeps its
 * address, and a message says so.
 */
export function pictureUploads(host: PictureHost): Plugin {
  return new Plugin<DecorationSet>({
    key,
    state: {
      init: () => DecorationSet.empty,
      apply(tr, waiting) {
        const done: string | undefined = tr.getMeta(key);
        const mapped = waiting.map(tr.mapping, tr.doc);
        if (done) return mapped.remove(mapped.find(undefined, undefined, ({ src }) => src === done));
        return broughtIn(tr.getMeta('uiEvent')) ? mapped.add(tr.doc, waitingPictures(tr.doc, mapped)) : mapped;
      },
    },
    props: { decorations: (state) => key.getState(state) },
    view: (view) => uploads(view, host),
  });
}

const broughtIn = (event: unknown): boolean => event === 'paste' || event === 'drop';

function waitingPictures(doc: Node, known: DecorationSet): Decoration[] {
  const found: Decoration[] = [];
  doc.descendants((node, pos) => {
    if (!(isDataImage(node.attrs.src) || isRemotePicture(node)) || known.find(pos, pos + node.nodeSize).length > 0) return;
    found.push(Decoration.node(pos, pos + node.nodeSize, { class: 'editor__uploading' }, { src: node.attrs.src }));
  });
  return found;
}

const isRemotePicture = ({ type, attrs }: Node): boolean => (type.name === 'image' || type.name === 'figure') && isRemoteImage(attrs.src);

function uploads(view: EditorView, host: PictureHost): PluginView {
  let seen = DecorationSet.empty;
  let running = false;
  let gone = false;
  const waiting = () => key.getState(view.state) as DecorationSet;
  const next = (): string | undefined => waiting().find()[0]?.spec.src;

  /** @throws when the picture cannot be read */
  const store = async (src: string): Promise<UploadedImage> =>
    (await sendPicture(isRemoteImage(src) ? await remotePicture(src) : pictureFile(src), host)).result;

  async function run(): Promise<void> {
    running = true;
    const faults = new Map<string, number>();
    let remote = 0;
    for (let src = next(); src && !gone; src = next()) {
      const result = await store(src).catch(() => ({ fault: NO_ANSWER }));
      if (gone) return;
      if ('fault' in result && isRemoteImage(src)) remote += 1;
      else if ('fault' in result) faults.set(result.fault, (faults.get(result.fault) ?? 0) + 1);
      settle(src, 'fault' in result ? null : result);
    }
    running = false;
    if (remote > 0) host.notify('warning', remoteImagesRemark(remote));
    for (const [fault, count] of faults) {
      const which = count === 1 ? 'Une image sera envoyée' : `${count} images seront envoyées`;
      host.notify('warning', `${fault} ${which} avec le texte.`);
    }
  }

  function settle(src: string, stored: Exclude<UploadedImage, { fault: string }> | null): void {
    const { tr } = view.state;
    if (stored) {
      tr.doc.descendants((node, pos) => {
        if (node.attrs.src !== src) return;
        const { width, height } = node.attrs.width || node.attrs.height ? node.attrs : stored;
        tr.setNodeMarkup(pos, null, { ...node.attrs, src: stored.src, width, height });
      });
    }
    // This change is not in the history: undoing removes the picture instead of restoring its old address.
    view.dispatch(tr.setMeta(key, src).setMeta('addToHistory', false));
  }

  return {
    update() {
      if (waiting() === seen) return;
      seen = waiting();
      if (!running && seen.find().length > 0) void run();
    },
    destroy() {
      gone = true;
    },
  };
}

function pictureFile(src: string): File {
  const [, type = '', base64 = ''] = /^data:(image\/[a-z]+);base64,(.*)$/s.exec(src) ?? [];
  const bytes = Uint8Array.from(atob(base64), (character) => character.charCodeAt(0));
  return new File([bytes], `image.${type.replace('image/', '').replace('jpeg', 'jpg')}`, { type });
}
