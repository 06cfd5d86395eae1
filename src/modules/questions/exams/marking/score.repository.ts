import type { EntityManager } from '@mikro-orm/postgresql';

/** Returns SQL: a number rounded to hundredths, halves upwards also below zero, as `scoreOf` rounds. */
const rounded = (number: string): string => `floor(100 * (${number}) + 0.5) / 100`;

/**
 * Computes points, counts and ranks of all results of an exam from its judgements, in one statement. Points are exact until the sum, which
 * is rounded to hundredths. A question that is given to everybody counts as right, a neutralised one does not count at all.
 */
export async function scoreResults(tx: EntityManager, examId: number): Promise<void> {
  await tx.execute(
    `with rule as materialized (
            select id as exam_id, (bareme ->> 'juste')::numeric as juste, (bareme ->> 'faux')::numeric as faux, (bareme ->> 'sans')::numeric as sans
            from exam where id = ?),
          asked as materialized (
            select q.exam_id, q.question_id, q.paper_id, q.standing, q.points * rule.juste as if_right, q.points * rule.faux as if_wrong,
                   q.points * rule.sans as if_blank
            from exam_question q join rule using (exam_id) where q.standing <> 'neutralised'),
          -- What a paper gives to someone who answers nothing.
          blank as materialized (
            select exam_id, paper_id, sum(case standing when 'given' then if_right else if_blank end) as points,
                   count(*) filter (where standing = 'counted') as counted, count(*) filter (where standing = 'given') as given
            from asked group by exam_id, paper_id),
          answered as (
            select r.user_id, q.paper_id, sum(case when j.is_right then q.if_right else q.if_wrong end - q.if_blank) as gain,
                   count(*) filter (where j.is_right) as rights, count(*) filter (where not j.is_right) as wrongs
            from exam_result r cross join lateral jsonb_each(r.answers) a
                 join asked q on q.question_id = a.key and q.standing = 'counted'
                 join exam_judgement j on j.exam_id = q.exam_id and j.question_id = a.key and j.given = a.value
            where r.exam_id = (select exam_id from rule)
            group by r.user_id, q.paper_id),
          summed as (
            select r.user_id, ${rounded('coalesce(sum(b.points + coalesce(a.gain, 0)), 0)')} as points,
                   coalesce(sum(coalesce(a.rights, 0) + b.given), 0) as rights, coalesce(sum(a.wrongs), 0) as wrongs,
                   coalesce(sum(b.counted - coalesce(a.rights + a.wrongs, 0)), 0) as blanks,
                   coalesce(jsonb_object_agg(b.paper_id, trim_scale(${rounded('b.points + coalesce(a.gain, 0)')})) filter (where b.paper_id is not null), '{}') as by_paper
            from exam_result r left join blank b on b.exam_id = r.exam_id left join answered a on a.user_id = r.user_id and a.paper_id = b.paper_id
            where r.exam_id = (select exam_id from rule)
            group by r.user_id)
     update exam_result r
     set points = s.points, rights = s.rights, wrongs = s.wrongs, blanks = s.blanks, by_paper = s.by_paper, rank = s.rank
     from (select *, rank() over (order by points desc) from summed) s
     where r.exam_id = (select exam_id from rule) and r.user_id = s.user_id`,
    [examId],
  );
}
