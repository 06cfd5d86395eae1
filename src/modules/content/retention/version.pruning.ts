import type { EntityManager } from '@mikro-orm/postgresql';
import { daysAgo, type Pruning, type PruningRun } from '../../../platform/pruning/pruning.ts';

/** Items whose versions are pruned in one transaction. */
const itemsPerBatch = 200;

/**
 * SQL: the versions of these items that are removed.
 * A version's age counts from the moment when the next version replaced it, so that an old text can still be restored after its first
 * edit.
 * All versions stay for `allVersions` days, then the last version of each day (Douala time) for `dailyVersions` days. The newest and
 * the current version stay, and versions with an open report.
 */
const outdated = (items: string) => `
  select v.id, v.item_id
  from (select id, item_id, version, saved_at, lead(saved_at) over own as replaced_at
        from item_version ${items} window own as (partition by item_id order by version)) v
  join item i on i.id = v.item_id
  where v.replaced_at < ? and v.version <> i.version
    and (v.replaced_at < ? or (v.replaced_at at time zone 'Africa/Douala')::date = (v.saved_at at time zone 'Africa/Douala')::date)
    and not exists (select from item_report r
                    where r.item_id = v.item_id and r.closed_at is null and r.created_at >= v.saved_at and r.created_at < v.replaced_at)`;

const limits = (run: PruningRun) => [daysAgo(run, run.retention.allVersions), daysAgo(run, run.retention.dailyVersions)];

/** Thins out the versions of items by age. */
export const versionPruning: Pruning = {
  name: 'versions',
  label: 'versions de textes',
  async count(run) {
    const [row] = await run.em.execute<{ count: number }[]>(`select count(*)::int as count from (${outdated('')}) outdated`, limits(run));
    return row?.count ?? 0;
  },
  async *remove(run) {
    let last: number | null = 0;
    while (last !== null) {
      const { removed, until } = await run.batch((tx) => removeOf(tx, run, last ?? 0));
      last = until;
      yield removed;
    }
  },
};

/**
 * Removes outdated versions of the next items after this id. @returns the number removed, and the id from which to continue; null at
 * the end
 */
async function removeOf(tx: EntityManager, run: PruningRun, after: number): Promise<{ removed: number; until: number | null }> {
  const found = await tx.execute<{ item_id: number }[]>(
    `select item_id from item_version where item_id > ? group by item_id having count(*) > 1 order by item_id limit ${itemsPerBatch}`,
    [after],
  );
  const until = found.length === itemsPerBatch ? (found.at(-1)?.item_id ?? null) : null;
  const ids = `{${found.map((row) => row.item_id)}}`;
  // Lock the items, so that no save happens meanwhile. Items being saved are left to the next run.
  const free = await tx.execute<{ id: number }[]>(
    'select id from item where id = any(?::int[]) order by id for no key update skip locked',
    [ids],
  );
  const items = `{${free.map(({ id }) => id)}}`;
  const gone = await tx.execute<{ item_id: number }[]>(
    `delete from item_version where id in (select id from (${outdated('where item_id = any(?::int[])')}) outdated) returning item_id`,
    [items, ...limits(run)],
  );
  await forgetImages(tx, [...new Set(gone.map((row) => row.item_id))]);
  return { removed: gone.length, until };
}

/** Deletes image references of these items that only removed versions used. The image pruning then removes the images themselves. */
async function forgetImages(tx: EntityManager, items: readonly number[]): Promise<void> {
  if (items.length === 0) return;
  await tx.execute(
    `delete from item_image x where x.item_id = any(?::int[])
       and not exists (select from item i where i.id = x.item_id and strpos(concat(i.contenu, i.corrige), x.image_name) > 0)
       and not exists (select from item_version v where v.item_id = x.item_id and strpos(concat(v.contenu, v.corrige), x.image_name) > 0)`,
    [`{${items}}`],
  );
}
