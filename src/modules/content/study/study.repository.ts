import type { EntityManager } from '@mikro-orm/postgresql';
import { namedStatement } from '../../../platform/database/named-statement.ts';
import type { ItemKind } from '../../../shared/item-kinds.ts';
import { accessCondition } from '../../enrolment/index.ts';
import { type LearnerRow, learnerSession } from '../../identity/index.ts';
import { type AttachedDocument, documentsWhen, kindOrder, type OutlineEntry, outlineLimit } from '../items/item.repository.ts';

/**
 * Who asks, whether they may read it now, and what the page is made of, told by versions alone: enough to know whether a cached page is current. All but the
 * learner is null when the discipline is not of that prepa; the item's also when there is none.
 */
export interface StudyVersions extends LearnerRow {
  access: boolean | null;
  prepaVersion: number | null;
  disciplineVersion: number | null;
  outlineVersion: number | null;
  itemId: number | null;
  itemVersion: number | null;
}

export interface StudyRow {
  prepaId: number;
  prepaNom: string;
  prix: number;
  isPublished: boolean;
  disciplineNom: string;
  disciplineDescription: string;
  image: string | null;
  outline: OutlineEntry[];
  itemId: number | null;
  kind: ItemKind | null;
  titre: string | null;
  contenu: string | null;
  corrige: string | null;
  /** Of the item. */
  documents: AttachedDocument[];
}

const versionsOf = (name: string, item: string) =>
  namedStatement<StudyVersions>({
    name,
    text: `select l.*, v.* from (${learnerSession('$1', '$2')}) l left join lateral (
             select ${accessCondition('l.learner_id', '$3', '$2')} as access,
                    p.version as prepa_version, d.version as discipline_version, d.outline_version, i.id as item_id, i.version as item_version
             from discipline d join prepa p on p.id = d.prepa_id left join lateral (${item}) i on true
             where d.id = $4 and d.prepa_id = $3) v on true`,
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
                i.id as item_id, i.kind, i.titre, i.contenu, i.corrige, ${documentsWhen()}
         from discipline d join prepa p on p.id = d.prepa_id
         left join item i on i.discipline_id = d.id
              and i.id = coalesce($3, (select id from item where discipline_id = d.id order by ${kindOrder}, numero_page limit 1))
         where d.id = $2 and d.prepa_id = $1`,
});

interface StudyAddress {
  /** Hash of the session's token. */
  session: string;
  now: Date;
  prepaId: number;
  disciplineId: number;
  /** Null: the first non-empty section's first item. */
  item: { kind: ItemKind; id: number } | null;
}

/** Null without such a session. */
export async function findStudyVersions(
  em: EntityManager,
  { session, now, prepaId, disciplineId, item }: StudyAddress,
): Promise<StudyVersions | null> {
  const rows = item
    ? await itemVersions(em, [session, now, prepaId, disciplineId, item.id, item.kind])
    : await firstVersions(em, [session, now, prepaId, disciplineId]);
  return rows[0] ?? null;
}

/** Without an item: the first of the first non-empty section. */
export const findStudy = async (
  em: EntityManager,
  prepaId: number,
  disciplineId: number,
  itemId: number | null,
): Promise<StudyRow | null> => (await studyRow(em, [prepaId, disciplineId, itemId]))[0] ?? null;
