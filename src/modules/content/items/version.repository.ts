import type { EntityManager } from '@mikro-orm/postgresql';
import { readRows } from '../../../platform/database/rows.ts';
import type { ItemKind } from '../../../shared/item-kinds.ts';
import { maxListedVersions } from '../../../shared/item-versions.ts';
import type { MarkingRule } from '../../../shared/questions/marking-rule.ts';
import type { QuestionKey } from '../../../shared/questions/question-keys.ts';

export interface VersionRow {
  version: number;
  titre: string;
  intitule: string | null;
  savedAt: Date;
  /** Null when the text was loaded from the command line. */
  savedBy: string | null;
  current: boolean;
}

export interface ListedVersion extends VersionRow {
  /** Length of its texts in characters, without markup. */
  longueur: number;
}

export interface VersionTexts extends VersionRow {
  annee: number | null;
  duree: number | null;
  bareme: MarkingRule | null;
  contenu: string;
  corrige: string | null;
  keys: QuestionKey[];
}

/** SQL of the stored versions and the current state. A text loaded from the command line has no stored version before its first edit. */
const versions = `
  select v.version, v.titre, v.intitule, v.annee, v.duree, v.bareme, v.contenu, v.corrige, v.keys, v.saved_at, v.saved_by, v.version = i.version as current
  from item i join item_version v on v.item_id = i.id where i.id = ? and i.kind = ?
  union all
  select i.version, i.titre, i.intitule, i.annee, i.duree, i.bareme, i.contenu, i.corrige, i.keys, i.updated_at, null, true
  from item i where i.id = ? and i.kind = ? and not exists (select from item_version v where v.item_id = i.id and v.version = i.version)`;

/** Returns the versions of an item, newest first; empty when the item does not exist. */
export const findVersions = (em: EntityManager, kind: ItemKind, id: number): Promise<ListedVersion[]> =>
  readRows(
    em,
    `select version, titre, intitule, saved_at, saved_by, current,
            char_length(regexp_replace(concat(contenu, corrige), '<[^>]*>', '', 'g')) as longueur
     from (select * from (${versions}) v order by version desc limit ${maxListedVersions}) v order by version desc`,
    [id, kind, id, kind],
  );

export const findVersion = async (em: EntityManager, kind: ItemKind, id: number, version: number): Promise<VersionTexts | null> =>
  (await readRows<VersionTexts>(em, `select * from (${versions}) v where version = ?`, [id, kind, id, kind, version]))[0] ?? null;
