import type { EntityManager } from '@mikro-orm/postgresql';
import { namedStatement } from '../../../platform/database/named-statement.ts';
import type { ItemKind } from '../../../shared/item-kinds.ts';
import type { QuestionKind } from '../../../shared/rich-text/question-kinds.ts';
import { kindOrder } from '../../content/index.ts';
import { sectionSql } from '../answers/answer.repository.ts';

/** Fewest answers from which a question is judged. */
export const fewestAnswers = 5;
/** Questions per page of the list. */
export const pageSize = 25;

/** Why a question needs a look. */
export type Mark = 'negative' | 'misled' | 'hard' | 'easy' | 'unanswered';

/** What learners answered to a question, under the present version of its key. Each learner's first answer counts. */
export interface QuestionFigures {
  id: string;
  kind: QuestionKind;
  /** Position in its text, from 1. */
  position: number;
  itemId: number;
  itemKind: ItemKind;
  titre: string;
  numeroPage: number;
  annee: number | null;
  /** Rank of the item's kind in the discipline. */
  rank: number;
  /** The question's part of the text, without its key. */
  section: string;
  /** Ids of the right choices. */
  rightChoices: string[];
  /** How often each choice was chosen, by its id; null without any. */
  chosen: Record<string, number> | null;
  answered: number;
  rightFirst: number;
  skipped: number;
  /** Learners who have finished the question's series. */
  rated: number;
  /**
   * Point-biserial correlation of the first answer with the right first answers to the other questions of the series, over these
   * learners; null where it is not defined.
   */
  discrimination: number | null;
  /** Answers to earlier keys. */
  earlier: number;
  marks: Mark[];
}

/**
 * SQL of the questions of discipline $1 that may be asked, with their figures. It reads tallies only, so that its cost depends on the
 * number of questions, not of answers.
 */
const figures = `
  own as (select id, kind as item_kind, titre, numero_page, annee, ${kindOrder} as rank from item where discipline_id = $1),
  counted as (
    select q.id, q.kind, q.position, q.judged -> 'right' as right_choices, own.id as item_id, own.item_kind, own.titre, own.numero_page, own.annee, own.rank,
           coalesce(t.answered, 0) as answered, coalesce(t.right_first, 0) as right_first, coalesce(t.skipped, 0) as skipped, coalesce(t.rated, 0) as rated,
           (t.rated * t.rest_right - t.rated_right * t.rest_sum)::float8
             / nullif(sqrt(t.rated_right::float8 * (t.rated - t.rated_right)) * sqrt((t.rated * t.rest_squares - t.rest_sum * t.rest_sum)::float8), 0) as discrimination,
           (select coalesce(sum(e.answered), 0)::int from question_tally e where e.question_id = q.id and e.key_version <> q.key_version) as earlier,
           c.chosen, coalesce(c.most_wrong, 0) as most_wrong,
           case when c.right_seen = jsonb_array_length(q.judged -> 'right') then c.least_right else 0 end as least_right
    from own join question q on q.item_id = own.id and q.usable and q.position is not null
         left join question_tally t on t.question_id = q.id and t.key_version = q.key_version
         cross join lateral (
           select jsonb_object_agg(choice, chosen) as chosen, max(chosen) filter (where not is_right) as most_wrong,
                  min(chosen) filter (where is_right) as least_right, count(*) filter (where is_right) as right_seen
           from (select choice, chosen, jsonb_exists(q.judged -> 'right', choice) as is_right from choice_tally
                 where question_id = q.id and key_version = q.key_version) o) c),
  marked as materialized (
    select *, array_remove(case
      when answered = 0 then array['unanswered']
      when answered >= ${fewestAnswers} then array[
        case when rated >= ${fewestAnswers} and round(discrimination::numeric, 2) < 0 then 'negative' end,
        case when most_wrong > least_right then 'misled' end,
        case when right_first < 0.2 * answered then 'hard' end,
        case when right_first > 0.95 * answered then 'easy' end]
      else '{}' end, null) as marks
    from counted)`;

const columns = `id, kind, position, item_id, item_kind, titre, numero_page, annee, rank, right_choices, chosen, answered, right_first, skipped, rated,
                 discrimination, earlier, marks`;
const inOrderOfTexts = 'rank, numero_page, item_id, position';

interface ListedRow extends QuestionFigures {
  total: number;
  toLookAt: number;
  totalAnswered: number;
}

const listed = namedStatement<ListedRow | { [Name in keyof ListedRow]: ListedRow[Name] | null }>({
  name: 'questions.statistics',
  // Texts are read for the rows of the page only.
  text: `with ${figures},
              page as (select *, row_number() over (order by cardinality(marks) = 0 or answered = 0, answered = 0, ${inOrderOfTexts}) as place
                       from marked where not $2::boolean or cardinality(marks) > 0 order by place limit ${pageSize} offset ${pageSize} * ($3::int - 1)),
              sums as (select count(*)::int as total, count(*) filter (where cardinality(marks) > 0)::int as to_look_at,
                              coalesce(sum(answered), 0)::int as total_answered from marked)
         select sums.*, ${columns.replace(/\w+/g, 'page.$&')}, ${sectionSql('i.contenu', 'page.id')} as section
         from sums left join page on true left join item i on i.id = page.item_id order by page.place`,
});

export interface ListedFigures {
  /** Questions of the discipline that may be asked. */
  total: number;
  /** Those with a mark. */
  toLookAt: number;
  /** Answers to all of them. */
  answered: number;
  rows: QuestionFigures[];
}

/**
 * Returns a page of a discipline's questions: first those that answers mark, then the others, those without answers last.
 * @param onlyMarked only the questions with a mark @param page from 1
 */
export async function listFigures(em: EntityManager, disciplineId: number, onlyMarked: boolean, page: number): Promise<ListedFigures> {
  const rows = await listed(em, [disciplineId, onlyMarked, page]);
  const { total, toLookAt, totalAnswered } = rows[0] as ListedRow;
  return { total, toLookAt, answered: totalAnswered, rows: rows.filter((row): row is ListedRow => row.id !== null) };
}

const following = namedStatement<QuestionFigures>({
  name: 'questions.statistics-batch',
  text: `with ${figures},
              batch as (select * from marked where $2::int is null or (${inOrderOfTexts}) > ($2, $3::int, $4::int, $5::int)
                        order by ${inOrderOfTexts} limit $6::int)
         select ${columns.replace(/\w+/g, 'batch.$&')}, ${sectionSql('i.contenu', 'batch.id')} as section
         from batch join item i on i.id = batch.item_id order by ${inOrderOfTexts.replace(/\w+/g, 'batch.$&')}`,
});

/** Returns the next questions of a discipline in the order of its texts. @param last the last question of the batch before; null at the beginning */
export const nextFigures = (
  em: EntityManager,
  disciplineId: number,
  last: QuestionFigures | null,
  limit: number,
): Promise<QuestionFigures[]> =>
  following(em, [disciplineId, last?.rank ?? null, last?.numeroPage ?? null, last?.itemId ?? null, last?.position ?? null, limit]);
