import type { StoredImage } from '../../../platform/files/images.ts';
import type { DocumentJson } from '../../../shared/rich-text/document.ts';

/**
 * Folder of the placeholder addresses that local images have while the schema checks a document. No stored image has an address in
 * it.
 */
export const PLACEHOLDER_FOLDER = '/media/graine/';
const PREFIX = 'file:';

/**
 * Replaces the placeholder address of each local image by `file:name.png`. The schema refuses this address, so that it cannot be
 * stored by mistake.
 */
export function withFilePlaceholders(doc: DocumentJson): DocumentJson {
  return withImages(doc, (attrs) =>
    attrs.src.startsWith(PLACEHOLDER_FOLDER) ? { ...attrs, src: PREFIX + attrs.src.slice(PLACEHOLDER_FOLDER.length) } : attrs,
  );
}

/**
 * Returns the document with its local images replaced by the stored ones.
 * @param images the stored images, by file name
 * @param sized names of images that keep the width and height of the document, as shown by a word processor; other images get the
 * stored size
 * @throws {Error} when an image of the document is not in `images`
 */
export function resolveImages(
  doc: DocumentJson,
  images: ReadonlyMap<string, StoredImage>,
  sized: { has(name: string): boolean } = new Set(),
): DocumentJson {
  return withImages(doc, (attrs) => {
    if (!attrs.src.startsWith(PREFIX)) return attrs;
    const name = attrs.src.slice(PREFIX.length);
    const stored = images.get(name);
    if (!stored) throw new Error(`The image ${name} was not stored`);
    return { ...attrs, src: stored.src, ...(!sized.has(name) && { width: stored.width, height: stored.height }) };
  });
}

function withImages<T>(node: T, change: (attrs: { src: string }) => { src: string }): T {
  if (Array.isArray(node)) return node.map((child) => withImages(child, change)) as T;
  if (typeof node !== 'object' || node === null) return node;
  const { type, attrs, content } = node as { type?: unknown; attrs?: { src: string }; content?: unknown };
  return {
    ...node,
    ...((type === 'image' || type === 'figure') && attrs && { attrs: change(attrs) }),
    ...(content !== undefined && { content: withImages(content, change) }),
  };
}
