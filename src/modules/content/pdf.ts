/** Bytes at the start within which a PDF says that it is one, and at the end within which it says that it is whole. */
const headWithin = 1024;
const tailWithin = 2048;

/** How files of other kinds begin, which may carry a PDF's marks as well: what opens them would not see a PDF. */
const otherKinds = ['504b0304', '89504e47', 'ffd8ff', '47494638', '4d5a', '52617221', '377abc', '1f8b', '52494646', 'd0cf11e0'];

/**
 * Whether the bytes are a PDF, told by themselves: as its readers do, a few bytes before the header and after the end are no harm, but nothing
 * that a browser would take for a page, and no other kind of file.
 */
export function isPdf(bytes: Buffer): boolean {
  const head = bytes.toString('latin1', 0, headWithin);
  const start = head.indexOf('%PDF-');
  if (start === -1 || !/^%PDF-\d\.\d/.test(head.slice(start))) return false;
  const before = head.slice(0, start);
  const beginning = start === 0 ? '' : bytes.toString('hex', 0, 4);
  if (/<[!a-z]/i.test(before) || otherKinds.some((kind) => beginning.startsWith(kind))) return false;
  return bytes.subarray(-tailWithin).includes('%%EOF');
}
