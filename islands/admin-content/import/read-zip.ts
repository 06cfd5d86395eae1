import { maxDocumentBytes } from '../../../src/shared/forms/item-rules.ts';
import { importFault } from '../files/file-faults.ts';
import { gatherPages, type PlacedFile } from './gather-pages.ts';
import { joinTexFiles } from './join-tex-files.ts';
import { baseOf, decodeName, nameApart } from './zip-names.ts';

/** A file of an archive. */
interface Entry {
  name: string;
  /** Null if it lies outside of the archive. */
  compressed: Uint8Array<ArrayBuffer> | null;
  isEncrypted: boolean;
  method: number;
  size: number;
}

/** Most bytes of one file, and of all files together, that are unpacked: an archive of 10 MB may claim to hold terabytes. */
const limits = { file: maxDocumentBytes, all: 200 * 1024 * 1024 };

const damaged = "Ce fichier est abîmé dans l'archive.";

/** A file of an archive, or an empty file of its name with the reason, in French, why it could not be read. */
interface UnpackedFile {
  file: File;
  fault: string | null;
}

/**
 * Returns the files of a ZIP archive, named without their folders as far as the names differ (see `nameApart`). Pages have their
 * pictures in them, TeX documents their parts. Null if it is no archive or is too large.
 */
export async function readZip(archive: File): Promise<UnpackedFile[] | null> {
  const bytes = new Uint8Array(await archive.arrayBuffer());
  const entries = entriesOf(bytes);
  if (!entries || entries.reduce((sum, { size }) => sum + (size > limits.file ? 0 : size), 0) > limits.all) return null;
  const files: PlacedFile[] = [];
  const refused: (PlacedFile & UnpackedFile)[] = [];
  for (const entry of entries) {
    const name = baseOf(entry.name);
    // Folders, and what macOS adds to archives.
    if (name === '' || name.startsWith('.') || entry.name.startsWith('__MACOSX/')) continue;
    const content = entry.size > limits.file || entry.isEncrypted ? null : await unpack(entry);
    if (content) files.push({ path: entry.name, file: new File([content], name) });
    else {
      const fault =
        importFault({ name, size: entry.size }) ?? (entry.isEncrypted ? 'Ce fichier est protégé par un mot de passe.' : damaged);
      refused.push({ path: entry.name, file: new File([], name), fault });
    }
  }
  const pages = await gatherPages(files, (file, fault) => refused.push({ path: file.name, file, fault }));
  const whole = await joinTexFiles(pages);
  return nameApart([...whole.map((placed) => ({ ...placed, fault: null })), ...refused]);
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
      const name = decodeName(bytes.subarray(offset + 46, offset + 46 + nameLength));
      const start = local + 30 <= bytes.length ? local + 30 + at(local + 26, 2) + at(local + 28, 2) : bytes.length;
      const compressed = start + compressedSize <= bytes.length ? bytes.subarray(start, start + compressedSize) : null;
      entries.push({ name, compressed, isEncrypted: (flags & 1) === 1, method, size });
      offset += 46 + nameLength + extra + comment;
    }
    return entries;
  } catch {
    // An offset outside of the archive.
    return null;
  }
}

/** Returns the content of an entry; null if it is damaged, larger than it claims or compressed in a rare way. */
async function unpack({ compressed, method, size }: Entry): Promise<Uint8Array<ArrayBuffer> | null> {
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
