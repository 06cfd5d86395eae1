import { maxDocumentBytes } from '../../../src/shared/forms/item-rules.ts';
import type { ItemKind } from '../../../src/shared/item-kinds.ts';
import type { Answer } from '../../runtime/post.ts';
import { sendForm } from '../../runtime/send-form.ts';
import { formOf, type ImportedDocument } from '../items/calls.ts';

/** Options of an import: whether the server separates the file's title and correction, and recognises questions. Otherwise they stay in the text. */
interface ImportPlace {
  kind: ItemKind;
  hasTitle: boolean;
  hasCorrection: boolean;
  hasQuestions: boolean;
}

/** The uploaded share of a file, 0 to 1, or that its pictures are reduced before. */
export type ImportState = number | 'reducing';

const stillTooLarge =
  'Ce fichier dépasse 10 Mo, même avec ses images réduites. Coupez-le en plusieurs fichiers, ou enlevez ce qui est trop lourd, puis réessayez.';

/**
 * Sends a file, which `importFault` has accepted, to be read. A document over the server's limit has its photographs reduced before.
 * Returns null when no response came.
 */
export async function importFile(
  file: File,
  { kind, hasTitle, hasCorrection, hasQuestions }: ImportPlace,
  onProgress: (progress: ImportState) => void,
): Promise<Answer<ImportedDocument> | null> {
  let sent = file;
  if (file.size > maxDocumentBytes) {
    onProgress('reducing');
    const reducing = await import('./reduce-document.ts').catch(() => null);
    if (!reducing) return null;
    // Fails if the file was deleted since it was chosen, or there is no memory for it.
    sent = await reducing.reducedDocument(file).catch(() => file);
    if (sent.size > maxDocumentBytes) return { status: 413, ok: false, body: { message: stillTooLarge } };
    onProgress(0);
  }
  const form = formOf('fichier', sent);
  form.set('type', kind);
  form.set('titre', hasTitle ? 'oui' : 'non');
  form.set('corrige', hasCorrection ? 'oui' : 'non');
  form.set('questions', hasQuestions ? 'oui' : 'non');
  return sendForm<ImportedDocument>('POST', '/api/imports', form, onProgress);
}
