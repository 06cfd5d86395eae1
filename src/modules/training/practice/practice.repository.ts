import type { EntityManager } from '@mikro-orm/postgresql';
import { namedStatement } from '../../../platform/database/named-statement.ts';
import type { ItemKind } from '../../../shared/item-kinds.ts';
import { toReviewPage } from '../../../shared/study/progress.ts';
import { readingMinutesSql } from '../../../shared/study/reading-time.ts';
import { maxToReview, type ToReviewEntry } from '../../../shared/study/to-review.ts';
import type { Verdict } from '../../../shared/study/verdicts.ts';
import { type AttachedDocument, documentsWhen, shownTitle } from '../../content/index.ts';
import { accessCondition } from '../../enrolment/index.ts';
import type { ItemMark } from '../../study/index.ts';

/** An exercise or past subject of a discipline, and the learner who practises it. */
export interface PracticeAddress {
  userId: string;
  now: Date;
  prepaId: number;
  disciplineId: number;
  kind: ItemKind;
  itemId: number;
}

export interface PracticeRow {
  /** Whether the learner may read the item now. */
  access: boolean;
  prepaNom: string;
  disciplineNom: string;
  titre: string;
  annee: number | null;
  /** Duration of the exam in minutes; null when not given. */
  duree: number | null;
  contenu: string;
  hasCorrection: boolean;
  /** Null until the learner requests the correction. */
  corrige: string | null;
  /** Empty until the correction is requested: documents may contain it. */
  documents: AttachedDocument[];
  /** The last mark; null before the first one. */
  verdict: Verdict | null;
  markedAt: Date | null;
}

const taken = namedStatement<PracticeRow>({
  name: 'content.practice',
  text: `select ${accessCondition('$1', 'd.prepa_id', '$2')} as access, p.nom as prepa_nom, d.nom as discipline_nom, ${shownTitle('i')} as titre, i.annee, i.duree,
                i.contenu, i.corrige is not null as has_correction, case when $7 then i.corrige end as corrige, last.verdict, last.marked_at,
                ${documentsWhen('$7')}
         from item i join discipline d on d.id = i.discipline_id join prepa p on p.id = d.prepa_id
              left join practice last on last.user_id = $1 and last.item_id = i.id
         where i.id = $6 and i.kind = $5 and d.id = $4 and d.prepa_id = $3`,
});

/** Returns an item as practice; null when it does not exist. @param corrected whether to load the correction and the documents */
export async function findPractice(em: EntityManager, address: PracticeAddress, corrected: boolean): Promise<PracticeRow | null> {
  const { userId, now, prepaId, disciplineId, kind, itemId } = address;
  return (await taken(em, [userId, now, prepaId, disciplineId, kind, itemId, corrected]))[0] ?? null;
}

const mark = namedStatement({
  name: 'content.mark-practice',
  text: `with given as (
         -- The same page with the same points is one mark; corrected points are another one.
         select md5(concat_ws(' ', $8::text, $7::text, $9::text, $10::text))::uuid as cle where $8::uuid is not null),
         known as (
         select exists (select from practice_mark m join given g on g.cle = m.cle where m.user_id = $1) as is_known),
         marked as (
         insert into practice as kept (user_id, item_id, verdict, marked_at, times)
         select $1, i.id, $7, $2::timestamptz, 1 from item i join discipline d on d.id = i.discipline_id
         where i.id = $6 and i.kind = $5 and d.id = $4 and d.prepa_id = $3 and i.corrige is not null and ${accessCondition('$1', 'd.prepa_id', '$2')}
         on conflict (user_id, item_id) do update set verdict = excluded.verdict,
           marked_at = case when (select is_known from known) then kept.marked_at else excluded.marked_at end,
           times = kept.times + (not (select is_known from known) and kept.marked_at <= excluded.marked_at - interval '1 minute')::int
         returning item_id),
         noted as (
         insert into practice_mark (user_id, cle, item_id, verdict, points, possible, seconds, marked_at)
         select $1, g.cle, item_id, $7, $9::numeric, $10::numeric, $11::int, $2::timestamptz from marked, given g
         on conflict (user_id, cle) do nothing)
         insert into item_reading as kept (user_id, item_id, read_at, finished_at)
         select $1, item_id, $2, $2 from marked
         on conflict (user_id, item_id) do update set finished_at = coalesce(kept.finished_at, excluded.finished_at)
         returning item_id`,
});

/** Points that a learner gave a practice by the scale of its correction. */
export interface GivenMark {
  /** Idempotency key of the page: a mark with this key and the same points is not stored again. */
  cle: string;
  points: number;
  possible: number;
  /** Time used, in seconds; null if it was not measured. */
  seconds: number | null;
}

/**
 * Stores the learner's verdict, which also finishes an item, and the mark if there is one. A second verdict within a minute belongs to the
 * same practice.
 * @returns false, with nothing stored, when the learner may not read the item now or the item has no correction
 */
export async function keepVerdict(
  em: EntityManager,
  address: PracticeAddress,
  verdict: Verdict,
  given: GivenMark | null = null,
): Promise<boolean> {
  const { userId, now, prepaId, disciplineId, kind, itemId } = address;
  const note = [given?.cle ?? null, given?.points ?? null, given?.possible ?? null, given?.seconds ?? null];
  return (await mark(em, [userId, now, prepaId, disciplineId, kind, itemId, verdict, ...note])).length > 0;
}

/** Most marked exercises of a prepa that a session is planned from. */
const maxMarked = 500;

/** The mark 'à revoir'. Items whose correction was removed are left out, since they can no longer be marked. */
export const toReviewMark: ItemMark = {
  ...toReviewPage,
  description: "Marqués 'à revoir' après un entraînement",
  condition: (learner) =>
    `i.corrige is not null and i.id in (select item_id from practice where user_id = ${learner} and verdict = 'a_revoir')`,
  oldest: (learner, prepa) =>
    `select i.id, i.kind, ${shownTitle('i')} as titre, i.discipline_id
     from practice t join item i on i.id = t.item_id join discipline d on d.id = i.discipline_id
     where t.user_id = ${learner} and t.verdict = 'a_revoir' and i.corrige is not null and d.prepa_id = ${prepa}
     order by t.marked_at, i.id limit 1`,
};

/** Returns SQL of the number of items that a learner marked 'à revoir' and may read now, at most 100. Both parameters are SQL. */
export const toReviewCount = (learner: string, now: string): string =>
  `(select count(*)::int from (
      select from practice t join item i on i.id = t.item_id join discipline d on d.id = i.discipline_id
      where t.user_id = ${learner} and t.verdict = 'a_revoir' and i.corrige is not null and ${accessCondition(learner, 'd.prepa_id', now)}
      limit 100) as marked)`;

/**
 * Returns SQL: the exercises and past exams of a prepa that a learner has marked, with all verdicts that are stored: the last one, and those
 * with points. `verdicts` is JSON of `[time in ms since 1970, whether 'Réussi', seconds taken or null]`. Both parameters are SQL.
 */
export const markedExercisesSql = (learner: string, prepa: string): string => `
  select i.id as item, i.kind, i.discipline_id as discipline, v.verdicts,
         coalesce(v.seconds, i.duree * 60, (${readingMinutesSql('i.contenu')} + ${readingMinutesSql('i.corrige')}) * 60) as seconds
  from (select item_id, json_agg(json_build_array((extract(epoch from marked_at) * 1000)::bigint, verdict = 'reussi', seconds) order by marked_at) as verdicts,
               (array_agg(seconds order by marked_at desc) filter (where seconds is not null))[1] as seconds
        from (select distinct on (item_id, marked_at) item_id, marked_at, verdict, seconds
              from (select item_id, marked_at, verdict, null as seconds from practice where user_id = ${learner}
                    union all select item_id, marked_at, verdict, seconds from practice_mark where user_id = ${learner}) given
              order by item_id, marked_at, verdict, seconds) marked
        group by item_id) v
       join item i on i.id = v.item_id join discipline d on d.id = i.discipline_id
  where d.prepa_id = ${prepa} and i.corrige is not null
  order by i.id limit ${maxMarked}`;

const toReview = namedStatement<ToReviewEntry>({
  name: 'content.practice-again',
  // Materialized, so that access is checked once per prepa and not once per mark.
  text: `with open as materialized (
           select d.id, d.nom, p.id as prepa_id, p.nom as prepa_nom from discipline d join prepa p on p.id = d.prepa_id
           where ${accessCondition('$1', 'd.prepa_id', '$2')})
         select i.id, i.kind, ${shownTitle('i')} as titre, i.annee, d.prepa_id, d.prepa_nom, d.id as discipline_id, d.nom as discipline_nom, t.marked_at, t.times
         from practice t join item i on i.id = t.item_id join open d on d.id = i.discipline_id
         where t.user_id = $1 and t.verdict = 'a_revoir' and i.corrige is not null
         order by t.marked_at desc, i.id limit ${maxToReview}`,
});

/** Returns the items that a learner marked 'à revoir' and may read now, newest mark first. */
export const listToReview = (em: EntityManager, userId: string, now: Date): Promise<ToReviewEntry[]> => toReview(em, [userId, now]);
