const utf8 = new TextEncoder();

/** Returns a ZIP archive of files, uncompressed: pictures are compressed already (PKWARE's APPNOTE, 4.3). */
export function storedZip(files: readonly { readonly name: string; readonly bytes: Uint8Array }[]): Uint8Array<ArrayBuffer> {
  const parts: Uint8Array[] = [];
  const directory: Uint8Array[] = [];
  let offset = 0;
  for (const { name, bytes } of files) {
    const title = utf8.encode(name);
    // Version 2.0, names in UTF-8, stored; no time.
    const common = [20, 2, 0x0800, 2, 0, 2, 0, 4, crc32(bytes), 4, bytes.length, 4, bytes.length, 4, title.length, 2, 0, 2];
    const local = numbers(0x04034b50, 4, ...common);
    parts.push(local, title, bytes);
    directory.push(numbers(0x02014b50, 4, 20, 2, ...common, 0, 2, 0, 2, 0, 2, 0, 4, offset, 4), title);
    offset += local.length + title.length + bytes.length;
  }
  const size = directory.reduce((sum, part) => sum + part.length, 0);
  const end = numbers(0x06054b50, 4, 0, 2, 0, 2, files.length, 2, files.length, 2, size, 4, offset, 4, 0, 2);
  const zip = new Uint8Array(offset + size + end.length);
  let at = 0;
  for (const part of [...parts, ...directory, end]) {
    zip.set(part, at);
    at += part.length;
  }
  return zip;
}

/** Returns numbers in little-endian order, each followed by its size in bytes. */
function numbers(...values: number[]): Uint8Array {
  const bytes: number[] = [];
  for (let index = 0; index < values.length; index += 2)
    for (let byte = 0; byte < (values[index + 1] as number); byte += 1) bytes.push(((values[index] as number) >>> (8 * byte)) & 0xff);
  return new Uint8Array(bytes);
}

function crc32(bytes: Uint8Array): number {
  let crc = 0xffffffff;
  for (const byte of bytes) {
    crc ^= byte;
    for (let bit = 0; bit < 8; bit += 1) crc = (crc >>> 1) ^ (crc & 1 ? 0xedb88320 : 0);
  }
  return (crc ^ 0xffffffff) >>> 0;
}
