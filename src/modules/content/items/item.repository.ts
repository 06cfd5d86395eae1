import type { EntityManager } from '@mikro-orm/postgresql';
import { namedStatement } from '../../../platform/database/named-statement.ts';
import { accessCondition } from '../../enrolment/index.ts';
import type { ItemKind } from './item.entity.ts';

/** What a study page is made of, told by versions alone: enough to know whether a cached page is current. */
export interface StudyVersions extends Record<string, unknown> {
  /** Whether the learner may read it now. */
  access: boolean;
  prepa_version: number;
  discipline_version: number;
  outline_version: number;
  item_id: number | null;
  item_version: number | null;
}

export interface OutlineEntry {
  id: number;
  kind: ItemKind;
  titre: string;
  annee: number | null;
}

export interface StudyRow extends Record<string, unknown> {
  prepa_id: number;
  prepa_nom: string;
  prix: number;
  is_published: boolean;
  discipline_nom: string;
  discipline_description: string;
  image: string | null;
  outline: OutlineEntry[];
  item_id: number | null;
  kind: ItemKind | null;
  titre: string | null;
  contenu: string | null;
  corrige: string | null;
  /** Of the item. */
  documents: AttachedDocument[];
}

export interface ItemRow extends Record<string, unknown> {
  id: number;
  discipline_id: number;
  kind: ItemKind;
  titre: string;
  numero_page: number;
  annee: number | null;
  duree: number | null;
  contenu: string;
  corrige: string | null;
  version: number;
  updated_at: Date;
  /** Those of a list are left out. */
  documents: AttachedDocument[];
}

/** A PDF that goes with an item; `octets` is its size in bytes. */
export interface AttachedDocument {
  id: number;
  nom: string;
  octets: number;
}

/** An item with the prepa and the discipline that it stands in, for lists over several of them. */
export interface PlacedItem extends Record<string, unknown> {
  id: number;
  kind: ItemKind;
  titre: string;
  annee: number | null;
  prepa_id: number;
  prepa_nom: string;
  discipline_id: number;
  discipline_nom: string;
}

/** An item of the administration screen's lists. */
export interface ListedItem extends Record<string, unknown> {
  id: number;
  kind: ItemKind;
  titre: string;
  numero_page: number;
  annee: number | null;
  version: number;
  updated_at: Date;
}

/** Lessons first, then exercises, then past subjects: the order of the sections (specification §4, 'Study page'). */
const kindOrder = `case kind when 'course' then 1 when 'exercise' then 2 else 3 end`;
/** A discipline has a few dozen items; a bound all the same. */
const outlineLimit = 1000;

/** The documents of the item `i`, in the order in which they were attached. */
const documents = `coalesce((select json_agg(json_build_object('id', f.id, 'nom', f.nom, 'octets', f.octets) order by f.id)
                          from item_document f where f.item_id = i.id), '[]'::json) as documents`;

const versionsOf = (name: string, item: string) =>
  namedStatement<StudyVersions>({
    name,
    text: `select ${accessCondition('$3', '$1', '$4')} as access, p.version as prepa_version, d.version as discipline_version, d.outline_version, i.id as item_id, i.version as item_version
           from discipline d join prepa p on p.id = d.prepa_id
           left join lateral (${item}) i on true
           where d.id = $2 and d.prepa_id = $1`,
  });

const firstVersions = versionsOf(
  'content.first-versions',
  `select id, version from item where discipline_id = d.id order by ${kindOrder}, numero_page limit 1`,
);
const itemVersions = versionsOf(
  'content.item-versions',
  `select id, version from item where id = $5 and kind = $6 and discipline_id = d.id`,
);

const studyRow = namedStatement<StudyRow>({
  name: 'content.study',
  text: `select p.id as prepa_id, p.nom as prepa_nom, p.prix, p.is_published, d.nom as discipline_nom, d.description as discipline_description,
                coalesce(d.image, p.image) as image,
                coalesce((select json_agg(json_build_object('id', o.id, 'kind', o.kind, 'titre', o.titre, 'annee', o.annee) order by o.rank, o.numero_page)
                          from (select id, kind, titre, annee, numero_page, ${kindOrder} as rank from item where discipline_id = d.id
                                order by rank, numero_page limit ${outlineLimit}) o), '[]'::json) as outline,
                i.id as item_id, i.kind, i.titre, i.contenu, i.corrige, ${documents}
         from discipline d join prepa p on p.id = d.prepa_id
         left join item i on i.discipline_id = d.id
              and i.id = coalesce($3, (select id from item where discipline_id = d.id order by ${kindOrder}, numero_page limit 1))
         where d.id = $2 and d.prepa_id = $1`,
});

const disciplineHead = namedStatement<{ nom: string; description: string; prepa_id: number; prepa_nom: string }>({
  name: 'content.discipline-head',
  text: `select d.nom, d.description, p.id as prepa_id, p.nom as prepa_nom from discipline d join prepa p on p.id = d.prepa_id where d.id = $1`,
});

const columns = 'i.id, i.discipline_id, i.kind, i.titre, i.numero_page, i.annee, i.duree, i.contenu, i.corrige, i.version, i.updated_at';

const itemsOfKind = namedStatement<ItemRow>({
  name: 'content.items-of-kind',
  text: `select ${columns}, '[]'::json as documents from item i where i.discipline_id = $1 and i.kind = $2 order by i.numero_page limit ${outlineLimit}`,
});

const itemById = namedStatement<ItemRow & { prepa_id: number; is_published: boolean }>({
  name: 'content.item',
  text: `select ${columns}, p.id as prepa_id, p.is_published, ${documents}
         from item i join discipline d on d.id = i.discipline_id join prepa p on p.id = d.prepa_id
         where i.id = $1 and i.kind = $2`,
});

const listedItems = namedStatement<ListedItem>({
  name: 'content.listed-items',
  text: `select id, kind, titre, numero_page, annee, version, updated_at from item
         where discipline_id = $1 and kind = any($2::text[]) order by numero_page limit ${outlineLimit}`,
});

interface StudyAddress {
  userId: string;
  now: Date;
  prepaId: number;
  disciplineId: number;
  /** Null: the first non-empty section's first item. */
  item: { kind: ItemKind; id: number } | null;
}

/** Null when the discipline is not of that prepa; an unknown item has `item_id` null. */
export async function findStudyVersions(
  em: EntityManager,
  { prepaId, disciplineId, item, userId, now }: StudyAddress,
): Promise<StudyVersions | null> {
  const rows = item
    ? await itemVersions(em, [prepaId, disciplineId, userId, now, item.id, item.kind])
    : await firstVersions(em, [prepaId, disciplineId, userId, now]);
  return rows[0] ?? null;
}

/** Without an item: the first of the first non-empty section. */
export const findStudy = async (
  em: EntityManager,
  prepaId: number,
  disciplineId: number,
  itemId: number | null,
): Promise<StudyRow | null> => (await studyRow(em, [prepaId, disciplineId, itemId]))[0] ?? null;

/** A discipline and where it belongs, published or not. */
export const findDisciplineHead = async (em: EntityManager, disciplineId: number) => (await disciplineHead(em, [disciplineId]))[0] ?? null;

export const listItems = (em: EntityManager, disciplineId: number, kind: ItemKind): Promise<ItemRow[]> =>
  itemsOfKind(em, [disciplineId, kind]);

export const findItem = async (em: EntityManager, id: number, kind: ItemKind) => (await itemById(em, [id, kind]))[0] ?? null;

/** Items of some kinds by their page, without texts: what the administration screen lists. */
export const listOutlines = (em: EntityManager, disciplineId: number, kinds: readonly ItemKind[]): Promise<ListedItem[]> =>
  listedItems(em, [disciplineId, kinds]);
