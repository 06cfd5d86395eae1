/** Maximum length of the LaTeX of one formula, in characters. */
export const MAX_LATEX_LENGTH = 2_000;
/** Maximum length of the address of a link or an image, in characters. */
export const MAX_URL_LENGTH = 2_000;
/** Maximum length of the data: address of an image, in characters: 2 MB in base64. */
export const MAX_DATA_IMAGE_LENGTH = 2_900_000;
/** Maximum length of an image's alternative text, in characters. */
export const MAX_ALT_LENGTH = 500;
/** Largest width or height of an image in the document, in pixels. */
export const MAX_IMAGE_SIDE = 10_000;
/** Maximum number of columns or rows that one table cell may span. */
export const MAX_CELL_SPAN = 100;
/** Maximum number of indentation levels of a block (specification §9). */
export const MAX_INDENT = 8;
/** Maximum depth of nested lists that the editor makes; equal to the indentation levels. */
export const MAX_LIST_DEPTH = 8;
/** Highest number at which a list may start. */
export const MAX_LIST_START = 1_000_000;
/** Maximum depth of nested nodes, including the document. */
export const MAX_DEPTH = 40;
/** Largest document, as ProseMirror counts: each character and each node boundary is 1. */
export const MAX_DOCUMENT_SIZE = 500_000;

// Characters that an HTML parser does not return unchanged.
// biome-ignore lint/suspicious/noControlCharactersInRegex: the expression searches for control characters
const UNWRITABLE = /[\u0000-\u0008\u000b-\u001f]/;

/** Returns whether `text` survives HTML unchanged: no control characters but tab and newline, no unpaired surrogates. */
export function isWritable(text: string): boolean {
  return !UNWRITABLE.test(text) && text.isWellFormed();
}
