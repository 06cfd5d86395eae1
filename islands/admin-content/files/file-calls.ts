import type { ItemKind } from '../../../src/shared/item-kinds.ts';
import { sendForm } from '../../runtime/send-form.ts';
import type { AttachedDocument } from '../../study/outline.ts';
import { formOf, type ImportedDocument, itemAddress } from '../items/calls.ts';

type OnProgress = (sent: number) => void;

/** Options of an import: whether the server separates the file's title and correction, and recognises questions. Otherwise they stay in the text. */
interface ImportPlace {
  kind: ItemKind;
  hasTitle: boolean;
  hasCorrection: boolean;
  hasQuestions: boolean;
}

export function importFile(file: File, { kind, hasTitle, hasCorrection, hasQuestions }: ImportPlace, onProgress: OnProgress) {
  const form = formOf('fichier', file);
  form.set('type', kind);
  form.set('titre', hasTitle ? 'oui' : 'non');
  form.set('corrige', hasCorrection ? 'oui' : 'non');
  form.set('questions', hasQuestions ? 'oui' : 'non');
  return sendForm<ImportedDocument>('POST', '/api/imports', form, onProgress);
}

export const attachDocument = (kind: ItemKind, id: number, file: File, onProgress: OnProgress) =>
  sendForm<AttachedDocument>('POST', `${itemAddress(kind, id)}/documents`, formOf('fichier', file), onProgress);
