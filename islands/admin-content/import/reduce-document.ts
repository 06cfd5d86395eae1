import { storedEntry, writeZip, type ZipEntry } from '../../../src/shared/write-zip.ts';
import { lightPicture } from '../../runtime/light-picture.ts';
import { maxReducedFile } from '../../runtime/reduce-picture.ts';
import { reducedUnderName } from './reduce-under-name.ts';
import { type Entry, entriesOf, maxUnpackedBytes, unpack } from './zip-entries.ts';

/**
 * Returns a .docx or .odt file with its photographs reduced, one after the other. Everything else stays as it is, byte for byte. Returns
 * the file itself if it is no complete archive, is protected, or would be too large unpacked.
 */
export async function reducedDocument(file: File): Promise<File> {
  const entries = entriesOf(new Uint8Array(await file.arrayBuffer()));
  if (!entries || entries.reduce((sum, { size }) => sum + size, 0) > maxUnpackedBytes) return file;
  const written: ZipEntry[] = [];
  for (const entry of entries) {
    const { compressed, isEncrypted } = entry;
    if (!compressed || isEncrypted) return file;
    written.push((await reducedEntry(entry)) ?? { ...entry, compressed });
  }
  return new File([writeZip(written)], file.name, { type: file.type });
}

/** Returns a reduced picture; null for an entry that stays as it is. */
async function reducedEntry(entry: Entry): Promise<ZipEntry | null> {
  if (entry.size <= lightPicture || entry.size > maxReducedFile) return null;
  const content = await unpack(entry);
  if (!content) return null;
  const picture = new File([content], entry.name);
  const reduced = await reducedUnderName(picture);
  return reduced === picture ? null : storedEntry(entry.name, new Uint8Array(await reduced.arrayBuffer()));
}
