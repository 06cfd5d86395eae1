/** Characters of LaTeX in one formula. */
export const MAX_LATEX_LENGTH = 2_000;
/** Characters of a link's or an image's address. */
export const MAX_URL_LENGTH = 2_000;
/** Characters of an image that stands in the text itself, as a data: address: 2 MB in base 64. */
export const MAX_DATA_IMAGE_LENGTH = 2_900_000;
/** Characters of the text that stands for an image. */
export const MAX_ALT_LENGTH = 500;
/** Pixels of an image's width or height, as written in the document. */
export const MAX_IMAGE_SIDE = 10_000;
/** Columns or rows that one table cell may span. */
export const MAX_CELL_SPAN = 100;
/** Levels by which a block may be indented (specification §9). */
export const MAX_INDENT = 8;
/** Lists inside one another that the editor makes: as many levels as a block may be indented by. */
export const MAX_LIST_DEPTH = 8;
/** The greatest number at which a list may start. */
export const MAX_LIST_START = 1_000_000;
/** Nodes inside one another, the document included. */
export const MAX_DEPTH = 40;
/** Size of a document as ProseMirror counts it: a character or a node's boundary is 1. */
export const MAX_DOCUMENT_SIZE = 500_000;

// Characters that no HTML parser gives back as they were written.
// biome-ignore lint/suspicious/noControlCharactersInRegex: they are what is looked for
const UNWRITABLE = /[\u0000-\u0008\u000b-\u001f]/;

/** Whether HTML can carry `text` and give it back: no control character but tab and newline, no half of a surrogate pair. */
export function isWritable(text: string): boolean {
  return !UNWRITABLE.test(text) && text.isWellFormed();
}
