import type { EntityManager } from '@mikro-orm/postgresql';
import { namedStatement } from '../../../platform/database/named-statement.ts';
import { readRows } from '../../../platform/database/rows.ts';
import { type ItemKind, itemKinds } from '../../../shared/item-kinds.ts';
import type { MarkingRule } from '../../../shared/questions/marking-rule.ts';
import type { QuestionKey } from '../../../shared/questions/question-keys.ts';
import type { OutlineEntry } from '../../../shared/study/study-page.ts';

export interface ItemRow {
  id: number;
  disciplineId: number;
  kind: ItemKind;
  titre: string;
  intitule: string | null;
  numeroPage: number;
  annee: number | null;
  duree: number | null;
  bareme: MarkingRule | null;
  contenu: string;
  corrige: string | null;
  /** Keys of the text's questions: for administrators only. */
  keys: QuestionKey[];
  version: number;
  updatedAt: Date;
  /** Empty for items of a list: lists do not load documents. */
  documents: AttachedDocument[];
}

/** What decides who may read an item. */
export interface ReadableItem {
  prepaId: number;
  isPublished: boolean;
  /** Whether the prepa's trial shows it (`openInTrial`). */
  isOpen: boolean;
  /** Whether learners see it (`shownToLearners`). */
  isShown: boolean;
}

/** A PDF attached to an item; `octets` is its size in bytes. */
export interface AttachedDocument {
  id: number;
  nom: string;
  octets: number;
}

/** An item of the administration screen's lists. */
export type ListedItem = OutlineEntry & Pick<ItemRow, 'intitule' | 'numeroPage' | 'version' | 'updatedAt'> & { hasQuestions: boolean };

/** SQL order of the sections: lessons, then exercises, then past exams (specification §4, 'Study page'), then series. */
export const kindOrder = `case kind ${itemKinds
  .slice(0, -1)
  .map((kind, index) => `when '${kind}' then ${index + 1}`)
  .join(' ')} else ${itemKinds.length} end`;
/** Maximum number of items returned for a discipline. Real disciplines have a few dozen. */
export const outlineLimit = 1000;

/** Returns the SQL of the documents of item `i`, in the order in which they were attached; an empty list unless `condition` holds. */
export const documentsWhen = (
  condition = 'true',
) => `coalesce((select json_agg(json_build_object('id', f.id, 'nom', f.nom, 'octets', f.octets) order by f.id)
                          from item_document f where f.item_id = i.id and ${condition}), '[]'::json) as documents`;

const askable = (item: string): string => `exists (select from question where item_id = ${item}.id and usable and position is not null)`;

/**
 * Returns SQL: whether learners and visitors see an item. A series without a question that may be asked is in preparation: no list, count
 * or search of theirs has it, since nobody could finish it. @param item SQL alias
 */
export const shownToLearners = (item: string): string => `(${item}.kind <> 'quiz' or ${askable(item)})`;

/** Returns SQL: the opposite of `shownToLearners`, in a form that reads the series only. */
export const inPreparation = (item: string): string => `${item}.kind = 'quiz' and not ${askable(item)}`;

/** Returns SQL: the title that learners and visitors see, which is the full title if there is one (decision 134). @param item SQL alias */
export const shownTitle = (item: string): string => `coalesce(${item}.intitule, ${item}.titre)`;

/** Returns SQL: whether an item is the first of its section that learners see, which a trial shows. @param item SQL alias */
export const openInTrial = (item: string): string =>
  `case when ${item}.kind <> 'quiz' then ${item}.numero_page = 1
        else ${item}.id = (select first.id from item first where first.discipline_id = ${item}.discipline_id and first.kind = 'quiz' and ${askable('first')}
                           order by first.numero_page limit 1) end`;

const disciplineHead = namedStatement<{ nom: string; description: string; prepaId: number; prepaNom: string }>({
  name: 'content.discipline-head',
  text: `select d.nom, d.description, p.id as prepa_id, p.nom as prepa_nom
         from discipline d join prepa p on p.id = d.prepa_id where d.id = $1`,
});

const columns =
  'i.id, i.discipline_id, i.kind, i.titre, i.intitule, i.numero_page, i.annee, i.duree, i.bareme, i.contenu, i.corrige, i.keys, i.version, i.updated_at';

const itemsOfKind = namedStatement<ItemRow>({
  name: 'content.items-of-kind',
  reads: 'replica',
  text: `select ${columns}, '[]'::json as documents from item i
         where i.discipline_id = $1 and i.kind = $2 and ($3 or ${shownToLearners('i')}) order by i.numero_page limit ${outlineLimit}`,
});

const itemById = namedStatement<ItemRow & ReadableItem>({
  name: 'content.item',
  reads: 'replica',
  text: `select ${columns}, p.id as prepa_id, p.is_published, ${openInTrial('i')} as is_open, ${shownToLearners('i')} as is_shown, ${documentsWhen()}
         from item i join discipline d on d.id = i.discipline_id join prepa p on p.id = d.prepa_id
         where i.id = $1 and i.kind = $2`,
});

const listedItems = namedStatement<ListedItem>({
  name: 'content.listed-items',
  text: `select id, kind, titre, intitule, numero_page, annee, version, updated_at,
                exists (select from question q where q.item_id = item.id and q.position is not null) as has_questions
         from item
         where discipline_id = $1 and kind = any($2::text[]) order by numero_page limit ${outlineLimit}`,
});

/** Returns a discipline with its prepa, published or not; null when it does not exist. */
export const findDisciplineHead = async (em: EntityManager, disciplineId: number) => (await disciplineHead(em, [disciplineId]))[0] ?? null;

/**
 * Returns the items of one kind. An empty result is read again from the primary: the discipline exists, but a replica may lag behind.
 * @param all whether to return those, too, that learners do not see
 */
export const listItems = (em: EntityManager, disciplineId: number, kind: ItemKind, all: boolean): Promise<ItemRow[]> =>
  itemsOfKind(em, [disciplineId, kind, all], (rows) => rows.length > 0);

export const findItem = async (em: EntityManager, id: number, kind: ItemKind) =>
  // A new or unpublished item is read again from the primary: the replica may lag behind.
  (await itemById(em, [id, kind], ([item]) => item?.isPublished ?? false))[0] ?? null;

/** Returns an item with its texts, without its documents, for administrators; null when it does not exist. */
export const findItemOfAnyKind = async (em: EntityManager, id: number): Promise<ItemRow | null> =>
  (await readRows<ItemRow>(em, `select ${columns}, '[]'::json as documents from item i where i.id = ?`, [id]))[0] ?? null;

/** Returns the items of some kinds ordered by position, without texts, for the administration screen. */
export const listOutlines = (em: EntityManager, disciplineId: number, kinds: readonly ItemKind[]): Promise<ListedItem[]> =>
  listedItems(em, [disciplineId, kinds]);
