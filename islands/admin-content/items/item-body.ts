import { type ItemKind, kindDetails, type TextField } from '../../../src/shared/item-kinds.ts';
import type { DocumentJson, ItemBody } from './calls.ts';
import type { ItemFields } from './item-fields.ts';
import { textsOf } from './texts.ts';

/** What is sent of an item. Texts that are null are empty: an empty correction is none (specification §3). */
export function bodyOf(kind: ItemKind, { titre, annee, duree }: ItemFields, documents: Record<TextField, DocumentJson | null>): ItemBody {
  const { hasAnnee, hasDuree } = kindDetails[kind];
  const body: ItemBody = { titre, ...(hasAnnee && { annee }), ...(hasDuree && { duree }) };
  for (const { field, name } of textsOf(kind)) body[name] = documents[field];
  return body;
}

/** What was read of a file before its item was created. Earlier releases cut off a correction where there is none: it follows the text. */
export function draftedTexts(kind: ItemKind, contenu: DocumentJson, corrige: DocumentJson | null) {
  if (kindDetails[kind].hasCorrection || !corrige) return { document: contenu, corrige };
  return { document: { ...contenu, content: [contenu.content, corrige.content].flatMap((blocks) => blocks ?? []) }, corrige: null };
}
