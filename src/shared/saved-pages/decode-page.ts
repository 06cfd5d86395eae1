/** Start of a page: a declaration, or an element that only whole pages have, behind comments. */
const PAGE = /^\s*(?:(?:<\?[^>]*\?>|<!--(?:(?!-->)[\s\S])*-->)\s*)*<(?:!doctype\s+html|(?:html|head|body|title|meta)[\s>])/i;
const CHARSET = /<meta\b[^>]{0,200}?\bcharset\s*=\s*["']?\s*([\w.:-]{1,40})/i;
/** Bytes in which browsers look for the encoding. */
const searched = 2_048;

interface DecodedPage {
  readonly text: string;
  /** Whether the bytes fit none of the encodings that the page names. */
  readonly isGuess: boolean;
}

/** Returns whether a file is an HTML page, by its content. A fragment of HTML within Markdown is none. */
export const isPage = (bytes: Uint8Array): boolean =>
  PAGE.test(new TextDecoder(encodingOfMark(bytes) ?? 'windows-1252').decode(bytes.subarray(0, searched)));

/** Returns the text of an HTML page: by its byte order mark, by its `meta` element, as UTF-8, or as Windows-1252. */
export function decodePage(bytes: Uint8Array): DecodedPage {
  const mark = encodingOfMark(bytes);
  if (mark) return { text: new TextDecoder(mark).decode(bytes), isGuess: false };
  const named = CHARSET.exec(new TextDecoder('windows-1252').decode(bytes.subarray(0, searched)))?.[1];
  for (const encoding of [named, 'utf-8']) {
    // A page that could name UTF-16 in ASCII letters is not encoded in it.
    const text = encoding && !/^utf-?16/i.test(encoding) ? decoded(bytes, encoding) : null;
    if (text !== null) return { text, isGuess: false };
  }
  return { text: new TextDecoder('windows-1252').decode(bytes), isGuess: true };
}

function encodingOfMark([first, second, third]: Uint8Array): string | null {
  if (first === 0xff && second === 0xfe) return 'utf-16le';
  if (first === 0xfe && second === 0xff) return 'utf-16be';
  return first === 0xef && second === 0xbb && third === 0xbf ? 'utf-8' : null;
}

function decoded(bytes: Uint8Array, encoding: string): string | null {
  try {
    return new TextDecoder(encoding, { fatal: true }).decode(bytes);
  } catch {
    // An unknown encoding, or bytes that are not in it.
    return null;
  }
}
