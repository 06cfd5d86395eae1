/** Most characters of LaTeX in one formula. */
export const MAX_LATEX_LENGTH = 2_000;
/** Most characters of the address of a link or an image. */
export const MAX_URL_LENGTH = 2_000;
/** Most characters of an image in the text, as a data: address: 2 MB in base64. */
export const MAX_DATA_IMAGE_LENGTH = 2_900_000;
/** Most characters of an image's alternative text. */
export const MAX_ALT_LENGTH = 500;
/** Largest width or height of an image in the document, in pixels. */
export const MAX_IMAGE_SIDE = 10_000;
/** Most columns or rows that one table cell may span. */
export const MAX_CELL_SPAN = 100;
/** Most levels of indentation of a block (specification §9). */
export const MAX_INDENT = 8;
/** Most nested lists that the editor makes; the same as the levels of indentation. */
export const MAX_LIST_DEPTH = 8;
/** Highest number at which a list may start. */
export const MAX_LIST_START = 1_000_000;
/** Most nested nodes, including the document. */
export const MAX_DEPTH = 40;
/** Largest document, as ProseMirror counts: each character and each node boundary is 1. */
export const MAX_DOCUMENT_SIZE = 500_000;

// Characters that an HTML parser does not return unchanged.
// biome-ignore lint/suspicious/noControlCharactersInRegex: they are what is looked for
const UNWRITABLE = /[\u0000-\u0008\u000b-\u001f]/;

/** Returns whether `text` survives HTML unchanged: no control characters but tab and newline, no unpaired surrogates. */
export function isWritable(text: string): boolean {
  return !UNWRITABLE.test(text) && text.isWellFormed();
}
