import type { EntityManager } from '@mikro-orm/postgresql';
import { namedStatement } from '../../../platform/database/named-statement.ts';
import type { ItemKind } from '../../../shared/item-kinds.ts';
import { diagnosticCandidates, diagnosticJoin, orderOfCandidates } from '../../content/index.ts';

/** Most questions of an item that the page lists. */
export const maxListed = 200;

/** An item of the trial with the questions that may be chosen. */
export interface ChoosableItem {
  itemId: number;
  kind: ItemKind;
  titre: string;
  annee: number | null;
  numeroPage: number;
  contenu: string;
  /** In the order of the text. */
  questions: { id: string; isChosen: boolean }[];
}

const choosable = namedStatement<ChoosableItem>({
  name: 'questions.choosable',
  text: `select i.id as item_id, i.kind, i.titre, i.annee, i.numero_page, i.contenu, c.questions
         from (
           select q.item_id, q.rank, json_agg(json_build_object('id', q.id, 'isChosen', g.question_id is not null) order by q.position) as questions
           from (select q.id, q.item_id, q.position, i.rank, row_number() over (partition by q.item_id order by q.position) as nth
                 from ${diagnosticCandidates('d.id = $1')}) q
                left join diagnostic_question g on g.question_id = q.id and g.discipline_id = $1
           where q.nth <= ${maxListed} group by q.item_id, q.rank) c
         join item i on i.id = c.item_id order by c.rank`,
});

/** Returns the items that the trial of a discipline shows, with their questions without a fault. */
export const listChoosable = (em: EntityManager, disciplineId: number): Promise<ChoosableItem[]> => choosable(em, [disciplineId]);

const lost = namedStatement<{ lost: number }>({
  name: 'questions.lost-choices',
  text: `select (select count(*)::int from diagnostic_question where discipline_id = $1)
                - (select count(*)::int from discipline d ${diagnosticJoin('d')} where d.id = $1) as lost`,
});

/** Returns the number of chosen questions that cannot be asked now. */
export const countLost = async (em: EntityManager, disciplineId: number): Promise<number> => (await lost(em, [disciplineId]))[0]?.lost ?? 0;

/** Locks a discipline, so that choices are stored one after the other. @returns its name; null when it does not exist */
export async function lockDiscipline(tx: EntityManager, disciplineId: number): Promise<string | null> {
  const [row] = await tx.execute<{ nom: string }[]>('select nom from discipline where id = ? for update', [disciplineId]);
  return row?.nom ?? null;
}

/**
 * Stores the chosen questions of a discipline, in the order of the texts. Those that may not be chosen are left out.
 * @returns the number of questions stored
 */
export async function storeChoice(tx: EntityManager, disciplineId: number, ids: readonly string[]): Promise<number> {
  const [row] = await tx.execute<{ stored: number }[]>(
    `with chosen as (
       select q.id, row_number() over (order by ${orderOfCandidates}) as position
       from ${diagnosticCandidates('d.id = ?')} and q.id = any(?::text[])),
     gone as (delete from diagnostic_question where discipline_id = ? and question_id not in (select id from chosen)),
     kept as (
       insert into diagnostic_question as g (discipline_id, question_id, position) select ?, id, position from chosen
       on conflict (discipline_id, question_id) do update set position = excluded.position where g.position <> excluded.position)
     select count(*)::int as stored from chosen`,
    [disciplineId, `{${ids.join(',')}}`, disciplineId, disciplineId],
  );
  return row?.stored ?? 0;
}

/** Returns the chosen questions for the audit log: each item with the numbers of its questions; null without any. */
export async function describeChoice(tx: EntityManager, disciplineId: number): Promise<string | null> {
  const [row] = await tx.execute<{ said: string | null }[]>(
    `select string_agg(titre || ' : ' || numbers, ' ; ' order by first) as said from (
       select i.titre, min(g.position) as first, string_agg(coalesce(q.position::text, 'retirée'), ', ' order by g.position) as numbers
       from diagnostic_question g join question q on q.id = g.question_id join item i on i.id = q.item_id
       where g.discipline_id = ? group by i.id) items`,
    [disciplineId],
  );
  return row?.said ?? null;
}
