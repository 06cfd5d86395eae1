import type { TextField } from '../../../src/shared/item-kinds.ts';
import type { MarkingRule } from '../../../src/shared/questions/marking-rule.ts';
import type { AttachedDocument } from '../../study/outline.ts';

/** An item in a list. */
export interface ItemSummary {
  id: number;
  titre: string;
  /** Position in its list, from 1. */
  numero_page: number;
  /** Past exams only. */
  annee?: number | null;
  /** Recommended duration in minutes; lessons have none. */
  duree?: number | null;
  /** Series only. */
  bareme?: MarkingRule;
  /** Incremented by each save. */
  version: number;
  /** ISO 8601. */
  updated_at: string;
}

/** An item in administrators' API responses. Texts are canonical HTML. */
export interface Item extends ItemSummary {
  discipline_id: number;
  /** The text of lessons and past exams. */
  contenu?: string;
  /** The text of exercises. */
  enonce?: string;
  corrige?: string | null;
  documents: AttachedDocument[];
}

/** A saved version of an item. */
export interface VersionSummary {
  version: number;
  titre: string;
  /** ISO 8601. */
  saved_at: string;
  /** Null if it was loaded by a command. */
  saved_by: string | null;
  current: boolean;
  /** Length of the texts, in characters. */
  longueur: number;
}

export type ItemVersion = Omit<VersionSummary, 'longueur'> & Pick<Item, 'annee' | 'duree' | 'bareme' | 'contenu' | 'enonce' | 'corrige'>;

/** Returns the HTML of an item's text, or '' if the item does not have it. */
export function htmlOf(item: Pick<Item, 'contenu' | 'enonce' | 'corrige'>, field: TextField): string {
  return (field === 'corrige' ? item.corrige : (item.enonce ?? item.contenu)) ?? '';
}

/** Returns the list entry of a complete item. */
export const summaryOf = ({ id, titre, numero_page, annee, duree, bareme, version, updated_at }: Item): ItemSummary => ({
  id,
  titre,
  numero_page,
  version,
  updated_at,
  ...(annee === undefined ? {} : { annee }),
  ...(duree === undefined ? {} : { duree }),
  ...(bareme && { bareme }),
});
