import { subject } from './subject.ts';

/** Ids of the learner's open attempt at a series, and of their session of yesterday. */
export const ownAttempt = '00000000-0000-4000-8000-0000000000a1';
export const ownSession = '00000000-0000-4000-8000-0000000000b1';

const learner = `pg_temp.uuid_of(${subject})`;

/** What the learner who looks has answered, begun and planned in their three prepas, the same in every database; and a trial's diagnostic. */
export const subjectQuestions = (): string[] => [
  `create temporary table own_question as
   select o.n, o.id as item_id, o.kind, q.id, q.position, q.judged -> 'right' ->> 0 as right_choice, q.position % 3 > 0 as is_right,
          now() - interval '1 hour' * (o.place * 10 + q.position) as at
   from own_item o join question q on q.item_id = o.id where o.n < 3`,
  // Six of ten questions are answered, two of them wrong.
  `insert into question_state (user_id, question_id, key_version, first_given, first_right, last_right, last_at, wrong_at, right_days, rest)
   select ${learner}, id, 1, jsonb_build_object('choices', jsonb_build_array(case when is_right then right_choice else overlay(right_choice placing '2' from 12) end)),
          is_right, is_right, at, case when not is_right then at end, 0, null
   from own_question where position <= 6`,
  `insert into answer (user_id, cle, question_id, key_version, item_version, context, given, is_right, points, answered_at)
   select ${learner}, md5('own ' || question_id)::uuid, question_id, 1, 1, 'text', first_given, first_right, first_right::int, last_at
   from question_state where user_id = ${learner}`,
  `insert into series_attempt (id, user_id, item_id, mode, started_at)
   select '${ownAttempt}', ${learner}, min(item_id), 'learn', now() - interval '1 hour' from own_question where n = 0 and kind = 'quiz'`,
  `insert into study_plan (user_id, prepa_id, choice, day, minutes) select ${learner}, id, 'own', current_date + 40, 15 from numbered where n < 3`,
  `insert into study_day (user_id, day, answers, seconds) select ${learner}, current_date - n, 10, 300 from generate_series(1, 60) n`,
  `insert into daily_session (id, user_id, prepa_id, day, part, asked, started_at)
   select '${ownSession}', ${learner}, p.id, current_date - 1, 1, q.asked, now() - interval '1 day'
   from numbered p, (select jsonb_agg(jsonb_build_object('id', id, 'discipline', 0, 'isNew', position > 6, 'seconds', 30, 'reason', 'Nouvelle question')) as asked
                     from (select * from own_question where n = 0 order by item_id, position limit 20) first) q
   where p.n = 0`,
  `insert into diagnostic_question (discipline_id, question_id, position)
   select discipline_id, id, position from (
     select i.discipline_id, q.id, row_number() over (partition by i.discipline_id order by i.id, q.position) as position
     from item i join question q on q.item_id = i.id where i.key like 'growth-%' and i.kind = 'pastExam' and i.numero_page = 1) chosen
   where position <= 10`,
  // The learner's own test of a trial.
  `insert into answer (user_id, cle, question_id, key_version, item_version, context, given, is_right, points, answered_at)
   select ${learner}, md5('test ' || g.question_id)::uuid, g.question_id, 1, 1, 'diagnostic', '{"skipped": true}', false, 0, now() - interval '2 days'
   from numbered p join discipline d on d.prepa_id = p.id join diagnostic_question g on g.discipline_id = d.id where p.n = 5`,
  `insert into concours (prepa_id, day) select id, current_date + 10 + n % 200 from numbered where n > 2`,
];
