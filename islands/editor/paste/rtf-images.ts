/** A picture of an RTF text. */
interface RtfImage {
  readonly type: 'image/png' | 'image/jpeg';
  readonly base64: string;
}

export interface RtfPicture {
  /** Null for a format that browsers do not show (WMF, EMF, DIB). */
  readonly image: RtfImage | null;
  /** Whether text stands around it; otherwise it stands in a line. */
  readonly isFloating: boolean;
  /** Word's number of the shape that it fills; null when it does not say. */
  readonly shape: number | null;
  /** As wide and high as it is shown, in CSS pixels; 0 when it does not say. */
  readonly width: number;
  readonly height: number;
}

const TYPES: Readonly<Record<string, RtfImage['type']>> = { pngblip: 'image/png', jpegblip: 'image/jpeg' };

/**
 * What is no picture of the text: the same one again for programs that know only old formats, what they draw in the place of a shape, marks of
 * items, and what stands on every page.
 */
const ASIDE = /^(?:nonshppict|shprslt|listpicture|(?:header|footer)[lrf]?)$/;

/** What stands between a shape's braces, or a picture's: its number, its measures by the words that say them. */
interface Described {
  shape: number | null;
  readonly measures: Map<string, number>;
}

interface Shape extends Described {
  /** A picture that is turned is a shape, though it stands in a line. */
  isInLine: boolean;
}

interface Group {
  readonly isAside: boolean;
  /** The shape, mostly with text around it, that this group describes. */
  readonly floating: Shape | null;
  /** The picture that this group is, as it is being read. */
  readonly picture: (Described & { type: RtfImage['type'] | null }) | null;
}

const SIGN = /[{}]|\\(?:([a-z]+)(-?\d+)? ?|[^a-z])/gi;

/**
 * The pictures of an RTF text in its order. Word puts its pictures there, and only the addresses of files of its own computer into the HTML
 * beside it.
 */
export function rtfPictures(rtf: string): RtfPicture[] {
  const found: { image: RtfImage | null; picture: Described; floating: Shape | null }[] = [];
  const open: Group[] = [];
  const outermost: Group = { isAside: false, floating: null, picture: null };
  let group = outermost;
  /** Where the last sign ends: behind it stand the digits of a picture. */
  let done = 0;
  const close = (end: number): void => {
    const { picture, isAside, floating } = group;
    group = open.pop() ?? outermost;
    if (!picture || picture === group.picture || isAside) return;
    const image = picture.type && imageOf(picture.type, rtf.slice(done, end));
    found.push({ image, picture, floating });
  };
  const signs = new RegExp(SIGN);
  for (let next = signs.exec(rtf); next; next = signs.exec(rtf)) {
    const [sign, word = '', digits] = next;
    const described = group.picture ?? group.floating;
    if (sign === '{') open.push(group);
    else if (sign === '}') close(next.index);
    else if (word === 'bin') signs.lastIndex += Math.max(0, Number(digits ?? 0));
    else if (word === 'pict') group = { ...group, picture: { type: null, shape: null, measures: new Map() } };
    else if (word === 'shp') group = { ...group, floating: { shape: null, isInLine: false, measures: new Map() } };
    else if (ASIDE.test(word)) group = { ...group, isAside: true };
    else if (word in TYPES && group.picture) group.picture.type = TYPES[word] as RtfImage['type'];
    else if (word === 'shplid' && described) described.shape = Number(digits ?? 0);
    else if (MEASURES.has(word)) described?.measures.set(word, Number(digits ?? 0));
    else if (word === 'sn' && group.floating) group.floating.isInLine ||= rtf.startsWith('fPseudoInline}{\\sv 1', signs.lastIndex);
    done = signs.lastIndex;
  }
  while (open.length > 0) close(rtf.length);
  return found.map(({ image, picture, floating }) => ({
    image,
    isFloating: floating !== null && !floating.isInLine,
    shape: (floating ?? picture).shape,
    ...(floating ? sizeOfShape(floating.measures) : sizeOfPicture(picture.measures)),
  }));
}

const MEASURES = new Set(['picwgoal', 'pichgoal', 'picscalex', 'picscaley', 'shpleft', 'shpright', 'shptop', 'shpbottom']);
/** Twentieths of a point in a CSS pixel. */
const twipsPerPixel = 15;

function sizeOfPicture(measures: Described['measures']): { width: number; height: number } {
  const side = (goal: string, scale: string): number =>
    Math.round(((measures.get(goal) ?? 0) * (measures.get(scale) ?? 100)) / 100 / twipsPerPixel);
  return { width: side('picwgoal', 'picscalex'), height: side('pichgoal', 'picscaley') };
}

function sizeOfShape(measures: Described['measures']): { width: number; height: number } {
  const side = (start: string, end: string): number => Math.round(((measures.get(end) ?? 0) - (measures.get(start) ?? 0)) / twipsPerPixel);
  return { width: side('shpleft', 'shpright'), height: side('shptop', 'shpbottom') };
}

function imageOf(type: RtfImage['type'], digits: string): RtfImage | null {
  const hex = digits.replaceAll(/\s+/g, '');
  return hex.length < 16 || hex.length % 2 !== 0 || /[^0-9a-f]/i.test(hex) ? null : { type, base64: hexToBase64(hex) };
}

function hexToBase64(hex: string): string {
  let binary = '';
  for (let at = 0; at < hex.length; at += 2) binary += String.fromCharCode(Number.parseInt(hex.slice(at, at + 2), 16));
  return btoa(binary);
}
