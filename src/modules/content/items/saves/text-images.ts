import type { EntityManager } from '@mikro-orm/postgresql';
import { Fragment, type Node } from 'prosemirror-model';
import { acceptContentUpload, ImageError, type StoredImage } from '../../../../platform/files/images.ts';
import type { UseCaseContext } from '../../../../platform/use-cases/events.ts';
import { isDataImage } from '../../../../shared/rich-text/addresses.ts';
import { RichTextError } from '../../../../shared/rich-text/document.ts';
import { excerpt } from '../../../../shared/rich-text/remark-forms.ts';
import { isRemoteImage, remoteImagesRemark } from '../../../../shared/rich-text/remote-images.ts';
import { richTextSchema } from '../../../../shared/rich-text/schema.ts';
import type { Remarks } from '../../texts/remarks.ts';
import { findContentImages, imageNameOf, keepContentImage } from '../images/image.service.ts';

/** Maximum number of images in one text. */
const maxImages = 200;

/**
 * Stores the images of a document. Data URLs become stored images; unreadable and unknown images are removed with a remark. External
 * images keep their address and are counted in a remark.
 * @returns the document, and the names of the stored images that it shows
 */
export async function storeImages(
  em: EntityManager,
  context: UseCaseContext,
  doc: Node,
  remarks: Remarks,
): Promise<{ doc: Node; names: string[] }> {
  const addresses = imageAddressesOf(doc);
  const stored = await storeDataImages(em, context, addresses.filter(isDataImage));
  const local = addresses.filter((src) => src.startsWith('/media/'));
  const there = await findContentImages(em, context, namesIn(local));
  const missing = new Map(
    local
      .filter((src) => !there.has(imageNameOf(src) ?? ''))
      .map((src) => [src, "elle n'est pas, ou plus, sur le site : ajoutez-la de nouveau"] as const),
  );
  const settled =
    stored.size + missing.size === 0 ? doc : replaced(doc, new Map<string, StoredImage | string>([...stored, ...missing]), remarks);
  const remote = addresses.filter(isRemoteImage).length;
  if (remote > 0) remarks.count('remote', remoteImagesRemark, remote);
  return { doc: settled, names: namesIn(imageAddressesOf(settled)) };
}

/** Returns the addresses of all images in a document. @throws RichTextError */
function imageAddressesOf(doc: Node): string[] {
  const addresses: string[] = [];
  doc.descendants((node) => {
    if (isImage(node)) addresses.push(node.attrs.src);
  });
  if (addresses.length > maxImages) throw new RichTextError(`Le texte montre plus de ${maxImages} images : partagez-le.`);
  return [...new Set(addresses)];
}

const isImage = (node: Node): boolean => node.type.name === 'image' || node.type.name === 'figure';

const namesIn = (addresses: readonly string[]): string[] => addresses.map(imageNameOf).filter((name) => name !== null);

/** Stores each data URL. Returns the stored image, or the reason for which it was refused, by address. */
async function storeDataImages(em: EntityManager, context: UseCaseContext, addresses: readonly string[]) {
  const stored = new Map<string, StoredImage | string>();
  for (const src of addresses) {
    try {
      const bytes = await acceptContentUpload(Buffer.from(src.slice(src.indexOf(',') + 1), 'base64'));
      stored.set(src, await keepContentImage(em, context, bytes));
    } catch (error) {
      if (!(error instanceof ImageError)) throw error;
      stored.set(src, error.message);
    }
  }
  return stored;
}

/** Returns the document with its images replaced. A refused image is removed; its caption stays. */
function replaced(doc: Node, images: ReadonlyMap<string, StoredImage | string>, remarks: Remarks): Node {
  const visit = (node: Node): Node | null => {
    const image = isImage(node) ? images.get(node.attrs.src) : undefined;
    if (typeof image === 'string') {
      remarks.sayWithCount(`Image retirée${node.attrs.alt ? ` (${excerpt(node.attrs.alt)})` : ''} : ${image}`);
      return node.childCount > 0 ? richTextSchema.node('paragraph', null, node.content) : null;
    }
    const content = children(node);
    if (image) return node.type.create({ ...node.attrs, ...sized(node, image) }, content, node.marks);
    return content.eq(node.content) ? node : node.copy(content);
  };
  const children = (node: Node): Fragment => {
    if (node.isLeaf) return node.content;
    const kept: Node[] = [];
    node.forEach((child) => {
      const visited = visit(child);
      if (visited) kept.push(visited);
    });
    // A list item, a cell or a choice whose only block was the removed image needs an empty paragraph to stay valid.
    const isEmptied = kept.length < node.childCount && !node.inlineContent && !node.type.validContent(Fragment.from(kept));
    return Fragment.from(isEmptied ? [richTextSchema.node('paragraph'), ...kept] : kept);
  };
  return visit(doc) ?? doc;
}

/** Returns the address of a stored image, with its natural size unless the author has set a size. */
function sized({ attrs }: Node, { src, width, height }: StoredImage) {
  return attrs.width === null && attrs.height === null ? { src, width, height } : { src };
}
