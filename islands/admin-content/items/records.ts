import type { ItemKind, TextField } from '../../../src/shared/item-kinds.ts';
import type { MarkingRule } from '../../../src/shared/questions/marking-rule.ts';
import type { AttachedDocument } from '../../study/outline.ts';

/** An item in a list. */
export interface ItemSummary {
  id: number;
  titre: string;
  /** What learners see in place of the title; null or '' if there is none. */
  intitule: string | null;
  /** Position in its list, from 1. */
  numero_page: number;
  /** Past exams only. In drafts, this field and the next two are as they were typed. */
  annee?: number | string | null;
  /** Recommended duration in minutes; lessons have none. */
  duree?: number | string | null;
  /** Series only. */
  bareme?: MarkingRule | string;
  /** Incremented by each save: the version of an item, the revision of a draft. */
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

/** An unpublished text that is kept on the server: of a new item, or of a published one that is being changed. */
export interface DraftSummary {
  /** The id of its item, published or not. */
  id: number;
  type: ItemKind;
  titre: string;
  /** '' if there is none. */
  intitule: string;
  annee?: string;
  duree?: string;
  bareme?: string;
  discipline_id: number;
  /** Whether its item is published. */
  publie: boolean;
  /** The version of the item on which the draft is based; null for a new item. */
  version: number | null;
  revision: number;
  /** When it will be published by itself, in ISO 8601. */
  publication: string | null;
  /** Why the publication at that time failed, in French. */
  echec: string | null;
  /** Parts of the imported file that could not be kept. */
  remarques: string[];
  /** Name of the imported file. */
  source?: string | null;
  /** ISO 8601. */
  saved_at: string;
  saved_by: string;
}

export type KeptDraft = DraftSummary & Pick<Item, 'contenu' | 'enonce' | 'corrige'>;

/** Returns the list entry of the draft of a new item after a save. @param saved as `itemOfDraft` returns it */
export const savedDraft = (
  draft: DraftSummary,
  { titre, intitule, annee, duree, bareme, version, updated_at }: ItemSummary,
): DraftSummary =>
  ({ ...draft, titre, intitule, annee, duree, bareme, revision: version, saved_at: updated_at, echec: null }) as DraftSummary;

/** Returns the draft of a new item as the editor opens it. Its version is the draft's revision. */
export function itemOfDraft(draft: KeptDraft): Item {
  const { id, titre, intitule, annee, duree, bareme, discipline_id, revision, saved_at, contenu, enonce, corrige } = draft;
  return {
    id,
    titre,
    intitule,
    numero_page: 0,
    version: revision,
    updated_at: saved_at,
    discipline_id,
    documents: [],
    ...(annee === undefined ? {} : { annee }),
    ...(duree === undefined ? {} : { duree }),
    ...(bareme === undefined ? {} : { bareme }),
    ...(contenu === undefined ? {} : { contenu }),
    ...(enonce === undefined ? {} : { enonce }),
    ...(corrige === undefined ? {} : { corrige }),
  };
}

/** A saved version of an item. */
export interface VersionSummary {
  version: number;
  titre: string;
  intitule: string | null;
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
export const summaryOf = ({ id, titre, intitule, numero_page, annee, duree, bareme, version, updated_at }: Item): ItemSummary => ({
  id,
  titre,
  intitule,
  numero_page,
  version,
  updated_at,
  ...(annee === undefined ? {} : { annee }),
  ...(duree === undefined ? {} : { duree }),
  ...(bareme && { bareme }),
});
