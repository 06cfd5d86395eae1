import { nodeAfter } from '../support/walk.ts';

// Word puts pictures as VML into comments, each with an `img` for browsers after it; sometimes the `img` is missing.

export interface VmlPicture {
  /** Id in the `v:shapes` attribute of an `img`. */
  readonly id: string;
  /** Word's shape id: `_x0000_i1025` inline, `_x0000_s1026` floating. */
  readonly spid: string;
  readonly src: string;
  readonly alt: string;
  readonly style: string;
}

const SHAPE = /<v:(shape|rect|roundrect|oval|image|imagedata)(?=[\s/>])((?:"[^"]*"|'[^']*'|[^"'>]){0,5000})>/gi;
const ENTITIES: Readonly<Record<string, string>> = { amp: '&', quot: '"', apos: "'", lt: '<', gt: '>', '#39': "'" };

/** Returns the pictures in one of Word's conditional comments, without list bullets. */
export function vmlPictures(comment: string): VmlPicture[] {
  if (!/^\[if [^\]]{0,20}vml/i.test(comment)) return [];
  const pictures: VmlPicture[] = [];
  let shape = (_name: string): string => '';
  for (const [, tag = '', attributes = ''] of comment.matchAll(SHAPE)) {
    const own = (name: string): string => attributeIn(attributes, name);
    if (tag.toLowerCase() !== 'imagedata') shape = own;
    if (/^image/i.test(tag) && !/^t/i.test(shape('o:bullet'))) pictures.push(pictureOf(shape, own('src')));
  }
  return pictures;
}

const pictureOf = (shape: (name: string) => string, src: string): VmlPicture => ({
  id: shape('id') || src,
  spid: shape('o:spid') || shape('id'),
  src,
  alt: shape('alt'),
  style: shape('style'),
});

function attributeIn(attributes: string, name: string): string {
  const [, doubled, single, bare] = new RegExp(`(?:^|\\s)${name}\\s*=\\s*(?:"([^"]*)"|'([^']*)'|([^\\s"'>]+))`, 'i').exec(attributes) ?? [];
  return (doubled ?? single ?? bare ?? '').replaceAll(/&(#39|[a-z]{2,4});/g, (all, entity: string) => ENTITIES[entity] ?? all);
}

/** Inserts an `img` for each VML picture that has none. Calling it again does nothing. */
export function placeVmlPictures(root: Element): void {
  const named = new Set([...root.querySelectorAll('img')].flatMap(shapesOf));
  const imageOf = ({ id, src, alt, style }: VmlPicture): Element => {
    const image = root.ownerDocument.createElement('img');
    for (const [name, value] of Object.entries({ src, alt, style: sizeIn(style), 'v:shapes': id })) image.setAttribute(name, value);
    return image;
  };
  for (const comment of nodesIn(root, 8) as Comment[]) {
    const pictures = vmlPictures(comment.data).filter(({ id }) => !named.has(id));
    if (pictures.length > 0 && !hasImageBeside(comment))
      for (const picture of pictures.toReversed()) insertAfter(comment, imageOf(picture));
  }
  // VML outside comments, as in e-mails.
  for (const drawn of (nodesIn(root, 1) as Element[]).filter(({ localName }) => localName === 'v:imagedata')) {
    const shape = (name: string): string => drawn.parentElement?.getAttribute(name) ?? '';
    const picture = pictureOf(shape, drawn.getAttribute('src') ?? '');
    const place = named.has(picture.id) ? drawn : imageOf(picture);
    if (place !== drawn) insertAfter(drawn, place);
    // HTML parsers take the nodes after the unclosed element for its content.
    while (drawn.lastChild) insertAfter(place, drawn.lastChild);
    drawn.parentNode?.removeChild(drawn);
  }
}

const insertAfter = (node: Node, inserted: Node): void => {
  node.parentNode?.insertBefore(inserted, node.nextSibling);
};

/** Returns the ids of the shapes that an `img` represents. */
export const shapesOf = (image: Element): string[] => (image.getAttribute('v:shapes') ?? '').split(/\s+/).filter(Boolean);

/** Returns all nodes of a type below an element, in document order. */
export function nodesIn(root: Element, type: 1 | 8): Node[] {
  const nodes: Node[] = [];
  for (let node: Node | null = root.firstChild; node; node = nodeAfter(node, root)) if (node.nodeType === type) nodes.push(node);
  return nodes;
}

/**
 * Returns whether an `img` without shape id is directly before a drawing, or after it, where Word writes one for browsers: `<![if
 * !vml]>…<![endif]>`.
 */
function hasImageBeside(comment: Comment): boolean {
  const isNameless = (image: Element): boolean => image.localName === 'img' && shapesOf(image).length === 0;
  if (comment.previousSibling?.nodeType === 1 && isNameless(comment.previousSibling as Element)) return true;
  let node = comment.nextSibling;
  // Some parsers keep this mark as a comment, others drop it.
  while (
    node &&
    ((node.nodeType === 3 && !/\S/.test((node as Text).data)) || (node.nodeType === 8 && /^\[if !vml\]/i.test((node as Comment).data)))
  )
    node = node.nextSibling;
  if (node?.nodeType !== 1) return false;
  const element = node as Element;
  return isNameless(element) || (!/\S/.test(element.textContent ?? '') && [...element.querySelectorAll('img')].some(isNameless));
}

/** Returns only width and height of a shape's style: its position has no meaning in the text. */
const sizeIn = (style: string): string => (style.match(/(?:^|;)\s*(?:width|height)\s*:[^;]*/gi) ?? []).join(';').replace(/^;/, '');
