import { type ItemKind, itemKinds } from '../item-kinds.ts';
import type { ItemRef } from '../study-order.ts';
import type { PlacedItem } from './place.ts';

interface OutlineItem {
  id: number;
  titre: string;
  /** Past subjects only. */
  annee?: number;
  /** Named, but closed to this reader. */
  locked?: boolean;
}

/** A PDF attached to an item. */
export interface AttachedDocument {
  id: number;
  nom: string;
  octets: number;
  url: string;
}

export interface Section {
  type: ItemKind;
  items: OutlineItem[];
}

/** What the island of the study page is given. */
export interface StudyProps {
  /** Nothing is fetched in trial mode: its links are plain links. */
  trial: boolean;
  /** The page's address without its query string: '/user/prepa/1/2' or '/user/prepa/consultation/1/2'. */
  base: string;
  /** What follows an item's name in the document's title: 'Mathématiques - ENS'. */
  trail: string;
  /** Lessons, exercises and past subjects: always the three, in this order. */
  sections: Section[];
  /** The item in the slots 'contenu' and 'corrige'. */
  current: (ItemRef & { hasCorrection: boolean; documents?: AttachedDocument[] }) | null;
}

/** What a list says of an item. */
export type OutlineEntry = Pick<PlacedItem, 'id' | 'kind' | 'titre' | 'annee'>;

/** A discipline's contents and the item that is read, its texts as readers get them. */
export interface ReadItem {
  prepaNom: string;
  disciplineNom: string;
  outline: readonly OutlineEntry[];
  itemId: number | null;
  kind: ItemKind | null;
  titre: string | null;
  contenu: string | null;
  corrige: string | null;
  documents: AttachedDocument[];
}

interface StudyPage {
  trial: boolean;
  /** The page's address without its query string. */
  base: string;
}

/** A study page for its template and its island; the texts themselves go into the island's slots. */
export function presentStudyPage(read: ReadItem, { trial, base }: StudyPage) {
  const sections = itemKinds.map((type) => ({
    type,
    items: read.outline
      .filter(({ kind }) => kind === type)
      .map(({ id, titre, annee }, index) => ({
        id,
        titre,
        ...(annee === null ? {} : { annee }),
        ...(trial && index > 0 ? { locked: true } : {}),
      })),
  }));
  const trail = `${read.disciplineNom} - ${read.prepaNom}`;
  const current =
    read.itemId !== null && read.kind !== null
      ? {
          type: read.kind,
          id: read.itemId,
          hasCorrection: read.corrige !== null,
          ...(read.documents.length > 0 && { documents: read.documents }),
        }
      : null;
  const props: StudyProps = { trial, base, trail, sections, current };
  const slots = { contenu: read.contenu ?? '', corrige: read.corrige ?? '' };
  return {
    formulas: Object.values(slots).some((html) => html.includes('<math')),
    title: read.titre ? `${read.titre} - ${trail}` : trail,
    discipline: { nom: read.disciplineNom },
    island: { props, slots },
  };
}
