import { crc32 } from '../../../src/shared/crc32.ts';
import { decodeName } from './zip-names.ts';

/** A file of an archive. */
export interface Entry {
  name: string;
  /** Null if it lies outside of the archive. */
  compressed: Uint8Array<ArrayBuffer> | null;
  isEncrypted: boolean;
  method: number;
  /** CRC-32 of the content. */
  crc: number;
  /** Claimed size of the content, in bytes. */
  size: number;
}

/** Most bytes of all files of an archive together, unpacked: an archive of 10 MB may claim to hold terabytes. */
export const maxUnpackedBytes = 300 * 1024 * 1024;

/** Returns the entries that the central directory lists (PKWARE's APPNOTE, 4.3.12 and 4.3.16); null if the bytes are no archive. */
export function entriesOf(bytes: Uint8Array<ArrayBuffer>): Entry[] | null {
  const view = new DataView(bytes.buffer);
  const at = (offset: number, size: 2 | 4) => (size === 2 ? view.getUint16(offset, true) : view.getUint32(offset, true));
  try {
    let end = bytes.length - 22;
    while (end >= 0 && at(end, 4) !== 0x06054b50) end -= 1;
    if (end < 0) return null;
    const entries: Entry[] = [];
    let offset = at(end + 16, 4);
    for (let left = at(end + 10, 2); left > 0; left -= 1) {
      if (at(offset, 4) !== 0x02014b50) return null;
      const [flags, method, crc] = [at(offset + 8, 2), at(offset + 10, 2), at(offset + 16, 4)];
      const [compressedSize, size] = [at(offset + 20, 4), at(offset + 24, 4)];
      const [nameLength, extra, comment, local] = [at(offset + 28, 2), at(offset + 30, 2), at(offset + 32, 2), at(offset + 42, 4)];
      const name = decodeName(bytes.subarray(offset + 46, offset + 46 + nameLength));
      const start = local + 30 <= bytes.length ? local + 30 + at(local + 26, 2) + at(local + 28, 2) : bytes.length;
      const compressed = start + compressedSize <= bytes.length ? bytes.subarray(start, start + compressedSize) : null;
      entries.push({ name, compressed, isEncrypted: (flags & 1) === 1, method, crc, size });
      offset += 46 + nameLength + extra + comment;
    }
    return entries;
  } catch {
    // An offset outside of the archive.
    return null;
  }
}

/** Returns the content of an entry; null if it is damaged, larger than it claims or compressed in a rare way. */
export async function unpack(entry: Entry): Promise<Uint8Array<ArrayBuffer> | null> {
  const content = await contentOf(entry);
  // Damaged bytes may still inflate.
  return content && crc32(content) === entry.crc ? content : null;
}

async function contentOf({ compressed, method, size }: Entry): Promise<Uint8Array<ArrayBuffer> | null> {
  if (!compressed || (method !== 0 && method !== 8)) return null;
  if (method === 0) return compressed.length === size ? compressed : null;
  const content = new Uint8Array(size);
  let length = 0;
  try {
    const reader = new Blob([compressed]).stream().pipeThrough(new DecompressionStream('deflate-raw')).getReader();
    for (let part = await reader.read(); !part.done; part = await reader.read()) {
      if (length + part.value.length > size) return null;
      content.set(part.value, length);
      length += part.value.length;
    }
  } catch {
    return null;
  }
  return length === size ? content : null;
}
