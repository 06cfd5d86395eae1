import type { EntityManager } from '@mikro-orm/postgresql';
import { namedStatement } from '../../../../platform/database/named-statement.ts';
import { groupShare, type ItemSums, type PaperSums } from '../../../../shared/exams/item-analysis.ts';

export interface QuestionSums extends ItemSums {
  questionId: string;
  /** Candidates who answered. */
  answered: number;
  /** How often each choice was chosen; null for a typed answer. */
  chosen: Record<string, number> | null;
  /** The most frequent wrong texts of a typed answer, with their counts; null for choices. */
  typed: { text: string; count: number }[] | null;
}

/** Most wrong texts shown. */
const mostTexts = 5;

const sums = namedStatement<PaperSums & { questions: QuestionSums[] }>({
  name: 'exams.analysis',
  // The score is the number of right answers to questions that count by their key. Of equal scores at the edge of a group the ids decide.
  text: `with given as materialized (
                select r.user_id, a.key as question_id, a.value as given, j.is_right
                from exam_result r cross join lateral jsonb_each(r.answers) a
                     join exam_question q on q.exam_id = r.exam_id and q.question_id = a.key and q.standing = 'counted'
                     join exam_judgement j on j.exam_id = r.exam_id and j.question_id = a.key and j.given = a.value
                where r.exam_id = $1),
              scored as materialized (
                select user_id, score, row_number() over (order by score desc, user_id) as from_top, row_number() over (order by score, user_id desc) as from_bottom
                from (select r.user_id, count(g.user_id) filter (where g.is_right)::int as score
                      from exam_result r left join given g on g.user_id = r.user_id where r.exam_id = $1 group by r.user_id) s),
              paper as materialized (
                select count(*)::int as candidates, coalesce(sum(score), 0)::int as scores, coalesce(sum(score * score), 0)::int as squares,
                       round(${groupShare} * count(*))::int as in_group from scored),
              item as (
                select g.question_id, count(*)::int as answered, count(*) filter (where g.is_right)::int as "right",
                       coalesce(sum(s.score) filter (where g.is_right), 0)::int as scores,
                       count(*) filter (where g.is_right and s.from_top <= p.in_group)::int as upper,
                       count(*) filter (where g.is_right and s.from_bottom <= p.in_group)::int as lower
                from given g join scored s on s.user_id = g.user_id cross join paper p group by g.question_id),
              value as materialized (select question_id, given, is_right, count(*)::int as count from given group by question_id, given, is_right),
              choice as (
                select question_id, jsonb_object_agg(choice, count) as chosen
                from (select v.question_id, c.choice, sum(v.count)::int as count from value v
                           cross join lateral jsonb_array_elements_text(v.given -> 'choices') as c(choice)
                      where jsonb_exists(v.given, 'choices') group by v.question_id, c.choice) c group by question_id),
              typed as (
                select question_id, jsonb_agg(jsonb_build_object('text', given ->> 'typed', 'count', count) order by count desc, given ->> 'typed') as typed
                from (select *, row_number() over (partition by question_id order by count desc, given ->> 'typed') as place
                      from value where jsonb_exists(given, 'typed') and not is_right) t where place <= ${mostTexts} group by question_id)
         select p.candidates, p.scores, p.squares, p.in_group as "group", (select count(*)::int from exam_question where exam_id = $1 and standing = 'counted') as items,
                coalesce((select json_agg(json_build_object('questionId', q.question_id, 'answered', coalesce(i.answered, 0), 'right', coalesce(i."right", 0),
                            'scores', coalesce(i.scores, 0), 'upper', coalesce(i.upper, 0), 'lower', coalesce(i.lower, 0),
                            'chosen', case when q.key ->> 'kind' in ('one', 'several') then coalesce(c.chosen, '{}') end,
                            'typed', case when q.key ->> 'kind' in ('number', 'text') then coalesce(t.typed, '[]') end) order by q.position)
                          from exam_question q left join item i using (question_id) left join choice c using (question_id) left join typed t using (question_id)
                          where q.exam_id = $1 and q.standing = 'counted'), '[]') as questions
         from paper p`,
});

/** Returns the sums of a marked exam and of its questions that count. Reads all its answers: called once per marking. */
export async function sumAnswers(em: EntityManager, examId: number): Promise<PaperSums & { questions: QuestionSums[] }> {
  const [row] = await sums(em, [examId]);
  return row ?? { candidates: 0, items: 0, scores: 0, squares: 0, group: 0, questions: [] };
}

export interface ResultLine {
  userId: string;
  username: string;
  rank: number;
  points: number;
  rights: number;
  wrongs: number;
  blanks: number;
  byPaper: Record<string, number>;
  startedAt: Date;
  handedInAt: Date | null;
  ending: 'candidate' | 'time' | 'site' | null;
}

const lines = namedStatement<ResultLine>({
  name: 'exams.result-lines',
  text: `select r.user_id, u.username, r.rank, r.points::float8 as points, r.rights, r.wrongs, r.blanks, r.by_paper, s.started_at, s.handed_in_at, s.ending
         from exam_result r join app_user u on u.id = r.user_id join exam_sitting s on s.exam_id = r.exam_id and s.user_id = r.user_id
         where r.exam_id = $1 and (r.rank, r.user_id) > ($2::int, $3::uuid) order by r.rank, r.user_id limit $4`,
});

/** Before the first result. */
export const atBeginning = { rank: 0, userId: '00000000-0000-0000-0000-000000000000' };

/** Returns the next results of an exam, by rank. @param last the last result of the lines before */
export const nextResults = (
  em: EntityManager,
  examId: number,
  last: Pick<ResultLine, 'rank' | 'userId'>,
  limit: number,
): Promise<ResultLine[]> => lines(em, [examId, last.rank, last.userId, limit]);

export interface SimilarPair {
  one: string;
  other: string;
  oneId: string;
  otherId: string;
  /** Candidates of the network. */
  people: number;
  /** Questions to which both gave the same wrong answer. */
  same: number;
  /** Wrong answers of each. */
  oneWrong: number;
  otherWrong: number;
  oneRank: number;
  otherRank: number;
}

/** Most candidates of a network that are compared: mobile networks put thousands behind one address, which says nothing of them. */
export const largestNetwork = 30;
/** Fewest same wrong answers of a pair, and their least share of the wrong answers of each. */
export const fewestSame = 5;
export const leastShare = 0.8;
const mostPairs = 100;

const pairs = namedStatement<SimilarPair>({
  name: 'exams.similar',
  text: `with sender as materialized (select distinct network, user_id from exam_batch where exam_id = $1),
              small as materialized (
                select network, user_id, people from (select *, count(*) over (partition by network)::int as people from sender) s where people between 2 and ${largestNetwork}),
              wrong as materialized (
                select r.user_id, a.key as question_id, j.given, count(*) over (partition by r.user_id)::int as wrongs
                from exam_result r cross join lateral jsonb_each(r.answers) a
                     join exam_question q on q.exam_id = r.exam_id and q.question_id = a.key and q.standing = 'counted'
                     join exam_judgement j on j.exam_id = r.exam_id and j.question_id = a.key and j.given = a.value and not j.is_right
                where r.exam_id = $1 and r.user_id in (select user_id from small)),
              told as materialized (select s.network, s.people, w.* from small s join wrong w on w.user_id = s.user_id where w.wrongs >= ${fewestSame}),
              pair as (
                select o.user_id as one_id, t.user_id as other_id, min(o.people) as people, count(distinct o.question_id)::int as same,
                       min(o.wrongs) as one_wrong, min(t.wrongs) as other_wrong
                from told o join told t on t.network = o.network and t.question_id = o.question_id and t.given = o.given and t.user_id > o.user_id
                group by o.user_id, t.user_id)
         select u.username as one, v.username as other, p.one_id, p.other_id, p.people, p.same, p.one_wrong, p.other_wrong, r.rank as one_rank, s.rank as other_rank
         from pair p join app_user u on u.id = p.one_id join app_user v on v.id = p.other_id
              join exam_result r on r.exam_id = $1 and r.user_id = p.one_id join exam_result s on s.exam_id = $1 and s.user_id = p.other_id
         where p.same >= ${fewestSame} and p.same >= ${leastShare} * greatest(p.one_wrong, p.other_wrong)
         order by p.same desc, p.one_id, p.other_id limit ${mostPairs}`,
});

/** Returns pairs of candidates of one network with the same wrong answers, the most alike first. */
export const findSimilar = (em: EntityManager, examId: number): Promise<SimilarPair[]> => pairs(em, [examId]);

const networks = namedStatement<{ batches: boolean; large: number }>({
  name: 'exams.networks',
  text: `select count(*) > 0 as batches, count(*) filter (where people > ${largestNetwork})::int as large
         from (select count(distinct user_id) as people from exam_batch where exam_id = $1 group by network) n`,
});

/** Returns whether the networks of an exam are still stored, and how many are too large to compare their candidates. */
export const countNetworks = async (em: EntityManager, examId: number) => (await networks(em, [examId]))[0] ?? { batches: false, large: 0 };
