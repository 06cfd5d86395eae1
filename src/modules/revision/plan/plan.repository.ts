import type { EntityManager } from '@mikro-orm/postgresql';
import { namedStatement } from '../../../platform/database/named-statement.ts';
import { dayIn } from '../../../shared/dates.ts';
import type { dayChoices } from '../../../shared/forms/concours.ts';
import { type DailyMinutes, defaultMinutes, type Outcome } from '../../../shared/revision/countdown.ts';
import { accessCondition } from '../../enrolment/index.ts';

export type DayChoice = (typeof dayChoices)[number];

/** A learner's plan for a prepa. Days are calendar days in Africa/Douala, `2026-12-21`. */
export interface Plan {
  prepaId: number;
  prepaNom: string;
  /** Whether the learner may read the prepa now. */
  access: boolean;
  choice: DayChoice;
  /** The date that counts; null for none. */
  day: string | null;
  /** The date that an administrator set for the prepa. */
  prepaDay: string | null;
  minutes: DailyMinutes;
  /** What the learner said about this day's concours; null before. */
  outcome: Outcome | null;
  /** Whether the prepa has a question that may be asked. */
  hasQuestions: boolean;
  /** The latest session of today; null without one. `asked` counts its questions and its exercise, `answered` its answered questions. */
  today: { id: string; part: number; isFinished: boolean; asked: number; answered: number; exercise: 'open' | 'done' | null } | null;
  /** Days since Monday on which the learner answered a question, in any prepa. */
  week: string[];
}

/** Days after the end of an access during which its concours is still asked about. */
const askedDays = 120;
/** Most prepas of a learner. */
const maxPlans = 50;

/** Returns SQL: the key under which a session's answer to a question is stored, as `keyFrom` returns it. @param session, question SQL aliases */
export const answerKeySql = (session: string, question: string): string =>
  `md5('["' || ${session}.id || '","' || ${question}.id || '"]')::uuid`;

/** Returns SQL: whether a practice gives the verdict of a session's exercise. @param practice, learner, item, session SQL */
export const markedInSession = (practice: string, learner: string, item: string, session: string): string =>
  `${practice}.user_id = ${learner} and ${practice}.item_id = ${item}
   and ${practice}.marked_at >= ${session}.started_at and ${practice}.marked_at < ${session}.started_at + interval '1 day'`;

/** Returns SQL: whether a step of a session can still be answered or marked. @param step with `id` and `item` */
const canBeAsked = (step: string): string =>
  `case when ${step}.item is null then exists (select from question q where q.id = ${step}.id and q.usable and q.position is not null)
             else exists (select from item i where i.id = ${step}.item and i.corrige is not null) end`;

/** Returns the statement of a learner's plans. @param learner, now and today SQL; `today` is the day in Africa/Douala, as text */
const plansOf = (learner: string, now: string, today: string): string => `
  select p.id as "prepaId", p.nom as "prepaNom", coalesce(s.choice, 'prepa') as choice, c.day::text as "prepaDay",
         coalesce(s.minutes, ${defaultMinutes}) as minutes, d.day::text as day, o.outcome, ${accessCondition(learner, 'p.id', now)} as access,
         exists (select from discipline d join item i on i.discipline_id = d.id join question q on q.item_id = i.id
                 where d.prepa_id = p.id and q.usable and q.position is not null) as "hasQuestions",
         (select json_build_object('id', t.id, 'part', t.part, 'isFinished', t.finished_at is not null, 'asked', (select count(*) from jsonb_to_recordset(t.asked) as w(id text, item int) where ${canBeAsked('w')}),
                   'answered', (select count(*) from jsonb_to_recordset(t.asked) as w(id text)
                                join question q on q.id = w.id and q.usable and q.position is not null
                                join answer a on a.user_id = ${learner} and a.cle = ${answerKeySql('t', 'w')} and a.question_id = w.id),
                   'exercise', (select case when w.passed or exists (select from practice x where ${markedInSession('x', learner, 'w.item', 't')}) then 'done' else 'open' end
                                from jsonb_to_recordset(t.asked) as w(id text, item int, passed boolean) where w.item is not null and ${canBeAsked('w')} limit 1))
          from daily_session t where t.user_id = ${learner} and t.prepa_id = p.id and t.day = ${today}::date order by t.part desc limit 1) as today,
         (select coalesce(json_agg(g.day::text order by g.day), '[]') from study_day g
          where g.user_id = ${learner} and g.day > ${today}::date - extract(isodow from ${today}::date)::int) as week
  from enrolment e join prepa p on p.id = e.prepa_id
       left join study_plan s on s.user_id = ${learner} and s.prepa_id = p.id
       left join concours c on c.prepa_id = p.id
       cross join lateral (select case coalesce(s.choice, 'prepa') when 'own' then s.day when 'prepa' then c.day end as day) d
       left join concours_outcome o on o.user_id = ${learner} and o.prepa_id = p.id and o.day = d.day
  where e.user_id = ${learner} and e.date_expiration > ${now}::timestamptz - interval '${askedDays} days'
  order by e.date_expiration desc, e.id desc limit ${maxPlans}`;

/** Returns SQL: JSON of `Plan[]`, for a page's own statement. */
export const plansSql = (learner: string, now: string, today: string): string =>
  `(select coalesce(json_agg(row_to_json(plan)), '[]') from (${plansOf(learner, now, today)}) plan)`;

/**
 * Returns SQL: whether the learner of an enrolment is asked for the date of the concours: on its first day, until they have a plan.
 * @param enrolment alias @param now SQL
 */
export const asksForDaySql = (enrolment: string, now: string): string =>
  `(${enrolment}.date_inscription > ${now}::timestamptz - interval '1 day'
    and not exists (select from study_plan s where s.user_id = ${enrolment}.user_id and s.prepa_id = ${enrolment}.prepa_id))`;

const plans = namedStatement<Plan>({ name: 'revision.plans', text: plansOf('$1', '$2', '$3') });

/** Returns a learner's plans for the prepas that are open, or were until recently; latest end first. */
export const listPlans = (em: EntityManager, userId: string, now: Date): Promise<Plan[]> => plans(em, [userId, now, dayIn(now)]);

const saving = namedStatement({
  name: 'revision.save-plan',
  text: `insert into study_plan (user_id, prepa_id, choice, day, minutes) values ($1, $2, $3, $4, $5)
         on conflict (user_id, prepa_id) do update set choice = excluded.choice, day = excluded.day, minutes = excluded.minutes`,
});

/** Stores a learner's date and daily time for a prepa. @param day the learner's own date; null unless `choice` is 'own' */
export const savePlan = async (
  em: EntityManager,
  userId: string,
  { prepaId, choice, day, minutes }: { prepaId: number; choice: DayChoice; day: string | null; minutes: number },
): Promise<void> => {
  await saving(em, [userId, prepaId, choice, day, minutes]);
};

const saying = namedStatement({
  name: 'revision.say-outcome',
  text: `insert into concours_outcome (user_id, prepa_id, day, outcome, answered_at) values ($1, $2, $3, $4, $5)
         on conflict (user_id, prepa_id, day) do update set outcome = excluded.outcome, answered_at = excluded.answered_at`,
});

/** Stores how the concours of that day went; a later answer replaces it. */
export const sayOutcome = async (
  em: EntityManager,
  userId: string,
  { prepaId, day, outcome, at }: { prepaId: number; day: string; outcome: Outcome; at: Date },
): Promise<void> => {
  await saying(em, [userId, prepaId, day, outcome, at]);
};
