import type { TextField } from '../../../src/shared/item-kinds.ts';
import type { AttachedDocument } from '../../study/outline.ts';

/** What a list shows of an item. */
export interface ItemSummary {
  id: number;
  titre: string;
  /** Position in its list, from 1. */
  numero_page: number;
  /** Past subjects only. */
  annee?: number | null;
  /** Advised minutes; exercises and past subjects only. */
  duree?: number | null;
  /** Raised by each save. */
  version: number;
  /** ISO 8601. */
  updated_at: string;
}

/** An item as administrators' calls answer it: texts are canonical HTML. */
export interface Item extends ItemSummary {
  discipline_id: number;
  /** Lessons and past subjects. */
  contenu?: string;
  /** Exercises. */
  enonce?: string;
  corrige?: string | null;
  documents: AttachedDocument[];
}

/** An earlier text of an item. */
export interface VersionSummary {
  version: number;
  titre: string;
  /** ISO 8601. */
  saved_at: string;
  /** Null: loaded at the terminal. */
  saved_by: string | null;
  current: boolean;
  /** Characters of its texts. */
  longueur: number;
}

export type ItemVersion = Omit<VersionSummary, 'longueur'> & Pick<Item, 'annee' | 'duree' | 'contenu' | 'enonce' | 'corrige'>;

/** The HTML of an item's text; '' where there is none. */
export function htmlOf(item: Pick<Item, 'contenu' | 'enonce' | 'corrige'>, field: TextField): string {
  return (field === 'corrige' ? item.corrige : (item.enonce ?? item.contenu)) ?? '';
}

/** What a list shows of an item that was read or saved whole. */
export const summaryOf = ({ id, titre, numero_page, annee, duree, version, updated_at }: Item): ItemSummary => ({
  id,
  titre,
  numero_page,
  version,
  updated_at,
  ...(annee === undefined ? {} : { annee }),
  ...(duree === undefined ? {} : { duree }),
});
