import type { EntityManager } from '@mikro-orm/postgresql';
import { maxDiagnosticQuestions } from '../../../../shared/questions/diagnostic.ts';
import { kindOrder, openInTrial } from '../item.repository.ts';

/** SQL: a question that may be asked. */
const usable = 'q.usable and q.position is not null';

/**
 * Returns SQL after `from`: the questions `q`, with their item `i`, that may stand in the diagnostic of discipline `d`: without a fault, in
 * an item that the trial shows. `i.rank`: order of the item's section.
 * @param discipline SQL condition of `d`
 */
export const diagnosticCandidates = (discipline: string): string =>
  `discipline d join lateral (select *, ${kindOrder} as rank from item where discipline_id = d.id) i on ${openInTrial('i')}
   join question q on q.item_id = i.id and ${usable} where ${discipline}`;

/** SQL: the order of these questions in their texts. */
export const orderOfCandidates = 'i.rank, i.numero_page, q.position';

/** Returns SQL: joins the questions `q`, in place `g.position`, that a discipline's diagnostic asks now, with their item `i`. @param d alias */
export const diagnosticJoin = (d: string): string => `join diagnostic_question g on g.discipline_id = ${d}.id
   join question q on q.id = g.question_id and ${usable}
   join item i on i.id = q.item_id and i.discipline_id = ${d}.id and ${openInTrial('i')}`;

/** Returns SQL: the number of questions that a discipline's diagnostic asks. @param discipline SQL of its id */
export const diagnosticCount = (discipline: string): string =>
  `(select count(*)::int from discipline own ${diagnosticJoin('own')} where own.id = ${discipline})`;

/**
 * Gives each of these disciplines that has no diagnostic yet one with its first questions.
 * @param disciplines JSON with `prepa_key` and `key` @returns the number of questions added
 */
export async function startDiagnostics(tx: EntityManager, disciplines: string): Promise<number> {
  const added = await tx.execute<object[]>(
    `insert into diagnostic_question (discipline_id, question_id, position)
     select discipline_id, id, position from (
       select d.id as discipline_id, q.id, row_number() over (partition by d.id order by ${orderOfCandidates}) as position
       from ${diagnosticCandidates(`d.id in (
         select n.id from jsonb_to_recordset(?::jsonb) as r(prepa_key text, key text)
         join prepa p on p.key = r.prepa_key join discipline n on n.prepa_id = p.id and n.key = r.key)
         and not exists (select from diagnostic_question g where g.discipline_id = d.id)`)}) candidate
     where position <= ${maxDiagnosticQuestions} returning question_id`,
    [disciplines],
  );
  return added.length;
}
