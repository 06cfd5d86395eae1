import type { EntityManager } from '@mikro-orm/postgresql';
import { namedStatement } from '../../../platform/database/named-statement.ts';
import { dayIn, startOfDay } from '../../../shared/dates.ts';
import { type UpcomingExam, upcomingExamsSql } from '../../questions/index.ts';
import { type Plan, plansSql } from '../plan/plan.repository.ts';

/** Days ahead in which an end of access is mentioned. */
const endsWithinDays = 7;
/** A learner gets a letter this many days after the last one, at the earliest. */
const apartDays = 7;

/** A learner to whom a letter is to be sent now, and no other run sends one. */
export interface DueLetter {
  choiceId: number;
  email: string;
  username: string;
}
export interface DueWeekly extends DueLetter {
  /** Plans for all prepas, as `listPlans` returns them. */
  plans: Plan[];
  studied: string[];
  ends: EndRow[];
  /** The next mock exams that they may take. */
  exams: UpcomingExam[];
}
export interface DueEnd extends DueLetter, EndRow {}

/** An access that ends soon. */
export interface EndRow {
  prepaId: number | null;
  prepaNom: string;
  /** ISO 8601. */
  dateExpiration: string;
}

/** Part of the due letters. */
export interface Part<Due> {
  due: Due[];
  /** Where the next part begins; null when there is none. */
  next: Position | null;
}

/** The last row of a part: an enrolment's end and id, or the id of a learner's choices. */
export interface Position {
  at?: string;
  id: number;
}

/** SQL: whether the last letter is long enough ago. @param choice SQL alias @param day SQL */
const isApart = (choice: string, day: string): string => `coalesce(${choice}.sent_on <= ${day}::date - ${apartDays}, true)`;

// `offset 0` makes PostgreSQL read a learner's own accesses, instead of all that end within a week.
// The row lock is taken on rows that still meet the conditions, so that two runs take each letter once.
const claimingWeekly = namedStatement<Part<DueWeekly>>({
  name: 'letters.claim-weekly',
  text: `with page as materialized (
           select c.id from letter_choice c where c.weekly and c.id > $1 and ${isApart('c', '$3')} order by c.id limit $2),
         due as materialized (
           select c.id, c.user_id, c.ends from page join letter_choice c on c.id = page.id
           where c.weekly and ${isApart('c', '$3')} and (select u.blocked_at is null from app_user u where u.id = c.user_id)
             and (select true from enrolment e where e.user_id = c.user_id and e.statut = 'active' and e.date_expiration > $4
                  and exists (select from discipline d join item i on i.discipline_id = d.id join question q on q.item_id = i.id
                              where d.prepa_id = e.prepa_id and q.usable and q.position is not null) limit 1)
           for update of c skip locked),
         claimed as (update letter_choice c set sent_on = $3::date from due where c.id = due.id)
         select (select json_build_object('id', max(id)) from page having count(*) > 0) as next, coalesce((
           select json_agg(json_build_object('choiceId', due.id, 'email', u.email, 'username', u.username,
             'plans', ${plansSql('due.user_id', '$4', '$3')}, 'exams', ${upcomingExamsSql('$4', { learner: 'due.user_id' })},
             'studied', (select coalesce(json_agg(g.day::text order by g.day), '[]') from study_day g
                         where g.user_id = due.user_id and g.day > $3::date - 7 and g.day <= $3::date),
             'ends', (select coalesce(json_agg(json_build_object('prepaId', e.prepa_id, 'prepaNom', e.prepa_nom, 'dateExpiration', e.date_expiration)
                                      order by e.date_expiration, e.id), '[]')
                      from (select * from enrolment where due.ends and user_id = due.user_id offset 0) e
                      where e.statut = 'active' and e.date_expiration > $4 and e.date_expiration < $5))
             order by due.id)
           from due join app_user u on u.id = due.user_id), '[]') as due`,
});

/** Which part of the due letters to take. */
export interface Wanted {
  now: Date;
  /** Where the part before ended; null at first. */
  after: Position | null;
  /** Rows looked at. */
  size: number;
}

/** Takes weekly letters that are due: of learners who asked for them and have access to a prepa with questions. */
export async function claimWeeklyLetters(em: EntityManager, { now, after, size }: Wanted): Promise<Part<DueWeekly>> {
  const [part] = await claimingWeekly(em, [after?.id ?? 0, size, dayIn(now), now, startOfDay(now, endsWithinDays + 1)]);
  return part ?? { due: [], next: null };
}

// Learners are told in the order of their ids, so that two runs do not wait for each other's rows.
const claimingEnds = namedStatement<Part<DueEnd>>({
  name: 'letters.claim-ends',
  text: `with page as materialized (
           select e.id, e.user_id, e.prepa_id, e.prepa_nom, e.date_expiration from enrolment e
           where e.statut = 'active' and (e.date_expiration, e.id) > ($1::timestamptz, $2::int) and e.date_expiration < $3
             and not exists (select from letter_choice c where c.user_id = e.user_id
                             and not (c.ends and ${isApart('c', '$5')} and not (c.weekly and $6)))
           order by e.date_expiration, e.id limit $4),
         due as materialized (
           select distinct on (page.user_id) page.*, u.email, u.username from page join app_user u on u.id = page.user_id
           where u.blocked_at is null order by page.user_id, page.date_expiration, page.id),
         claimed as (
           insert into letter_choice as c (user_id, weekly, ends, sent_on) select user_id, false, true, $5::date from due
           on conflict (user_id) do update set sent_on = excluded.sent_on
             where c.ends and ${isApart('c', '$5')} and not (c.weekly and $6) returning c.id, c.user_id)
         select (select json_build_object('at', date_expiration, 'id', id) from page order by date_expiration desc, id desc limit 1) as next,
           coalesce((select json_agg(json_build_object('choiceId', claimed.id, 'email', due.email, 'username', due.username,
                       'prepaId', due.prepa_id, 'prepaNom', due.prepa_nom, 'dateExpiration', due.date_expiration)
                       order by due.date_expiration, due.id)
                     from due join claimed on claimed.user_id = due.user_id), '[]') as due`,
});

/**
 * Takes letters about accesses that end within the next seven days, not today.
 * @param besideWeekly whether the day is that of weekly letters, which name the ends themselves
 */
export async function claimEndLetters(em: EntityManager, { now, after, size }: Wanted, besideWeekly: boolean): Promise<Part<DueEnd>> {
  const from = [after?.at ?? startOfDay(now, 1), after?.id ?? 0];
  const [part] = await claimingEnds(em, [...from, startOfDay(now, endsWithinDays + 1), size, dayIn(now), besideWeekly]);
  return part ?? { due: [], next: null };
}

const giving = namedStatement({
  name: 'letters.give-back',
  text: 'update letter_choice set sent_on = null where id = any($1::int[])',
});

/** Gives back letters that were not sent, for a later run. */
export const giveBackLetters = async (em: EntityManager, choiceIds: number[]): Promise<void> => {
  await giving(em, [choiceIds]);
};
