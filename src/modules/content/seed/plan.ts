import type { ItemKind } from '../../../shared/item-kinds.ts';
import type { DocumentJson } from '../../../shared/rich-text/document.ts';

export interface ItemPlan {
  readonly kind: ItemKind;
  /** The file's name without its number and ending; unique per discipline and kind. */
  readonly key: string;
  readonly titre: string;
  /** The position among the items of its kind, from 1 without a gap. */
  readonly numeroPage: number;
  /** Past exams only, and always. */
  readonly annee?: number;
  /** Minutes, when the file says so; never of lessons. */
  readonly duree?: number;
  /** Its local images are still `file:name.png` (see resolveImages). */
  readonly contenu: DocumentJson;
  readonly corrige?: DocumentJson;
  /** Absolute paths of the images that both texts show, each once. */
  readonly images: readonly string[];
  /** Images that the file itself holds, by the name under which its texts show them. */
  readonly embedded: ReadonlyMap<string, Buffer>;
  /** The path to name in a message. */
  readonly file: string;
}

export interface DisciplinePlan {
  readonly key: string;
  readonly nom: string;
  readonly description: string;
  /** An absolute path. */
  readonly image?: string;
  /** Lessons, then exercises, then past exams, each in order. */
  readonly items: readonly ItemPlan[];
}

export interface PrepaPlan {
  readonly key: string;
  readonly nom: string;
  /** Whole XAF. */
  readonly prix: number;
  readonly description: string;
  readonly isPublished: boolean;
  /** An absolute path. */
  readonly image?: string;
  readonly disciplines: readonly DisciplinePlan[];
}

/** What a content folder holds, checked, in the order of its keys. */
export interface SeedPlan {
  readonly prepas: readonly PrepaPlan[];
}
