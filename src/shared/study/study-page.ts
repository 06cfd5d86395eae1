import { type ItemKind, itemKinds, kindDetails } from '../item-kinds.ts';
import type { KeepingLink } from '../offline/keeping-link.ts';
import { withQuestionForms } from '../questions/asked.ts';
import type { ItemRef } from '../study-order.ts';
import { asStudied } from './as-studied.ts';
import type { PlacedItem } from './place.ts';
import { readingMinutes } from './reading-time.ts';

interface OutlineItem {
  id: number;
  titre: string;
  /** Past exams only. */
  annee?: number;
  /** Listed, but closed to this reader. */
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

export interface StudyProps {
  /** Trial mode: nothing is fetched, links load whole pages. */
  trial: boolean;
  /** The page's address without its query string: '/user/prepa/1/2' or '/user/prepa/consultation/1/2'. */
  base: string;
  /** End of the document's title, after the item's title: 'Mathématiques - ENS'. */
  trail: string;
  /** Link to the page that keeps the discipline for offline reading; null in a trial. */
  keep: KeepingLink | null;
  /** Lessons, exercises and past exams, always these three in this order; then series, if there are any. */
  sections: Section[];
  /** The item whose texts are in the slots 'contenu' and 'corrige'. */
  current: (ItemRef & { hasCorrection: boolean; minutes: number; documents?: AttachedDocument[] }) | null;
}

/** An item's data in lists. */
export type OutlineEntry = Pick<PlacedItem, 'id' | 'kind' | 'titre' | 'annee'>;

/** A discipline's outline and the item being read, with its texts as readers get them. */
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

interface StudyPage extends Pick<StudyProps, 'keep'> {
  trial: boolean;
  /** The page's address without its query string. */
  base: string;
}

/** Returns a study page for its template and its island; the texts are passed in the island's slots. */
export function presentStudyPage(read: ReadItem, { trial, base, keep }: StudyPage) {
  const all = itemKinds.map((type) => ({
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
  const sections = all.filter(({ type, items }) => items.length > 0 || !kindDetails[type].hidesEmpty);
  const trail = `${read.disciplineNom} - ${read.prepaNom}`;
  const current =
    read.itemId !== null && read.kind !== null
      ? {
          type: read.kind,
          id: read.itemId,
          hasCorrection: read.corrige !== null,
          minutes: readingMinutes(read.contenu ?? ''),
          ...(read.documents.length > 0 && { documents: read.documents }),
        }
      : null;
  const props: StudyProps = { trial, base, trail, keep, sections, current };
  const slots = asStudied({ contenu: withQuestionForms(read.contenu ?? '', current, trial), corrige: read.corrige ?? '' });
  return {
    formulas: Object.values(slots).some((html) => html.includes('<math')),
    title: read.titre ? `${read.titre} - ${trail}` : trail,
    discipline: { nom: read.disciplineNom },
    island: { props, slots },
  };
}
