import { crc32 } from './crc32.ts';

const utf8 = new TextEncoder();

/** A file of an archive, as the archive holds it. */
export interface ZipEntry {
  readonly name: string;
  /** 0: stored, 8: deflated. */
  readonly method: number;
  /** CRC-32 of the content. */
  readonly crc: number;
  /** Size of the content, in bytes. */
  readonly size: number;
  readonly compressed: Uint8Array;
}

/** Returns a ZIP archive of files, uncompressed: pictures are compressed already. */
export const storedZip = (files: readonly { readonly name: string; readonly bytes: Uint8Array }[]): Uint8Array<ArrayBuffer> =>
  writeZip(files.map(({ name, bytes }) => storedEntry(name, bytes)));

export const storedEntry = (name: string, bytes: Uint8Array): ZipEntry => ({
  name,
  method: 0,
  crc: crc32(bytes),
  size: bytes.length,
  compressed: bytes,
});

/** Returns a ZIP archive of entries, in their order (PKWARE's APPNOTE, 4.3). */
export function writeZip(entries: readonly ZipEntry[]): Uint8Array<ArrayBuffer> {
  const parts: Uint8Array[] = [];
  const directory: Uint8Array[] = [];
  let offset = 0;
  for (const { name, method, crc, size, compressed } of entries) {
    const title = utf8.encode(name);
    // Version 2.0, names in UTF-8; no time.
    const common = [20, 2, 0x0800, 2, method, 2, 0, 4, crc, 4, compressed.length, 4, size, 4, title.length, 2, 0, 2];
    const local = numbers(0x04034b50, 4, ...common);
    parts.push(local, title, compressed);
    directory.push(numbers(0x02014b50, 4, 20, 2, ...common, 0, 2, 0, 2, 0, 2, 0, 4, offset, 4), title);
    offset += local.length + title.length + compressed.length;
  }
  const size = directory.reduce((sum, part) => sum + part.length, 0);
  const end = numbers(0x06054b50, 4, 0, 2, 0, 2, entries.length, 2, entries.length, 2, size, 4, offset, 4, 0, 2);
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
