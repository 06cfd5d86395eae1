/** Bytes at the start within which a PDF says that it is one, and at the end within which it says that it is whole. */
const headWithin = 1024;
const tailWithin = 2048;

/** The header stands first; a byte order mark and blank space before it are no harm. Latin-1, one character a byte. */
const header = /^(?:\xef\xbb\xbf)?[\t\n\f\r ]*%PDF-\d\.\d/;
/** Where a reader begins: the table of what the file holds, in the classic form or as a stream. */
const table = /\bstartxref\s+\d|\btrailer\b|\/XRef\b/;
const indirectObject = /\d\s{1,4}\d{1,5}\s{1,4}obj\b/;

/**
 * Whether the bytes are a PDF, told by themselves: begun, ended and laid out as one. A few bytes after the end are no harm; anything but blank
 * space before the header makes it another kind of file, or one that is two kinds at once.
 */
export function isPdf(bytes: Buffer): boolean {
  if (!header.test(bytes.toString('latin1', 0, headWithin))) return false;
  const tail = bytes.subarray(-tailWithin).toString('latin1');
  return tail.includes('%%EOF') && table.test(tail) && indirectObject.test(bytes.toString('latin1'));
}
