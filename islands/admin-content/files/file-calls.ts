import type { ItemKind } from '../../../src/shared/item-kinds.ts';
import { sendForm } from '../../runtime/send-form.ts';
import type { AttachedDocument } from '../../study/outline.ts';
import { formOf, itemAddress } from '../items/calls.ts';

export const attachDocument = (kind: ItemKind, id: number, file: File, onProgress: (sent: number) => void) =>
  sendForm<AttachedDocument>('POST', `${itemAddress(kind, id)}/documents`, formOf('fichier', file), onProgress);
