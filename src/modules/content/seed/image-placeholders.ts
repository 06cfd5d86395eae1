import type { StoredImage } from '../../../platform/files/images.ts';
import type { DocumentJson } from '../../../shared/rich-text/document.ts';

/** Where local images seem to be while the schema checks a document; no stored image is there. */
export const PLACEHOLDER_FOLDER = '/media/graine/';
const PREFIX = 'file:';

/** `file:name.png` for each local image: an address that the schema refuses, so that none is stored by mistake. */
export function withFilePlaceholders(doc: DocumentJson): DocumentJson {
  return withImages(doc, (attrs) =>
    attrs.src.startsWith(PLACEHOLDER_FOLDER) ? { ...attrs, src: PREFIX + attrs.src.slice(PLACEHOLDER_FOLDER.length) } : attrs,
  );
}

/**
 * The document with its local images as they were stored, `images` being keyed by file name; a width or height that the
 * author wrote is replaced, except that of the images in `sized`, which is what a word processor showed them at.
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
