import type { EntityManager } from '@mikro-orm/postgresql';
import { namedStatement } from '../../../platform/database/named-statement.ts';
import type { KeptMark, OutboxEntry } from '../../../shared/offline/offline-copy.ts';
import { accessCondition, timeWithinAccess } from '../../enrolment/index.ts';
import { finishedOtherwise } from '../../study/index.ts';
import { maxItems } from '../texts/versions.repository.ts';

/** SQL: marks of an item that are less than this apart are one practice, as on the page. */
const onePractice = `interval '1 minute'`;

/** SQL: number of practices by item among the marks `from`. A mark counts unless another one precedes it within a minute. */
const practices = (from: string) =>
  `select item_id, count(*) filter (where before is null or at >= before + ${onePractice})::int as times
   from (select item_id, at, lag(at) over (partition by item_id order by at) as before from (${from}) marks) spaced group by item_id`;

/**
 * SQL: stores the entries of a learner's devices, each key once. The result depends only on the set of stored entries, not on their order or
 * on how calls divide them:
 * - an item is opened at the latest time of its entries, and finished at the earliest finishing time after its last 'rouvert';
 * - the verdict is the latest one; of two at the same time, 'a_revoir';
 * - practices are counted over all known marks, and the difference is added.
 * An entry's time is moved into the period from the enrolment's beginning to now. It counts if access lasted at that time, even if it has
 * ended since. Rows are written in the order of items, as in `keepReadings`, to avoid deadlocks.
 */
const take = `
  with sent as (
    select distinct on (cle) cle, type, item, to_timestamp(le / 1000.0) as le from jsonb_to_recordset(?::jsonb) as s(cle uuid, type text, item int, le float8)
    order by cle, le, type, item
  ), fresh as (
    select s.cle, s.type, s.item as item_id, at, s.type in ('reussi', 'a_revoir') as is_mark,
           s.type in ('reussi', 'a_revoir') or (s.type = 'termine' and not (${finishedOtherwise})) as finishes
    from sent s join item i on i.id = s.item join discipline d on d.id = i.discipline_id
         join enrolment e on e.user_id = ?::uuid and e.prepa_id = d.prepa_id ${timeWithinAccess('s.le', '?')}
    where case s.type when 'rouvert' then not (${finishedOtherwise}) else s.type in ('lu', 'termine') or i.corrige is not null end
          and not exists (select from offline_entry k where k.user_id = e.user_id and k.cle = s.cle)
  ), known as (
    select item_id, at from offline_entry where user_id = ? and type in ('reussi', 'a_revoir') and item_id in (select item_id from fresh where is_mark)
    union select item_id, marked_at from practice where user_id = ? and item_id in (select item_id from fresh where is_mark)
  ), counted as (
    select a.item_id, a.times - coalesce(b.times, 0) as times
    from (${practices('select item_id, at from known union select item_id, at from fresh where is_mark')}) a
         left join (${practices('select item_id, at from known')}) b on b.item_id = a.item_id
  ), remembered as (
    insert into offline_entry (user_id, cle, item_id, type, at, taken_at)
    select ?::uuid, cle, item_id, type, at, ?::timestamptz from fresh order by item_id, cle
  ), reopened as (
    select item_id, max(at) as at
    from (select item_id, at from fresh where type = 'rouvert'
          union all select item_id, at from offline_entry where user_id = ? and type = 'rouvert' and item_id in (select item_id from fresh)) r
    group by item_id
  ), opened as (
    insert into item_reading as kept (user_id, item_id, read_at, finished_at)
    select ?::uuid, f.item_id, max(f.at), min(f.at) filter (where f.finishes and (r.at is null or f.at > r.at))
    from fresh f left join reopened r on r.item_id = f.item_id group by f.item_id order by f.item_id
    on conflict (user_id, item_id) do update
    set read_at = greatest(kept.read_at, excluded.read_at), finished_at = least(kept.finished_at, excluded.finished_at)
  )
  insert into practice as kept (user_id, item_id, verdict, marked_at, times)
  select ?::uuid, f.item_id, (array_agg(f.type order by f.at desc, f.type))[1], max(f.at), c.times
  from fresh f join counted c on c.item_id = f.item_id where f.is_mark group by f.item_id, c.times order by f.item_id
  on conflict (user_id, item_id) do update
  set verdict = case when (excluded.marked_at, excluded.verdict = 'a_revoir') > (kept.marked_at, kept.verdict = 'a_revoir') then excluded.verdict else kept.verdict end,
      marked_at = greatest(kept.marked_at, excluded.marked_at), times = kept.times + excluded.times`;

/** SQL: an item finished before its last 'rouvert' gets the earliest finishing time after it, or none. */
const takeBack = `
  update item_reading r
  set finished_at = (select min(e.at) from offline_entry e where e.user_id = r.user_id and e.item_id = r.item_id and e.at > b.at
                                                                 and e.type in ('termine', 'reussi', 'a_revoir'))
  from (select item_id, max(at) as at from offline_entry where user_id = ? and item_id = any(?::int[]) and type = 'rouvert' group by item_id) b
  where r.user_id = ? and r.item_id = b.item_id and r.finished_at <= b.at`;

/** Stores entries. Requires `lockLearner` in the same transaction, so that concurrent calls of two devices count each other's entries. */
export async function takeEntries(
  tx: EntityManager,
  userId: string,
  now: Date,
  entries: readonly Omit<OutboxEntry, 'reponse' | 'seance'>[],
): Promise<void> {
  await tx.execute(take, [JSON.stringify(entries), userId, now, userId, userId, userId, now, userId, userId, userId]);
  const reopened = entries.filter(({ type }) => type === 'rouvert').map(({ item }) => item);
  if (reopened.length > 0) await tx.execute(takeBack, [userId, `{${reopened.join(',')}}`, userId]);
}

/** Returns those of the entries' keys that are stored. Requires `lockLearner` in the same transaction. */
export async function knownEntries(tx: EntityManager, userId: string, entries: readonly { cle: string }[]): Promise<string[]> {
  const keys = `{${entries.map(({ cle }) => cle).join(',')}}`;
  const rows = await tx.execute<{ cle: string }[]>('select cle from offline_entry where user_id = ? and cle = any(?::uuid[])', [
    userId,
    keys,
  ]);
  return rows.map(({ cle }) => cle);
}

interface MarkRow extends Omit<KeptMark, 'readAt' | 'markedAt'> {
  readAt: Date;
  markedAt: Date | null;
}

const marks = namedStatement<MarkRow>({
  name: 'content.offline-marks',
  text: `select i.id as item, coalesce(r.read_at, t.marked_at) as read_at, r.finished_at is not null as finished,
                case when i.corrige is not null then t.verdict end as verdict, case when i.corrige is not null then t.marked_at end as marked_at,
                coalesce(t.times, 0) as times
         from discipline d join item i on i.discipline_id = d.id
              left join item_reading r on r.user_id = $1 and r.item_id = i.id left join practice t on t.user_id = $1 and t.item_id = i.id
         where d.prepa_id = $3 and (r.item_id is not null or t.item_id is not null) and ${accessCondition('$1', 'd.prepa_id', '$2')}
         order by i.id limit ${maxItems}`,
});

/** Returns a learner's marks in a prepa; none when the learner may not read it now. */
export async function listMarks(em: EntityManager, userId: string, now: Date, prepaId: number): Promise<KeptMark[]> {
  const rows = await marks(em, [userId, now, prepaId]);
  return rows.map((row) => ({ ...row, readAt: row.readAt.getTime(), markedAt: row.markedAt?.getTime() ?? null }));
}
