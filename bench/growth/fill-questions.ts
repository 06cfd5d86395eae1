import type { Size } from './sizes.ts';

/** Questions at the end of each past exam and each series; each has four choices, of which the first is right. */
const perItem = 10;
/** SQL ids of question n of item i, and of its choice c: 12 characters each. */
const question = `'q' || lpad(i.id::text, 8, '0') || lpad(n::text, 3, '0')`;
const choice = `'c' || lpad(i.id::text, 8, '0') || lpad((n * 10 + c)::text, 3, '0')`;

const judged = `jsonb_build_object('kind', 'one', 'right', jsonb_build_array(c1.id), 'value', '', 'tolerance', '', 'unit', '', 'accepted', '[]'::jsonb)`;

/** Adds a series to each discipline, and questions to series and past exams, before the search words of the items are written. */
export const questionsOfItems = (): string[] => [
  `insert into item (discipline_id, kind, key, titre, numero_page, duree, bareme, contenu, version, created_at, updated_at)
   select d.id, 'quiz', 'growth-series', 'Série de ' || d.nom, 1, 20, '{"juste": 1, "faux": 0, "sans": 0}', '<p>Lisez chaque question.</p>', 1,
          now() - interval '300 days', now() - interval '200 days'
   from discipline d where d.key like 'growth-%' order by d.id`,
  `create temporary table asked as
   select i.id as item_id, n as position, ${question} as id, ${judged} as judged,
          '<section class="question" data-id="' || ${question} || '" data-kind="one"><header><p>Combien font ' || n || ' + 2 ?</p></header>'
            || (select string_agg('<article data-id="' || ${choice} || '"><p>' || n + 1 + c || '</p></article>', '' order by c) from generate_series(1, 4) c)
            || '</section>' as section
   from item i, generate_series(1, ${perItem}) n, lateral (select ${choice} as id from (select 1 as c) one) c1
   where i.key like 'growth-%' and i.kind in ('pastExam', 'quiz')`,
  `insert into question (id, item_id, position, kind, points, key, judged, usable)
   select id, item_id, position, 'one', 1, judged || jsonb_build_object('id', id, 'points', 1, 'remarks', '{}'::jsonb, 'explanation', null, 'usable', true), judged, true
   from asked order by item_id, position`,
  `update item set contenu = contenu || a.sections, keys = a.keys
   from (select asked.item_id, string_agg(section, '' order by asked.position) as sections, jsonb_agg(key order by asked.position) as keys
         from asked join question using (id) group by asked.item_id) a where a.item_id = item.id`,
];

/** Learners' answers to questions. Questions of prepas with small numbers have the most answers. */
export const answersOf = ({ learners, answers }: Size): string[] => [
  `create temporary table ranked as
   select (row_number() over (order by p.n, d.id, q.item_id, q.position))::int - 1 as rank, q.id, q.judged -> 'right' ->> 0 as right_choice
   from question q join item i on i.id = q.item_id join discipline d on d.id = i.discipline_id join numbered p on p.id = d.prepa_id`,
  'create unique index on ranked (rank)',
  'analyze ranked',
  `insert into question_state (user_id, question_id, key_version, first_given, first_right, last_right, last_at, wrong_at, right_days, rest)
   select pg_temp.uuid_of(11 + floor((${learners} - 10) * pg_temp.dice(g, 61))::int), q.id, 1,
          case when a.is_right then jsonb_build_object('choices', jsonb_build_array(q.right_choice))
               when pg_temp.dice(g, 62) < 0.2 then '{"skipped": true}'
               else jsonb_build_object('choices', jsonb_build_array(overlay(q.right_choice placing (2 + floor(3 * pg_temp.dice(g, 63)))::int::text from 12))) end,
          a.is_right, a.is_right, a.at, case when not a.is_right then a.at end, 0, case when g % 4 > 0 then floor(10 * pg_temp.dice(g, 64))::int end
   from generate_series(1, ${answers}) g join ranked q on q.rank = floor((select count(*) from ranked) * pg_temp.dice(g, 65) ^ 4)::int,
        lateral (select pg_temp.dice(g, 66) < 0.6 as is_right, now() - interval '300 days' * pg_temp.dice(g, 67) as at) a
   on conflict do nothing`,
  `insert into answer (user_id, cle, question_id, key_version, item_version, context, given, is_right, points, answered_at)
   select user_id, md5(user_id::text || question_id)::uuid, question_id, 1, 1, 'text', first_given, first_right, first_right::int, last_at from question_state`,
];

/** The tallies of these answers, whose triggers were off. */
export const talliesOfAnswers = (): string[] => [
  `insert into question_tally (question_id, key_version, answered, right_first, skipped, rated, rated_right, rest_sum, rest_squares, rest_right)
   select question_id, key_version, count(*), count(*) filter (where first_right), count(*) filter (where jsonb_exists(first_given, 'skipped')), count(rest),
          count(rest) filter (where first_right), coalesce(sum(rest), 0), coalesce(sum(rest * rest), 0), coalesce(sum(rest) filter (where first_right), 0)
   from question_state group by 1, 2 order by 1, 2`,
  `insert into choice_tally (question_id, key_version, choice, chosen)
   select question_id, key_version, choice, count(*) from question_state, jsonb_array_elements_text(first_given -> 'choices') choice group by 1, 2, 3 order by 1, 2, 3`,
];
