import type { EntityManager } from '@mikro-orm/postgresql';
import { namedStatement } from '../../../platform/database/named-statement.ts';
import type { ItemKind } from '../../../shared/item-kinds.ts';
import { finishedByAnswers, finishedByMark } from '../../../shared/study/kinds.ts';
import type { BuiltUp, DisciplineProgress, MarkedCounts } from '../../../shared/study/progress.ts';
import { readingMinutesSql } from '../../../shared/study/reading-time.ts';
import type { ResumePlace } from '../../../shared/study/resume.ts';
import { inPreparation, kindOrder, shownTitle, shownToLearners } from '../../content/index.ts';
import { accessCondition } from '../../enrolment/index.ts';
import type { ItemMark } from './item-mark.ts';

/** The event that a learner opened or finished an item. */
export interface Opening {
  userId: string;
  itemId: number;
  at: Date;
  /** False when the page showed the item by default. A default item that was opened before does not become the last opened item. */
  asked: boolean;
  /** Whether the learner reached the end or pressed 'J'ai terminé'. */
  finished?: boolean;
}

/** SQL: whether item `i` is finished only by a mark against its correction or by its answers, not by reading to its end. */
export const finishedOtherwise = `(i.kind = '${finishedByMark}' and i.corrige is not null or i.kind = '${finishedByAnswers}')`;

/**
 * Writes openings. Rows are locked in item id order, as in every change of several items (`lockItems` of the seed, a deletion), which
 * prevents deadlocks.
 * Nothing is stored for a learner without access at that time, or for a deleted item. The latest opening and the first ending of an
 * item count. An ending is ignored when the learner reopened the item at or after it.
 */
const keep = namedStatement({
  name: 'content.keep-readings',
  text: `insert into item_reading as kept (user_id, item_id, read_at, finished_at)
         select o.user_id, o.item_id, o.at, case when o.finished and not (${finishedOtherwise})
                     and not exists (select from offline_entry b where b.item_id = o.item_id and b.user_id = o.user_id and b.type = 'rouvert' and b.at >= o.at)
                then o.at end
         from unnest($1::uuid[], $2::int[], $3::timestamptz[], $4::boolean[], $5::boolean[]) o(user_id, item_id, at, asked, finished)
              join item i on i.id = o.item_id join discipline d on d.id = i.discipline_id
         where ${accessCondition('o.user_id', 'd.prepa_id', 'o.at')}
               and (o.asked or not exists (select from item_reading r where r.user_id = o.user_id and r.item_id = o.item_id))
         order by o.item_id, o.user_id
         on conflict (user_id, item_id) do update
         set read_at = greatest(kept.read_at, excluded.read_at), finished_at = coalesce(kept.finished_at, excluded.finished_at)
         where excluded.read_at > kept.read_at or (kept.finished_at is null and excluded.finished_at is not null)`,
});

export async function keepReadings(em: EntityManager, openings: readonly Opening[]): Promise<void> {
  await keep(em, [
    openings.map(({ userId }) => userId),
    openings.map(({ itemId }) => itemId),
    openings.map(({ at }) => at),
    openings.map(({ asked }) => asked),
    openings.map(({ finished = false }) => finished),
  ]);
}

export interface MarksRow {
  /** Ids of the opened items of the discipline. */
  ouverts: number[];
  /** Ids of the finished items. */
  termines: number[];
  /** Ids of the marked items, by mark. */
  marked: Record<string, number[]>;
  /** The item opened last. */
  dernier: { type: ItemKind; id: number } | null;
}

/**
 * Returns a query of the items that a learner opened, finished and marked in a discipline. It returns nothing when the learner may
 * not read the discipline now.
 */
export function marksQuery(marks: readonly ItemMark[]) {
  const statement = namedStatement<MarksRow>({
    name: 'content.marks',
    text: `select coalesce(array_agg(i.id order by i.id) filter (where r.read_at is not null), '{}') as ouverts,
                  coalesce(array_agg(i.id order by i.id) filter (where r.finished_at is not null), '{}') as termines,
                  ${byField(marks, '$1', (condition) => `coalesce(json_agg(i.id order by i.id) filter (where ${condition}), '[]')`)} as marked,
                  (array_agg(json_build_object('type', i.kind, 'id', i.id) order by r.read_at desc) filter (where r.read_at is not null))[1] as dernier
           from item i join discipline d on d.id = i.discipline_id left join item_reading r on r.user_id = $1 and r.item_id = i.id
           where i.discipline_id = $2 and ${shownToLearners('i')} and ${accessCondition('$1', 'd.prepa_id', '$3')}`,
  });
  return async (em: EntityManager, userId: string, disciplineId: number, now: Date): Promise<MarksRow> => {
    const [row] = await statement(em, [userId, disciplineId, now]);
    return row ?? { ouverts: [], termines: [], marked: {}, dernier: null };
  };
}

/** Returns SQL: a JSON object with one value per mark. */
const byField = (marks: readonly ItemMark[], learner: string, value: (condition: string) => string): string =>
  `json_build_object(${marks.flatMap(({ field, condition }) => [`'${field}'`, value(condition(learner))]).join(', ')})`;

/** Returns the beginning of a query: the number of a learner's marked items, and of those of them that are finished. */
const markedBy = (column: string, marks: readonly ItemMark[], learner: string): string =>
  `select ${column}, count(*) as marked, count(r.finished_at) as finished
   from item i left join item_reading r on r.user_id = ${learner} and r.item_id = i.id
   where (${marks.map(({ condition }) => condition(learner)).join(' or ') || 'false'})`;

/**
 * Returns the SQL parts that add a learner's progress to a statement that reads disciplines `d`. `learner` and `now` are SQL of an id
 * and an instant.
 * The cost of such a statement depends on the number of plan nodes more than on the rows: it should read the disciplines once.
 */
export const progressParts = (marks: readonly ItemMark[], learner: string, now: string) => ({
  join: `left join discipline_progress own on own.user_id = ${learner} and own.discipline_id = d.id
         left join (${markedBy('i.discipline_id', marks, learner)} group by i.discipline_id) again on again.discipline_id = d.id
         cross join lateral (select count(*) as items, count(r.finished_at) as finished from item i
                             left join item_reading r on r.user_id = ${learner} and r.item_id = i.id
                             where i.discipline_id = d.id and ${inPreparation('i')}) unseen`,
  /** A `DisciplineProgress`; needs `join`. */
  row: `json_build_object('prepaId', d.prepa_id, 'disciplineId', d.id, 'total', (select count(*) from item where discipline_id = d.id) - unseen.items,
                          'done', coalesce(own.finished, 0) - coalesce(again.finished, 0) - unseen.finished, 'toReview', coalesce(again.marked, 0), 'readAt', extract(epoch from own.last_read_at))`,
  /** A `MarkedCounts`. */
  marked: byField(
    marks,
    learner,
    (condition) => `(select count(*) from item i join discipline d on d.id = i.discipline_id
                     where ${condition} and ${accessCondition(learner, 'd.prepa_id', now)})`,
  ),
});

/**
 * Returns SQL: a `ResumePlace` or null, by the rule of `itemToResume`. Both parameters are SQL of an id.
 * It searches the disciplines in order, starting with the one read last, and stops at the first item found. Finished disciplines are
 * skipped by their counts.
 */
export const resumeSql = (marks: readonly ItemMark[], learner: string, prepa: string): string => {
  const place = (practice: boolean, begins = false) =>
    `json_build_object('prepaId', ${prepa}, 'disciplineId', n.discipline_id, 'id', n.id, 'kind', n.kind, 'titre', n.titre, 'practice', ${practice}, 'begins', ${begins},
                       'minutes', (select coalesce(x.duree, ${readingMinutesSql('x.contenu')}) from item x where x.id = n.id))`;
  const unfinished = `
    select i.* from (
      select last.discipline_id as id, 0 as turn
      union all
      select d.id, case when d.id > last.discipline_id then 1 when d.id < last.discipline_id then 2 else 3 end
      from discipline d left join discipline_progress p on p.user_id = ${learner} and p.discipline_id = d.id
      where d.prepa_id = ${prepa} and coalesce(p.finished, 0) < (select count(*) from item where discipline_id = d.id)
      order by turn, id) o
    cross join lateral (
      select i.id, i.kind, ${shownTitle('i')} as titre, i.discipline_id from item i
      where i.discipline_id = o.id and ${shownToLearners('i')} and (o.turn > 0 or (${kindOrder}, i.numero_page) >= (last.kind_order, last.numero_page))
            and not exists (select from item_reading r where r.user_id = ${learner} and r.item_id = i.id and r.finished_at is not null)
      order by ${kindOrder}, i.numero_page limit 1) i
    order by o.turn, o.id limit 1`;
  const choices = [
    `(select ${place(false)} from (${unfinished}) n)`,
    ...marks.map(({ oldest }) => `(select ${place(true)} from (${oldest(learner, prepa)}) n)`),
  ];
  const first = `
    select i.* from discipline d
    cross join lateral (
      select i.id, i.kind, ${shownTitle('i')} as titre, i.discipline_id from item i
      where i.discipline_id = d.id and ${shownToLearners('i')}
            and not exists (select from item_reading r where r.user_id = ${learner} and r.item_id = i.id and r.finished_at is not null)
      order by ${kindOrder}, i.numero_page limit 1) i
    where d.prepa_id = ${prepa} order by d.id limit 1`;
  return `coalesce((select coalesce(${choices.join(', ')})
           from (select i.discipline_id, ${kindOrder} as kind_order, i.numero_page
                 from discipline_progress p join discipline d on d.id = p.discipline_id join item i on i.id = p.last_item_id
                 where p.user_id = ${learner} and d.prepa_id = ${prepa}
                 order by p.last_read_at desc, p.last_item_id desc limit 1) last),
           (select ${place(false, true)} from (${first}) n
            where not exists (select from discipline_progress p join discipline d on d.id = p.discipline_id join item i on i.id = p.last_item_id
                              where p.user_id = ${learner} and d.prepa_id = ${prepa})))`;
};

/** Returns the first part of a query: a `BuiltUp` of a prepa. The parameters are SQL of ids. */
const builtUpSql = (marks: readonly ItemMark[], learner: string, prepa: string): string =>
  `select json_build_object('prepaId', ${prepa},
     'finished', coalesce((select sum(p.finished) from discipline_progress p join discipline d on d.id = p.discipline_id
                           where p.user_id = ${learner} and d.prepa_id = ${prepa}), 0)
       - (select o.finished from (${markedBy('null', marks, learner)} and i.discipline_id in (select id from discipline where prepa_id = ${prepa})) o),
     'marked', ${byField(marks, learner, (condition) => `(select count(*) from item i join discipline d on d.id = i.discipline_id where ${condition} and d.prepa_id = ${prepa})`)})`;

/** Returns a query of what a learner has done in a prepa, whether it is open or not. */
export function builtUpQuery(marks: readonly ItemMark[]) {
  const statement = namedStatement<{ builtUp: BuiltUp }>({
    name: 'study.built-up',
    text: `${builtUpSql(marks, '$1', '$2::int')} as built_up`,
  });
  return async (em: EntityManager, userId: string, prepaId: number): Promise<BuiltUp | null> =>
    (await statement(em, [userId, prepaId]))[0]?.builtUp ?? null;
}

interface ProgressRow {
  builtUp: BuiltUp | null;
  rows: DisciplineProgress[];
  marked: MarkedCounts;
  resumes: ResumePlace[];
}

/** Returns a query of the progress in all disciplines that the learner may read, or in those of one prepa. */
export function progressQuery(marks: readonly ItemMark[]) {
  const { join, row, marked } = progressParts(marks, '$1', '$2');
  const statement = namedStatement<ProgressRow>({
    name: 'content.progress',
    text: `select coalesce(json_agg(${row}), '[]') as rows, ${marked} as marked,
                  (select coalesce(json_agg(r.place), '[]')
                   from enrolment e cross join lateral (select ${resumeSql(marks, '$1', 'e.prepa_id')} as place) r
                   where e.user_id = $1 and e.statut = 'active' and e.date_expiration > $2 and ($3::int is null or e.prepa_id = $3)
                         and r.place is not null) as resumes,
                  (${builtUpSql(marks, '$1', 'e.prepa_id')} from enrolment e
                   where e.user_id = $1 and e.prepa_id is not null and not exists (
                     select from enrolment o where o.user_id = $1 and o.statut = 'active' and o.date_expiration > $2)
                   order by e.date_expiration desc limit 1) as built_up
           from (select d.id, d.prepa_id from discipline d
                 where ($3::int is null or d.prepa_id = $3) and ${accessCondition('$1', 'd.prepa_id', '$2')} limit 500) d ${join}`,
  });
  return async (em: EntityManager, userId: string, now: Date, prepaId: number | null) =>
    (await statement(em, [userId, now, prepaId]))[0] ?? { builtUp: null, rows: [], marked: {}, resumes: [] };
}
