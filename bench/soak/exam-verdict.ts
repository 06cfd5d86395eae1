/** Compares a marked exam with what its candidates were told, by SQL apart from the application's. */
import type { TestExam } from '../../test/support/exams.ts';
import { sql } from '../../test/support/sql.ts';
import type { CandidatesResult } from './exam-candidates.ts';

/**
 * Returns what differs.
 * - `lost`: acknowledged answers that do not count as they were given, and candidates without their hand-in or result
 * - `double`: candidates with more stored batches than the different ones that they sent
 * - `ranks`: candidates whose points or rank differ from those of the acknowledged answers; the first choice is right
 */
export async function compareExam(
  url: string,
  { id, questions }: TestExam,
  { answers, batches, handedIn }: CandidatesResult,
): Promise<{ answers: number; lost: number; double: number; ranks: number }> {
  const [found] = await sql<{ answers: number; lost: number; double: number; ranks: number }>(
    url,
    `with told as materialized (
       select u.id, t.answers, t.batches, t.handed_in from unnest($2::text[], $3::int[], $4::boolean[]) with ordinality as t (answers, batches, handed_in, n)
       join app_user u on u.username = 'candidat_' || t.n),
     asked as materialized (select q ->> 'id' as id, q -> 'choices' as choices, n::int from jsonb_array_elements($5::jsonb) with ordinality as q (q, n)),
     given as materialized (
       select told.id as user_id, asked.id as question_id, asked.choices ->> substr(told.answers, asked.n, 1)::int as choice
       from told cross join asked where substr(told.answers, asked.n, 1) <> '-'),
     settled as materialized (
       select r.user_id, e.key as question_id, e.value -> 'choices' ->> 0 as choice from exam_result r cross join jsonb_each(r.answers) e where r.exam_id = $1),
     points as (select id, length(answers) - length(replace(answers, '0', '')) as points from told where batches > 0),
     levels as (select points, count(*) as many from points group by points),
     ranked as (select p.id, p.points, 1 + coalesce((select sum(l.many) from levels l where l.points > p.points), 0) as rank from points p)
     select (select count(*)::int from given) as answers,
       (select count(*)::int from given g full join settled s using (user_id, question_id) where g.choice is distinct from s.choice)
       + (select count(*)::int from told left join exam_sitting s on s.exam_id = $1 and s.user_id = told.id
          where told.handed_in and (s.ending is distinct from 'candidate' or s.receipt is null)) as lost,
       (select count(*)::int from told where told.batches <> (select count(*) from exam_batch b where b.exam_id = $1 and b.user_id = told.id)) as double,
       (select count(*)::int from ranked full join (select * from exam_result where exam_id = $1) r on r.user_id = ranked.id
        where r.points is distinct from ranked.points or r.rank is distinct from ranked.rank) as ranks`,
    [id, answers, batches, handedIn, JSON.stringify(questions)],
  );
  if (!found) throw new Error('no verdict');
  return found;
}
