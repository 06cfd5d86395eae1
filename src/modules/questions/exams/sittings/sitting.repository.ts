import type { EntityManager } from '@mikro-orm/postgresql';
import { batchedStatement } from '../../../../platform/database/batched-statement.ts';
import { namedStatement } from '../../../../platform/database/named-statement.ts';
import type { LateState, SittingEnding, StoredAnswer } from '../../../../shared/exams/exam-words.ts';
import { timeWithinAccess } from '../../../enrolment/index.ts';

/** A request of a candidate. Times are in ms. */
export interface Arrival {
  exam: number;
  learner: string;
  /** Time of arrival. */
  at: number;
  /** When the candidate began, as the page says. */
  started: number;
  /** Answers that the request brings; null for a start. */
  batch: { device: string; number: number; sent: number; answers: StoredAnswer[]; network: string } | null;
}

/** Why nothing was stored: no such exam or an erased learner, before its opening, without access, no start any more, answers after the publication, or too many batches. */
export type Refusal = 'gone' | 'early' | 'locked' | 'closed' | 'published' | 'full';

export interface SittingRow {
  startedAt: Date;
  endsAt: Date;
  /** Minutes. */
  grace: number;
  handedInAt: Date | null;
  ending: SittingEnding | null;
  receipt: string | null;
  /** Answers came after the grace. */
  late: LateState | null;
}

/** A device that has sent answers, with the number of its last batch. */
export interface DeviceRow {
  id: string;
  numero: number;
}

type Arrived = { devices: DeviceRow[] | null } & (
  | ({ refusal: null } & SittingRow)
  | { refusal: Refusal; prepaNom: string | null; opensAt: Date | null }
);

/** Most batches of a sitting. A page sends one every 15 s at most, and only when answers have changed: six hours of changes. */
const maxBatches = 1_500;

/** Most devices of a sitting that are listed. */
const maxDevices = 20;

/** SQL: the devices of a candidate as JSON. One look into the primary key for each, not one for each batch. The parameters are SQL. */
const devicesOf = (exam: string, learner: string): string => {
  const newest = `select device, number from exam_batch where exam_id = ${exam} and user_id = ${learner}`;
  return `(with recursive known as (
      (${newest} order by device desc, number desc limit 1)
      union all
      select n.device, n.number from known cross join lateral (${newest} and device < known.device order by device desc, number desc limit 1) n
    ) select json_agg(json_build_object('id', device, 'numero', number)) from (select * from known limit ${maxDevices}) d)`;
};

const time = (ms: string): string => `to_timestamp(${ms} / 1000.0)`;
/** SQL: the end of the sitting after this request. An earlier start shortens a sitting that is not handed in. */
const end = 'case when f.handed_in_at is null then least(f.ends_at, f.own_end) else f.ends_at end';
const isLate = `bool_or(b.number is not null and f.arrived > ${end} + make_interval(mins => f.grace))`;

/** SQL: whether a request brings answers that are not stored. Its batch may be null, or JSON's null. */
const bringsAnswers = `(g.batch #> '{answers,0}' is not null and not exists (
                  select from exam_batch b where b.exam_id = g.exam and b.user_id = g.learner
                  and b.device = (g.batch ->> 'device')::uuid and b.number = (g.batch ->> 'number')::int))`;

/** SQL: whether a sitting takes no further answers. Reads at most `maxBatches` entries of the primary key. */
const takesNoMore = `(x.published_at is not null or exists (
                  select from exam_batch b where b.exam_id = g.exam and b.user_id = g.learner offset ${maxBatches - 1}))`;

/** SQL: whether the learner had access when they began; it may have ended since. */
const hadAccess = `exists (select from enrolment e ${timeWithinAccess('b.start', 'g.arrived')}
                  where e.user_id = g.learner and e.prepa_id = x.prepa_id and e.statut <> 'cancelled')`;

/**
 * Begins sittings and stores batches. Everything of one request is in one statement, since there are thousands in a second. A sitting's row
 * is written at its start, by an earlier start that arrives later, and by answers after the grace; other batches only add their row.
 */
const arrive = batchedStatement<Arrived>({
  name: 'exams.arrive',
  maxEntries: 100,
  text: `
  with given as materialized (
    select g.*, ${time('at')} as arrived, ${time('started')} as said_start
    from rows from (jsonb_to_recordset($1::jsonb) as (exam int, learner uuid, at float8, started float8, batch jsonb))
      with ordinality as g (exam, learner, at, started, batch, position)
  ), found as materialized (
    select g.*, b.opens_at, x.grace, p.nom as prepa_nom, s.started_at, s.ends_at, s.handed_in_at, s.ending, s.receipt, s.late, b.start,
           least(b.start + make_interval(mins => x.duree), b.closes_at) as own_end,
           case when x.id is null or not exists (select from app_user u where u.id = g.learner and u.erased_at is null for key share) then 'gone'
                when g.arrived < b.opens_at then 'early'
                when s.user_id is not null then case when ${takesNoMore} and ${bringsAnswers} then case when x.published_at is null then 'full' else 'published' end end
                when b.start >= b.closes_at or x.marked_at is not null then 'closed'
                when x.audience = 'enrolled' and not ${hadAccess} then 'locked' end as refusal
    from given g
    left join exam x on x.id = g.exam and x.announced_at is not null
    left join prepa p on p.id = x.prepa_id
    left join exam_sitting s on s.exam_id = x.id and s.user_id = g.learner
    -- A start waits for an administrator who changes the times. Once marking may run, times change no more: its lock would hold batches up.
    left join lateral (
      select t.opens_at, t.closes_at from exam t
      where t.id = x.id and g.arrived < x.closes_at + make_interval(mins => x.grace)
        and (s.user_id is null or s.handed_in_at is null and g.said_start < s.started_at) for share) t on true
    cross join lateral (select coalesce(t.opens_at, x.opens_at) as opens_at, coalesce(t.closes_at, x.closes_at) as closes_at) c
    cross join lateral (select c.*, least(greatest(g.said_start, c.opens_at), g.arrived) as start) b
  ), batches as (
    select f.exam, f.learner, v.device, v.number, ${time('v.sent')} as sent, f.arrived, v.network,
           (select jsonb_agg(a.answer order by a.index) from jsonb_array_elements(v.answers) with ordinality as a (answer, index)
            where exists (select from exam_question q where q.exam_id = f.exam and q.question_id = a.answer ->> 'q')) as answers
    from found f cross join lateral jsonb_to_record(f.batch) as v (device uuid, number int, sent float8, answers jsonb, network text)
    where f.refusal is null and f.batch is not null and f.batch <> 'null'
  ), stored as (
    insert into exam_batch (exam_id, user_id, device, number, sent_at, received_at, answers, network)
    select exam, learner, device, number, sent, arrived, answers, network from batches where answers is not null
    order by exam, learner, device, number
    on conflict do nothing
    returning exam_id, user_id, device, number
  ), changed as (
    insert into exam_sitting as s (exam_id, user_id, started_at, ends_at, late)
    select f.exam, f.learner, min(f.start), min(f.own_end), case when ${isLate} then 'waiting' end
    from found f left join stored b on b.exam_id = f.exam and b.user_id = f.learner
      and b.device = (f.batch ->> 'device')::uuid and b.number = (f.batch ->> 'number')::int
    where f.refusal is null
    group by f.exam, f.learner
    having bool_or(f.started_at is null) or bool_or(f.handed_in_at is null and f.start < f.started_at) or ${isLate}
    order by f.exam, f.learner
    on conflict (exam_id, user_id) do update set
      started_at = case when s.handed_in_at is null then least(s.started_at, excluded.started_at) else s.started_at end,
      ends_at = case when s.handed_in_at is null and excluded.started_at < s.started_at then least(s.ends_at, excluded.ends_at) else s.ends_at end,
      late = coalesce(excluded.late, s.late)
    returning *
  )
  select f.position::int, f.refusal, f.prepa_nom, f.opens_at, f.grace, coalesce(c.started_at, f.started_at) as started_at,
         coalesce(c.ends_at, f.ends_at) as ends_at, coalesce(c.handed_in_at, f.handed_in_at) as handed_in_at,
         coalesce(c.ending, f.ending) as ending, coalesce(c.receipt, f.receipt) as receipt, coalesce(c.late, f.late) as late,
         case when f.refusal is null then ${devicesOf('f.exam', 'f.learner')} end as devices
  from found f left join changed c on c.exam_id = f.exam and c.user_id = f.learner`,
});

/** Begins the sitting of a learner, if none has begun, and stores the batch, unless it is stored. Answers to unknown questions are dropped. */
export const storeArrival = (em: EntityManager, arrival: Arrival): Promise<Arrived> => arrive(em, arrival);

interface HandIn {
  exam: number;
  learner: string;
  /** In ms. */
  at: number;
  /** When the site handed the sitting in, in ms, as the caller knows it; null if it has not. */
  known: number | null;
  ending: SittingEnding;
  /** Of the answers at `known`, else at `at`. */
  receipt: string;
}

type HandedIn = Pick<SittingRow, 'handedInAt' | 'ending' | 'receipt'>;

const handingIn = batchedStatement<HandedIn>({
  name: 'exams.hand-in',
  maxEntries: 100,
  text: `
  with given as materialized (
    select * from rows from (jsonb_to_recordset($1::jsonb) as (exam int, learner uuid, at float8, known float8, ending text, receipt text))
      with ordinality as g (exam, learner, at, known, ending, receipt, position)
  ), locked as materialized (
    -- In the order of the primary key, as all statements lock sittings: two never wait for each other.
    select s.exam_id, s.user_id from exam_sitting s
    where (s.exam_id, s.user_id) in (select exam, learner from given) and s.receipt is null
    order by s.exam_id, s.user_id for no key update
  ), handed as (
    update exam_sitting s set handed_in_at = coalesce(s.handed_in_at, ${time('g.at')}), ending = coalesce(s.ending, g.ending), receipt = g.receipt
    from (select distinct on (exam, learner) * from given order by exam, learner, position) g join locked l on l.exam_id = g.exam and l.user_id = g.learner
    where s.exam_id = l.exam_id and s.user_id = l.user_id and s.handed_in_at is not distinct from ${time('g.known')}
    returning s.exam_id, s.user_id, s.handed_in_at, s.ending, s.receipt
  )
  select g.position::int, coalesce(h.handed_in_at, s.handed_in_at) as handed_in_at, coalesce(h.ending, s.ending) as ending,
         coalesce(h.receipt, s.receipt) as receipt
  from given g left join exam_sitting s on s.exam_id = g.exam and s.user_id = g.learner
  left join handed h on h.exam_id = g.exam and h.user_id = g.learner`,
});

/**
 * Hands a sitting in, unless it was; returns the first hand-in. One of the site gets the receipt if the caller knows its time. All values
 * are null without the sitting: its learner was erased.
 */
export async function storeHandIn(em: EntityManager, handIn: HandIn): Promise<HandedIn> {
  const stored = await handingIn(em, handIn);
  // Another process handed it in since this statement began: the next one sees it.
  return stored.receipt ? stored : handingIn(em, handIn);
}

const boundsStatement = namedStatement<{ startedAt: Date; cut: Date }>({
  name: 'exams.bounds',
  text: 'select started_at, least(ends_at, handed_in_at) as cut from exam_sitting where exam_id = $1 and user_id = $2',
});

/** Returns the start of a sitting, and the time until which answers count; undefined before it begins. */
export const findBounds = async (em: EntityManager, examId: number, userId: string): Promise<{ startedAt: Date; cut: Date } | undefined> =>
  (await boundsStatement(em, [examId, userId]))[0];

const devicesStatement = namedStatement<{ devices: DeviceRow[] | null }>({
  name: 'exams.devices',
  text: `select ${devicesOf('$1', '$2')} as devices`,
});

/** Returns the devices that have sent answers of a sitting. */
export const findDevices = async (em: EntityManager, examId: number, userId: string): Promise<DeviceRow[]> =>
  (await devicesStatement(em, [examId, userId]))[0]?.devices ?? [];
