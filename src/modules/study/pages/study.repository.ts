import type { EntityManager } from '@mikro-orm/postgresql';
import { namedStatement } from '../../../platform/database/named-statement.ts';
import type { RowOf } from '../../../platform/database/rows.ts';
import type { ItemKind } from '../../../shared/item-kinds.ts';
import type { MarkingRule } from '../../../shared/questions/marking-rule.ts';
import type { OutlineEntry } from '../../../shared/study/study-page.ts';
import {
  type AttachedDocument,
  diagnosticCount,
  documentsWhen,
  kindOrder,
  openInTrial,
  outlineLimit,
  shownTitle,
  shownToLearners,
} from '../../content/index.ts';
import { accessCondition, type Enrolment } from '../../enrolment/index.ts';
import { type LearnerRow, learnerSession } from '../../identity/index.ts';
import { type OpenAttemptColumn, openAttemptSql } from '../../payment/index.ts';

/**
 * The session's learner, whether they may read the page now, and the versions that decide whether a cached page is current.
 * All columns but the learner's are null when the discipline does not belong to the prepa; the item's are also null when there is no
 * such item.
 */
export interface StudyVersions extends LearnerRow, ShownVersions {
  access: boolean | null;
  itemId: number | null;
}

/** Each version is incremented by every change of its row. */
export interface ShownVersions {
  prepaVersion: number | null;
  disciplineVersion: number | null;
  outlineVersion: number | null;
  itemVersion: number | null;
}

export interface StudyRow extends ShownVersions {
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
  duree: number | null;
  bareme: MarkingRule | null;
  contenu: string | null;
  corrige: string | null;
  /** Documents of the item. */
  documents: AttachedDocument[];
}

/** What the statements need of the shown item. */
const shownColumns = 'id, kind, version, numero_page, discipline_id';
/** SQL: the item shown when the address names none. */
const firstItem = `select ${shownColumns} from item where discipline_id = d.id and ${shownToLearners('item')} order by ${kindOrder}, numero_page limit 1`;
/** Returns SQL: the item that the address names. @param id and kind: SQL placeholders */
const namedItem = (id: string, kind: string) =>
  `select ${shownColumns} from item where id = ${id} and kind = ${kind} and discipline_id = d.id and ${shownToLearners('item')}`;

const versionColumns = 'p.version as prepa_version, d.version as discipline_version, d.outline_version';

const versionsOf = (name: string, item: string) =>
  namedStatement<StudyVersions>({
    name,
    text: `select l.*, v.* from (${learnerSession('$1', '$2')}) l left join lateral (
             select ${accessCondition('l.learner_id', '$3', '$2')} as access,
                    ${versionColumns}, i.id as item_id, i.version as item_version
             from discipline d join prepa p on p.id = d.prepa_id left join lateral (${item}) i on true
             where d.id = $4 and d.prepa_id = $3) v on true`,
  });

const firstVersions = versionsOf('content.first-versions', firstItem);
const itemVersions = versionsOf('content.item-versions', namedItem('$5', '$6'));

/** The versions of a trial page, with the learner's enrolment, if any, and whether the prepa is published. */
interface TrialVersions extends RowOf<Enrolment, 'statut' | 'dateExpiration'> {
  /** Null without an enrolment, like the enrolment's other columns. */
  enrolmentId: number | null;
  /** Null when the discipline does not belong to the prepa, like all following columns. */
  isPublished: boolean | null;
  prepaVersion: number;
  disciplineVersion: number;
  outlineVersion: number;
  itemId: number | null;
  itemVersion: number | null;
  /** Whether the item is the first of its section, which the trial shows. */
  open: boolean | null;
  /** Number of items of the whole prepa that a payment opens. */
  locked: number | null;
  /** Number of questions of the discipline's diagnostic; 0 without one. */
  diagnostic: number | null;
  /** The learner's open payment for the prepa. */
  attempt: OpenAttemptColumn;
}

/** SQL: the number of items of a prepa that its trial does not show, which are all but the first of each section. */
const lockedSql = (prepa: string): string =>
  `(select (count(*) - count(distinct (l.discipline_id, l.kind)))::int from item l join discipline o on o.id = l.discipline_id where o.prepa_id = ${prepa} and ${shownToLearners('l')})`;

const trialVersionsOf = (name: string, item: string, attempt: string, reads?: 'replica') =>
  namedStatement<TrialVersions>({
    name,
    reads,
    text: `select e.id as enrolment_id, e.statut, e.date_expiration, ${attempt} as attempt, v.*
           from (select) one left join enrolment e on e.user_id = $1 and e.prepa_id = $2 left join lateral (
             select p.is_published, ${versionColumns}, i.id as item_id, i.version as item_version,
                    ${openInTrial('i')} as open,
                    ${lockedSql('p.id')} as locked, ${diagnosticCount('d.id')} as diagnostic
             from discipline d join prepa p on p.id = d.prepa_id left join lateral (${item}) i on true
             where d.id = $3 and d.prepa_id = $2) v on true`,
  });

/**
 * Returns the two statements of a trial page. Learners' statements also read enrolment and open payment; visitors' statements may run
 * on a replica.
 */
const trialVersions = (whose: string, attempt: string, reads?: 'replica') => ({
  first: trialVersionsOf(`content.first-${whose}-versions`, firstItem, attempt, reads),
  ofItem: trialVersionsOf(`content.item-${whose}-versions`, namedItem('$4', '$5'), attempt, reads),
});
const learnersTrial = trialVersions('trial', openAttemptSql('$1', '$2'));
const visitorsTrial = trialVersions('visitors-trial', 'null::json', 'replica');

const studyRow = namedStatement<StudyRow>({
  name: 'content.study',
  reads: 'replica',
  text: `select p.id as prepa_id, p.nom as prepa_nom, p.prix, p.is_published, d.nom as discipline_nom, d.description as discipline_description,
                coalesce(d.image, p.image) as image,
                coalesce((select json_agg(json_build_object('id', o.id, 'kind', o.kind, 'titre', o.titre, 'annee', o.annee) order by o.rank, o.numero_page)
                          from (select id, kind, ${shownTitle('item')} as titre, annee, numero_page, ${kindOrder} as rank from item where discipline_id = d.id and ${shownToLearners('item')}
                                order by rank, numero_page limit ${outlineLimit}) o), '[]'::json) as outline,
                i.id as item_id, i.kind, ${shownTitle('i')} as titre, i.duree, i.bareme, i.contenu, i.corrige, ${documentsWhen()}, ${versionColumns}, i.version as item_version
         from discipline d join prepa p on p.id = d.prepa_id
         left join item i on i.discipline_id = d.id
              and i.id = coalesce($3, (select id from item where discipline_id = d.id and ${shownToLearners('item')} order by ${kindOrder}, numero_page limit 1))
         where d.id = $2 and d.prepa_id = $1`,
});

interface StudyAddress {
  /** Hash of the session's token. */
  session: string;
  now: Date;
  prepaId: number;
  disciplineId: number;
  /** Null: the first item of the first section that is not empty. */
  item: { kind: ItemKind; id: number } | null;
}

/** Returns the versions of a study page; null when the session does not exist. */
export async function findStudyVersions(
  em: EntityManager,
  { session, now, prepaId, disciplineId, item }: StudyAddress,
): Promise<StudyVersions | null> {
  const rows = item
    ? await itemVersions(em, [session, now, prepaId, disciplineId, item.id, item.kind])
    : await firstVersions(em, [session, now, prepaId, disciplineId]);
  return rows[0] ?? null;
}

/** Returns the versions of a trial page; there is always a row. @param address with `userId` null for a visitor */
export async function findTrialVersions(
  em: EntityManager,
  { userId, prepaId, disciplineId, item }: Pick<StudyAddress, 'prepaId' | 'disciplineId' | 'item'> & { userId: string | null },
): Promise<TrialVersions> {
  const place = [userId, prepaId, disciplineId];
  const { first, ofItem } = userId === null ? visitorsTrial : learnersTrial;
  // A refusal is confirmed on the primary: the item may just have been published or moved.
  const isShown = ([found]: TrialVersions[]) => !!found?.isPublished && (item === null || found.open === true);
  const [row] = await (item ? ofItem(em, [...place, item.id, item.kind], isShown) : first(em, place, isShown));
  if (!row) throw new Error('no row of a trial');
  return row;
}

const isAtLeast = (version: number | null, named: number | null): boolean => named === null || (version !== null && version >= named);

/**
 * Returns the content of a study page. Without an item: the first item of the first section that is not empty.
 * @param named the versions under which the page is cached; older data from a lagging replica is not used
 */
export async function findStudy(
  em: EntityManager,
  prepaId: number,
  disciplineId: number,
  itemId: number | null,
  named: ShownVersions,
): Promise<StudyRow | null> {
  const fields = ['prepaVersion', 'disciplineVersion', 'outlineVersion', 'itemVersion'] as const;
  const rows = await studyRow(
    em,
    [prepaId, disciplineId, itemId],
    ([row]) => row !== undefined && fields.every((field) => isAtLeast(row[field], named[field])),
  );
  return rows[0] ?? null;
}
