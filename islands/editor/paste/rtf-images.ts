/** A picture of an RTF text. */
export interface RtfImage {
  readonly type: 'image/png' | 'image/jpeg';
  readonly base64: string;
}

const KINDS = [
  ['\\pngblip', 'image/png'],
  ['\\jpegblip', 'image/jpeg'],
] as const;

/**
 * The pictures of an RTF text in its order; null stands for one in a format that browsers do not show (WMF, EMF, DIB). Word puts its pictures
 * there, and only the addresses of files of its own computer into the HTML beside it.
 */
export function rtfImages(rtf: string): (RtfImage | null)[] {
  const images: (RtfImage | null)[] = [];
  for (let at = rtf.indexOf('\\pict'); at !== -1; ) {
    const next = rtf.indexOf('\\pict', at + 5);
    const { end, image } = readPicture(rtf, at + 5);
    // The same picture again, for programs that know only the old formats; `\picttext` and the like are no pictures.
    const isSecond = rtf.slice(Math.max(0, at - 30), at).includes('\\nonshppict');
    if (!isSecond && !/[a-z]/.test(rtf[at + 5] ?? '')) images.push(image);
    at = next !== -1 && next < end ? rtf.indexOf('\\pict', end) : next;
  }
  return images;
}

/** Reads to the end of the group that a picture stands in: control words and inner groups, then hexadecimal digits. */
function readPicture(rtf: string, start: number): { end: number; image: RtfImage | null } {
  let depth = 0;
  let at = start;
  let digits = start;
  for (; at < rtf.length; at += 1) {
    const character = rtf[at];
    if (character === '{') depth += 1;
    else if (character === '}') {
      if (depth === 0) break;
      depth -= 1;
      digits = at + 1;
    } else if (character === '\\' && depth === 0) {
      const word = /\\[a-z*]+-?\d* ?/iy;
      word.lastIndex = at;
      const found = word.exec(rtf)?.[0] ?? '\\';
      at += found.length - 1;
      digits = at + 1;
    }
  }
  const controls = rtf.slice(start, digits);
  const kind = KINDS.find(([word]) => controls.includes(word));
  const hex = rtf.slice(digits, at).replace(/\s+/g, '');
  if (!kind || hex.length < 16 || hex.length % 2 !== 0 || /[^0-9a-f]/i.test(hex)) return { end: at, image: null };
  return { end: at, image: { type: kind[1], base64: hexToBase64(hex) } };
}

function hexToBase64(hex: string): string {
  let binary = '';
  for (let at = 0; at < hex.length; at += 2) binary += String.fromCharCode(Number.parseInt(hex.slice(at, at + 2), 16));
  return btoa(binary);
}
