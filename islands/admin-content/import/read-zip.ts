import { maxReducedFile } from '../../runtime/reduce-picture.ts';
import { gatherPages, type PlacedFile } from './gather-pages.ts';
import { importFault, maxImportBytes } from './import-fault.ts';
import { joinTexFiles } from './join-tex-files.ts';
import { entriesOf, maxUnpackedBytes, unpack } from './zip-entries.ts';
import { baseOf, nameApart } from './zip-names.ts';

const isPicture = (name: string): boolean => /\.(?:png|jpe?g|webp|bmp|tiff?)$/i.test(name);

/** Returns the most bytes of a file that is unpacked: pictures and documents with pictures are reduced before they are sent. */
const mostOf = (name: string): number => (isPicture(name) ? maxReducedFile : maxImportBytes(name));

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
  if (!entries || entries.reduce((sum, { name, size }) => sum + (size > mostOf(name) ? 0 : size), 0) > maxUnpackedBytes) return null;
  const files: PlacedFile[] = [];
  const refused: (PlacedFile & UnpackedFile)[] = [];
  for (const entry of entries) {
    const name = baseOf(entry.name);
    // Folders, and what macOS adds to archives.
    if (name === '' || name.startsWith('.') || entry.name.startsWith('__MACOSX/')) continue;
    const content = entry.size > mostOf(name) || entry.isEncrypted ? null : await unpack(entry);
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
