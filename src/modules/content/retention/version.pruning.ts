import type { EntityManager } from '@mikro-orm/postgresql';
import { daysAgo, type Pruning, type PruningRun } from '../../../platform/pruning/pruning.ts';

/** Items whose versions are looked at in one transaction. */
const itemsPerBatch = 200;

/**
 * SQL: the versions of these items that go. A version's time begins when another has taken its place, so that what stood for years can be restored after its
 * first edit too: all stay for `allVersions` days, the last of each day (Douala's) for `dailyVersions`. The newest stays, and what the item says now, and
 * what an open report is about.
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

/** What texts have said before, thinned by its age. */
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

/** Of the next items after this one. @returns how many, and where to go on; null: that was the end */
async function removeOf(tx: EntityManager, run: PruningRun, after: number): Promise<{ removed: number; until: number | null }> {
  const found = await tx.execute<{ item_id: number }[]>(
    `select item_id from item_version where item_id > ? group by item_id having count(*) > 1 order by item_id limit ${itemsPerBatch}`,
    [after],
  );
  const until = found.length === itemsPerBatch ? (found.at(-1)?.item_id ?? null) : null;
  const ids = `{${found.map((row) => row.item_id)}}`;
  // Nobody saves them meanwhile; one that is being saved is left to the next run.
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

/** What only versions that are gone have shown is not theirs any more; the images themselves go with the others that nothing shows. */
async function forgetImages(tx: EntityManager, items: readonly number[]): Promise<void> {
  if (items.length === 0) return;
  await tx.execute(
    `delete from item_image x where x.item_id = any(?::int[])
       and not exists (select from item i where i.id = x.item_id and strpos(concat(i.contenu, i.corrige), x.image_name) > 0)
       and not exists (select from item_version v where v.item_id = x.item_id and strpos(concat(v.contenu, v.corrige), x.image_name) > 0)`,
    [`{${items}}`],
  );
}
