import type { DocumentJson, ItemBody } from './calls.ts';
import type { ItemFields } from './item-fields.ts';
import type { Kind, TextField } from './records.ts';
import { hasCorrection, texts } from './texts.ts';

/** What is sent of an item. Texts that are null are empty: an empty correction is none (specification §3). */
export function bodyOf(kind: Kind, { titre, annee, duree }: ItemFields, documents: Record<TextField, DocumentJson | null>): ItemBody {
  const body: ItemBody = kind === 'pastExam' ? { titre, annee, duree } : kind === 'exercise' ? { titre, duree } : { titre };
  for (const { field, name } of texts[kind].fields) body[name] = documents[field];
  return body;
}

/** What was read of a file before its item was created. Earlier releases cut off a correction where there is none: it follows the text. */
export function draftedTexts(kind: Kind, contenu: DocumentJson, corrige: DocumentJson | null) {
  if (hasCorrection(kind) || !corrige) return { document: contenu, corrige };
  return { document: { ...contenu, content: [contenu.content, corrige.content].flatMap((blocks) => blocks ?? []) }, corrige: null };
}
