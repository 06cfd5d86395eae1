/** A picture in an RTF text. */
interface RtfImage {
  readonly type: 'image/png' | 'image/jpeg';
  readonly base64: string;
}

export interface RtfPicture {
  /** Null for a format that browsers cannot show (WMF, EMF, DIB). */
  readonly image: RtfImage | null;
  /** Whether text flows around the picture; otherwise it is inline. */
  readonly isFloating: boolean;
  /** Word's number of the shape that holds the picture, or null. */
  readonly shape: number | null;
  /** Displayed size in CSS pixels; 0 if unknown. */
  readonly width: number;
  readonly height: number;
}

const TYPES: Readonly<Record<string, RtfImage['type']>> = { pngblip: 'image/png', jpegblip: 'image/jpeg' };

/**
 * Groups whose pictures are ignored: copies for older programs, fallbacks of shapes, list bullets, and headers and footers.
 * Names of RTF control words.
 */
const ASIDE = /^(?:nonshppict|shprslt|listpicture|(?:header|footer)[lrf]?)$/;

/** Properties of a shape or picture: its number, and its measures by control word. */
interface Described {
  shape: number | null;
  readonly measures: Map<string, number>;
}

interface Shape extends Described {
  /** Word stores a rotated inline picture as a shape. */
  isInLine: boolean;
}

interface Group {
  readonly isAside: boolean;
  /** The shape that this group describes. It is usually floating. */
  readonly floating: Shape | null;
  /** The picture that this group describes, while it is being read. */
  readonly picture: (Described & { type: RtfImage['type'] | null }) | null;
}

const SIGN = /[{}]|\\(?:([a-z]+)(-?\d+)? ?|[^a-z])/gi;

/**
 * Returns the pictures of an RTF text, in order. Word puts the pictures there; the HTML on the clipboard has only paths of files on the
 * author's computer.
 */
export function rtfPictures(rtf: string): RtfPicture[] {
  const found: { image: RtfImage | null; picture: Described; floating: Shape | null }[] = [];
  const open: Group[] = [];
  const outermost: Group = { isAside: false, floating: null, picture: null };
  let group = outermost;
  /** End of the last control word: a picture's hex digits follow it. */
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
/** Twips (twentieths of a point) per CSS pixel. */
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
