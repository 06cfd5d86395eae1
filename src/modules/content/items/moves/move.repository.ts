import type { EntityManager } from '@mikro-orm/postgresql';
import { readRows } from '../../../../platform/database/rows.ts';

/** Most items and drafts that one request moves. */
export const mostMoved = 200;

const listOf = (ids: readonly number[]): string => `{${ids.join(',')}}`;

/** Returns the disciplines of items and drafts. An item with a draft has two rows with the same discipline. */
export const findPlaces = (tx: EntityManager, ids: readonly number[]): Promise<{ id: number; disciplineId: number }[]> =>
  readRows(
    tx,
    `select id, discipline_id from item where id = any(?::int[]) union all select id, discipline_id from item_draft where id = any(?::int[])`,
    [listOf(ids), listOf(ids)],
  );

/**
 * Locks the disciplines, then the items and drafts, each in id order, as all changes of lists do.
 * @returns the disciplines that exist
 */
export async function lockPlaces(tx: EntityManager, disciplines: readonly number[], ids: readonly number[]): Promise<Set<number>> {
  const locked = await tx.execute<{ id: number }[]>('select id from discipline where id = any(?::int[]) order by id for no key update', [
    listOf(disciplines),
  ]);
  for (const table of ['item', 'item_draft'])
    await tx.execute(`select id from ${table} where id = any(?::int[]) order by id for update`, [listOf(ids)]);
  return new Set(locked.map(({ id }) => id));
}

/**
 * The key by which a content folder finds the item again stays, unless an item of the new list has the same key. Pages are unique in a
 * list at the commit only.
 */
const arrive = `
  with target as (select ?::int as id),
       placed as (
         select i.id, row_number() over (partition by i.kind order by i.discipline_id, i.numero_page, i.id)
                      + (select count(*) from item o where o.discipline_id = target.id and o.kind = i.kind) as page,
                i.key is not null and row_number() over (partition by i.kind, i.key order by i.id) = 1
                      and not exists (select from item o where o.discipline_id = target.id and o.kind = i.kind and o.key = i.key) as keeps_key
         from item i, target where i.id = any(?::int[]) and i.discipline_id <> target.id)
  update item set discipline_id = target.id, numero_page = p.page, key = case when p.keeps_key then item.key end
  from placed p, target where item.id = p.id`;

const closeGaps = `
  update item set numero_page = r.page
  from (select id, row_number() over (partition by discipline_id, kind order by numero_page) as page
        from item where discipline_id = any(?::int[])) r
  where item.id = r.id and item.numero_page <> r.page`;

/** Moves the locked rows to the end of the lists of their new discipline, and renumbers those that they leave. */
export async function moveRows(
  tx: EntityManager,
  { ids, sources, disciplineId }: { ids: readonly number[]; sources: readonly number[]; disciplineId: number },
): Promise<void> {
  await tx.execute(arrive, [disciplineId, listOf(ids)]);
  await tx.execute('update item_draft set discipline_id = ? where id = any(?::int[])', [disciplineId, listOf(ids)]);
  await tx.execute(closeGaps, [listOf(sources)]);
}

/** Removes the questions of moved items from the diagnostics of other disciplines. */
export const outsideDiagnostics = (tx: EntityManager, ids: readonly number[], disciplineId: number): Promise<unknown> =>
  tx.execute(
    `delete from diagnostic_question g using question q
     where q.id = g.question_id and q.item_id = any(?::int[]) and g.discipline_id <> ?`,
    [listOf(ids), disciplineId],
  );

/** SQL of the audit log's rows of a move: one for each item or draft. */
export const saidMoves = `
  select p.kind as subject, p.id as subject_id, p.titre as label, ${placeJson('d', 'v', 'p.page')} as before, ${placeJson('t', 'w', 'null::int')} as after
  from (select ?::int as id) target join discipline t on t.id = target.id join prepa w on w.id = t.prepa_id
       join (select id, discipline_id, kind, titre, numero_page as page from item
             union all
             select id, discipline_id, kind, coalesce(nullif(titre, ''), 'Sans titre'), null from item_draft d
             where not exists (select from item i where i.id = d.id)) p on p.id = any(?::int[]) and p.discipline_id <> t.id
       join discipline d on d.id = p.discipline_id join prepa v on v.id = d.prepa_id`;

function placeJson(discipline: string, prepa: string, page: string): string {
  return `jsonb_strip_nulls(jsonb_build_object('preparation', ${prepa}.nom, 'discipline', ${discipline}.nom, 'discipline_id', ${discipline}.id, 'numero_page', ${page}))`;
}
