import type { ItemKind } from '../../../shared/item-kinds.ts';
import type { MarkingRule } from '../../../shared/questions/marking-rule.ts';
import type { DocumentJson } from '../../../shared/rich-text/document.ts';

export interface ItemPlan {
  readonly kind: ItemKind;
  /** The file's name without its number and extension; unique per discipline and kind. */
  readonly key: string;
  readonly titre: string;
  readonly intitule: string | null;
  /** The position among the items of its kind: consecutive, from 1. */
  readonly numeroPage: number;
  /** Always set for past exams; never set for other kinds. */
  readonly annee?: number;
  /** Duration in minutes, when the file gives one; never set for lessons. */
  readonly duree?: number;
  /** Always set for series; never set for other kinds. */
  readonly bareme?: MarkingRule;
  /** Local images have the address `file:name.png` until `resolveImages` replaces it. */
  readonly contenu: DocumentJson;
  readonly corrige?: DocumentJson;
  /** Absolute paths of the images that the two texts show, without duplicates. */
  readonly images: readonly string[];
  /** Images embedded in the file itself, by the name that its texts use for them. */
  readonly embedded: ReadonlyMap<string, Buffer>;
  /** The file's path as shown in messages. */
  readonly file: string;
}

export interface DisciplinePlan {
  readonly key: string;
  readonly nom: string;
  readonly description: string;
  /** Absolute path. */
  readonly image?: string;
  /** Whether the trial offers a diagnostic. */
  readonly hasDiagnostic: boolean;
  /** Lessons, then exercises, then past exams, then series, each in order. */
  readonly items: readonly ItemPlan[];
}

export interface PrepaPlan {
  readonly key: string;
  readonly nom: string;
  /** Price in whole XAF. */
  readonly prix: number;
  readonly description: string;
  readonly isPublished: boolean;
  /** Absolute path. */
  readonly image?: string;
  readonly disciplines: readonly DisciplinePlan[];
}

/** The checked content of a folder, sorted by key. */
export interface SeedPlan {
  readonly prepas: readonly PrepaPlan[];
}
