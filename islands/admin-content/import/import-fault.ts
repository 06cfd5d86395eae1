import { maxDocumentBytes, maxUnreducedBytes } from '../../../src/shared/forms/item-rules.ts';
import { unreadFormats } from '../../../src/shared/unread-formats.ts';
import { tooLarge } from '../files/file-faults.ts';

/** Files that can be imported, for a file picker. */
export const importable = '.docx,.odt,.html,.htm,.md,.markdown,.tex,.xml,.gift,.txt';

/** Returns the most bytes of a file to import. The photographs of some documents are reduced before they are sent (see importFile). */
export const maxImportBytes = (name: string): number => (/\.(?:docx|odt)$/i.test(name) ? maxUnreducedBytes : maxDocumentBytes);

/** Returns the fault that the server would find in a file to import, as far as the browser can check, or null. */
export function importFault({ name, size }: Pick<File, 'name' | 'size'>): string | null {
  const unread = /\.(doc|pdf|rtf)$/i.exec(name)?.[1]?.toLowerCase() as keyof typeof unreadFormats | undefined;
  if (unread) return unreadFormats[unread];
  if (!/\.(docx|odt|html?|md|markdown|tex|ltx|xml|gift|txt)$/i.test(name))
    return 'Ce fichier doit être un document Word (.docx), LibreOffice (.odt), HTML (.html), Markdown (.md) ou TeX (.tex), ou un fichier de questions (.xml, .gift, .txt).';
  const most = maxImportBytes(name);
  if (size <= most) return null;
  return most === maxDocumentBytes ? tooLarge : 'Ce fichier dépasse 200 Mo. Coupez-le en plusieurs fichiers, puis réessayez.';
}
