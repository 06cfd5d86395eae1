import type { EntityManager } from '@mikro-orm/postgresql';
import { readRows } from '../../../../platform/database/rows.ts';
import { AppError } from '../../../../platform/errors.ts';
import type { QuestionKey } from '../../../../shared/questions/question-keys.ts';

/** Returns those of the ids that belong to questions of other items. @param itemId null for a new item */
export async function idsOfOtherItems(em: EntityManager, ids: readonly string[], itemId: number | null): Promise<Set<string>> {
  if (ids.length === 0) return new Set();
  const rows = await readRows<{ id: string }>(em, 'select id from question where id = any(?::text[]) and item_id is distinct from ?::int', [
    `{${ids.join(',')}}`,
    itemId,
  ]);
  return new Set(rows.map(({ id }) => id));
}

/**
 * The rows of questions that the text no longer has stay without a position: a restored version finds its statistics. A changed key
 * begins new statistics; points, remarks and explanation do not change it.
 */
const store = `
  with given as (
    select * from jsonb_to_recordset(?::jsonb) as g(item_id int, id text, position int, kind text, points numeric, key jsonb, judged jsonb, usable boolean)
  ), gone as (
    update question set position = null where item_id in (select jsonb_array_elements(?::jsonb)::int) and position is not null and id not in (select id from given)
  )
  insert into question as q (id, item_id, position, kind, points, key, judged, usable)
  select id, item_id, position, kind, points, key, judged, usable from given
  on conflict (id) do update set
    position = excluded.position, kind = excluded.kind, points = excluded.points, key = excluded.key, judged = excluded.judged,
    usable = excluded.usable, key_version = q.key_version + (case when q.judged is distinct from excluded.judged then 1 else 0 end)
  where q.item_id = excluded.item_id
    and (q.position, q.kind, q.points, q.key, q.usable)
        is distinct from (excluded.position, excluded.kind, excluded.points, excluded.key, excluded.usable)`;

/**
 * Writes the questions of items' texts, in the transaction that writes the texts. Rows without a difference are left alone.
 * @throws AppError 409 when another item has got one of the questions at the same time. A second try gives it an id of its own
 */
export async function storeQuestions(tx: EntityManager, items: readonly { id: number; keys: readonly QuestionKey[] }[]): Promise<void> {
  const rows = items.flatMap((item) => rowsOf(item.id, item.keys));
  await tx.execute(store, [JSON.stringify(rows), JSON.stringify(items.map(({ id }) => id))]);
  if (rows.length === 0) return;
  const taken = await tx.execute(elsewhere, [JSON.stringify(rows)]);
  if (taken.length > 0)
    throw new AppError(
      'QUESTION.TAKEN',
      409,
      "Une question de ce texte vient d'être enregistrée dans un autre contenu. Rien n'a été enregistré : réessayez.",
    );
}

const elsewhere = `
  select from question q join jsonb_to_recordset(?::jsonb) as g(item_id int, id text) on g.id = q.id where q.item_id <> g.item_id limit 1`;

const rowsOf = (itemId: number, keys: readonly QuestionKey[]) =>
  keys.map((key, index) => {
    const { id, kind, points, right, value, tolerance, unit, accepted, usable } = key;
    return {
      item_id: itemId,
      id,
      position: index + 1,
      kind,
      points,
      key,
      judged: { kind, right: [...right].sort(), value, tolerance, unit, accepted },
      usable,
    };
  });
