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
  /** The latest session of today; null without one. */
  today: { id: string; part: number; isFinished: boolean; asked: number; answered: number } | null;
  /** Days since Monday on which the learner answered a question, in any prepa. */
  week: string[];
}

/** Days after the end of an access during which its concours is still asked about. */
const askedDays = 120;
/** Most prepas of a learner. */
const maxPlans = 50;

const planColumns = `p.id as prepa_id, p.nom as prepa_nom, coalesce(s.choice, 'prepa') as choice, c.day::text as prepa_day,
  coalesce(s.minutes, ${defaultMinutes}) as minutes, d.day::text as day, o.outcome`;
/** SQL: a learner's plan for prepa `p`. @param learner SQL */
const planJoins = (learner: string) => `
  left join study_plan s on s.user_id = ${learner} and s.prepa_id = p.id
  left join concours c on c.prepa_id = p.id
  cross join lateral (select case coalesce(s.choice, 'prepa') when 'own' then s.day when 'prepa' then c.day end as day) d
  left join concours_outcome o on o.user_id = ${learner} and o.prepa_id = p.id and o.day = d.day`;

const plans = namedStatement<Plan>({
  name: 'revision.plans',
  text: `select ${planColumns}, ${accessCondition('$1', 'p.id', '$2')} as access,
                exists (select from discipline d join item i on i.discipline_id = d.id join question q on q.item_id = i.id
                        where d.prepa_id = p.id and q.usable and q.position is not null) as has_questions,
                (select json_build_object('id', t.id, 'part', t.part, 'isFinished', t.finished_at is not null, 'asked', jsonb_array_length(t.asked),
                          'answered', (select count(*) from jsonb_to_recordset(t.asked) as w(id text)
                                       join answer a on a.user_id = $1 and a.cle = md5(t.id::text || w.id)::uuid and a.question_id = w.id))
                 from daily_session t where t.user_id = $1 and t.prepa_id = p.id and t.day = $3 order by t.part desc limit 1) as today,
                (select coalesce(json_agg(g.day::text order by g.day), '[]') from study_day g
                 where g.user_id = $1 and g.day > $3::date - extract(isodow from $3::date)::int) as week
         from enrolment e join prepa p on p.id = e.prepa_id ${planJoins('$1')}
         where e.user_id = $1 and e.date_expiration > $2::timestamptz - interval '${askedDays} days'
         order by e.date_expiration desc, e.id desc limit ${maxPlans}`,
});

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
