import { type ItemKind, kindDetails, type TextField } from '../../../src/shared/item-kinds.ts';
import type { DocumentJson, ItemBody } from './calls.ts';
import type { ItemFields } from './item-fields.ts';
import { textsOf } from './texts.ts';

/** Returns the request body of an item. A null document is an empty text; an empty correction means none (specification §3). */
export function bodyOf(
  kind: ItemKind,
  { titre, intitule, annee, duree, bareme }: ItemFields,
  documents: Record<TextField, DocumentJson | null>,
): ItemBody {
  const { hasAnnee, hasDuree, hasBareme } = kindDetails[kind];
  const body: ItemBody = { titre, intitule, ...(hasAnnee && { annee }), ...(hasDuree && { duree }), ...(hasBareme && { bareme }) };
  for (const { field, name } of textsOf(kind)) body[name] = documents[field];
  return body;
}

/** Returns a draft's imported texts. Earlier releases split off a correction even from lessons: append it to the text again. */
export function draftedTexts(kind: ItemKind, contenu: DocumentJson, corrige: DocumentJson | null) {
  if (kindDetails[kind].hasCorrection || !corrige) return { document: contenu, corrige };
  return { document: { ...contenu, content: [contenu.content, corrige.content].flatMap((blocks) => blocks ?? []) }, corrige: null };
}
