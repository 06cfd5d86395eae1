import { nodeAfter } from './walk.ts';

// Word draws its pictures in VML, in comments, and puts an `img` behind each for browsers; sometimes it leaves that out.

/** A picture that is drawn in VML. */
export interface VmlPicture {
  /** What `v:shapes` of an `img` names it by. */
  readonly id: string;
  /** Word's number: `_x0000_i1025` in a line, `_x0000_s1026` with text around it. */
  readonly spid: string;
  readonly src: string;
  readonly alt: string;
  readonly style: string;
}

const SHAPE = /<v:(shape|rect|roundrect|oval|image|imagedata)(?=[\s/>])((?:"[^"]*"|'[^']*'|[^"'>]){0,5000})>/gi;
const ENTITIES: Readonly<Record<string, string>> = { amp: '&', quot: '"', apos: "'", lt: '<', gt: '>', '#39': "'" };

/** The pictures of one of Word's conditional comments; those that mark items of lists are none. */
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

/** Puts an `img` in the place of each picture in VML that has none. Does nothing the second time. */
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
  // Outside of comments, as letters have it.
  for (const drawn of (nodesIn(root, 1) as Element[]).filter(({ localName }) => localName === 'v:imagedata')) {
    const shape = (name: string): string => drawn.parentElement?.getAttribute(name) ?? '';
    const picture = pictureOf(shape, drawn.getAttribute('src') ?? '');
    const place = named.has(picture.id) ? drawn : imageOf(picture);
    if (place !== drawn) insertAfter(drawn, place);
    // A parser takes what follows for its content.
    while (drawn.lastChild) insertAfter(place, drawn.lastChild);
    drawn.parentNode?.removeChild(drawn);
  }
}

const insertAfter = (node: Node, inserted: Node): void => {
  node.parentNode?.insertBefore(inserted, node.nextSibling);
};

/** Ids of the shapes that an `img` stands for. */
export const shapesOf = (image: Element): string[] => (image.getAttribute('v:shapes') ?? '').split(/\s+/).filter(Boolean);

/** All nodes of a type below an element, in their order. */
export function nodesIn(root: Element, type: 1 | 8): Node[] {
  const nodes: Node[] = [];
  for (let node: Node | null = root.firstChild; node; node = nodeAfter(node, root)) if (node.nodeType === type) nodes.push(node);
  return nodes;
}

/** Whether a picture that names no shape stands just before a drawing, or behind it, where Word writes it for browsers: `<![if !vml]>…<![endif]>`. */
function hasImageBeside(comment: Comment): boolean {
  const isNameless = (image: Element): boolean => image.localName === 'img' && shapesOf(image).length === 0;
  if (comment.previousSibling?.nodeType === 1 && isNameless(comment.previousSibling as Element)) return true;
  let node = comment.nextSibling;
  // Some parsers keep Word's mark as a comment, others leave it out.
  while (
    node &&
    ((node.nodeType === 3 && !/\S/.test((node as Text).data)) || (node.nodeType === 8 && /^\[if !vml\]/i.test((node as Comment).data)))
  )
    node = node.nextSibling;
  if (node?.nodeType !== 1) return false;
  const element = node as Element;
  return isNameless(element) || (!/\S/.test(element.textContent ?? '') && [...element.querySelectorAll('img')].some(isNameless));
}

/** Where a shape stands is of no use to a picture in the text. */
const sizeIn = (style: string): string => (style.match(/(?:^|;)\s*(?:width|height)\s*:[^;]*/gi) ?? []).join(';').replace(/^;/, '');
