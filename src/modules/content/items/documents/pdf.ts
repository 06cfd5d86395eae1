/** Bytes at the start in which the PDF header must be found, and bytes at the end in which `%%EOF` must be found. */
const headWithin = 1024;
const tailWithin = 2048;

/** The PDF header, possibly after a byte order mark and white space. Matched on Latin-1 text, one character per byte. */
const header = /^(?:\xef\xbb\xbf)?[\t\n\f\r ]*%PDF-\d\.\d/;
/** The cross-reference table, in its classic form or as a stream: PDF readers start there. */
const table = /\bstartxref\s+\d|\btrailer\b|\/XRef\b/;
const indirectObject = /\d\s{1,4}\d{1,5}\s{1,4}obj\b/;

/**
 * Returns whether the bytes are a PDF: header, cross-reference table, at least one object and end mark.
 * Extra bytes after the end are accepted. Before the header only a byte order mark and white space are, so that a file cannot be of
 * two types at once.
 */
export function isPdf(bytes: Buffer): boolean {
  if (!header.test(bytes.toString('latin1', 0, headWithin))) return false;
  const tail = bytes.subarray(-tailWithin).toString('latin1');
  return tail.includes('%%EOF') && table.test(tail) && indirectObject.test(bytes.toString('latin1'));
}
