import { gatherPages, type PlacedFile } from './gather-pages.ts';

/** A file of an archive. */
interface Entry {
  name: string;
  compressed: Uint8Array<ArrayBuffer>;
  isDeflated: boolean;
  size: number;
}

/** Most bytes of one file, and of all files together, that are unpacked: an archive of 10 MB may claim to hold terabytes. */
const limits = { file: 10 * 1024 * 1024, all: 200 * 1024 * 1024 };

const utf8 = new TextDecoder();

/** Returns the files of a ZIP archive, with their names without folders, pages with their pictures in them; null if it is none, is encrypted or is too large. */
export async function readZip(archive: File): Promise<File[] | null> {
  const bytes = new Uint8Array(await archive.arrayBuffer());
  const entries = entriesOf(bytes);
  if (!entries || entries.reduce((sum, { size }) => sum + size, 0) > limits.all) return null;
  const files: PlacedFile[] = [];
  for (const entry of entries) {
    const name = entry.name.split('/').at(-1) ?? '';
    // Folders, and what macOS adds to archives.
    if (name === '' || name.startsWith('.') || entry.name.startsWith('__MACOSX/')) continue;
    const content = entry.size > limits.file ? null : await unpack(entry);
    if (!content) return null;
    files.push({ path: entry.name, file: new File([content], name) });
  }
  return gatherPages(files);
}

/** Reads the central directory at the end of the archive (PKWARE's APPNOTE, 4.3.12 and 4.3.16). */
function entriesOf(bytes: Uint8Array<ArrayBuffer>): Entry[] | null {
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
      const [flags, method, compressedSize, size] = [at(offset + 8, 2), at(offset + 10, 2), at(offset + 20, 4), at(offset + 24, 4)];
      const [nameLength, extra, comment, local] = [at(offset + 28, 2), at(offset + 30, 2), at(offset + 32, 2), at(offset + 42, 4)];
      if (flags & 1 || (method !== 0 && method !== 8)) return null;
      const name = utf8.decode(bytes.subarray(offset + 46, offset + 46 + nameLength));
      const start = local + 30 + at(local + 26, 2) + at(local + 28, 2);
      entries.push({ name, compressed: bytes.subarray(start, start + compressedSize), isDeflated: method === 8, size });
      offset += 46 + nameLength + extra + comment;
    }
    return entries;
  } catch {
    // An offset outside of the archive.
    return null;
  }
}

/** Returns the content of an entry; null if it is damaged or larger than it claims. */
async function unpack({ compressed, isDeflated, size }: Entry): Promise<Uint8Array<ArrayBuffer> | null> {
  if (!isDeflated) return compressed.length === size ? compressed : null;
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
