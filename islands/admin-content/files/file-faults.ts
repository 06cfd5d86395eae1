import { maxDocumentBytes } from '../../../src/shared/forms/item-rules.ts';

export const tooLarge = 'Ce fichier dépasse 10 Mo.';

/** Returns the fault that the server would find in a document to attach, as far as the browser can check, or null. */
export async function attachmentFault(file: File): Promise<string | null> {
  if (file.size > maxDocumentBytes) return tooLarge;
  // Fails if the file was deleted since it was chosen, or may not be read.
  const start = await file
    .slice(0, 1024)
    .text()
    .catch(() => null);
  if (start === null) return 'Ce fichier est illisible.';
  return start.includes('%PDF-') ? null : 'Ce fichier doit être un document PDF.';
}
