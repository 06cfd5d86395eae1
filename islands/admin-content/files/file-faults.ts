import { maxDocumentBytes } from '../../../src/shared/forms/item-rules.ts';

const tooLarge = 'Ce fichier dépasse 10 Mo.';

/** What the server would say of a file to be imported, as far as it can be known without sending it; null: nothing. */
export function importFault({ name, size }: Pick<File, 'name' | 'size'>): string | null {
  if (!/\.(docx|md|markdown)$/i.test(name)) return 'Ce fichier doit être un document Word (.docx) ou Markdown (.md).';
  return size > maxDocumentBytes ? tooLarge : null;
}

/** The same of a document to be attached. */
export async function attachmentFault(file: File): Promise<string | null> {
  if (file.size > maxDocumentBytes) return tooLarge;
  // A file that has gone since it was chosen, or that may not be read.
  const start = await file
    .slice(0, 1024)
    .text()
    .catch(() => null);
  if (start === null) return 'Ce fichier est illisible.';
  return start.includes('%PDF-') ? null : 'Ce fichier doit être un document PDF.';
}
