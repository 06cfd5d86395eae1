import type { EntityManager } from '@mikro-orm/postgresql';
import { readRows } from '../../../../platform/database/rows.ts';

/** Time after its last call at which a page counts as left, in s: two and a half of its intervals. */
const presenceSeconds = 150;

/** Maximum number of other pages that are returned. */
const shownPages = 5;

export interface Place {
  itemId: number;
  page: string;
  administratorId: string;
}

export interface OtherPage {
  username: string;
  openedAt: Date;
  /** Whether it is a page of the same administrator. */
  isOwn: boolean;
}

/** Notes that a page has the item open, and removes pages that were left without a word. */
export async function notePresence(em: EntityManager, { itemId, page, administratorId }: Place): Promise<void> {
  await em.execute(
    `with gone as (
       delete from item_presence
       where (item_id, page) in (
         select item_id, page from item_presence where seen_at < now() - interval '${presenceSeconds} s' limit 100 for update skip locked))
     insert into item_presence as p (item_id, page, administrator_id, opened_at, seen_at) values (?, ?, ?, now(), now())
     on conflict (item_id, page) do update set
       seen_at = now(),
       opened_at = case when p.seen_at < now() - interval '${presenceSeconds} s' then now() else p.opened_at end
     where p.administrator_id = excluded.administrator_id`,
    [itemId, page, administratorId],
  );
}

export async function forgetPresence(em: EntityManager, { itemId, page, administratorId }: Place): Promise<void> {
  await em.execute('delete from item_presence where item_id = ? and page = ? and administrator_id = ?', [itemId, page, administratorId]);
}

/** Returns the other pages that have the item open, the first to open it first. */
export const listOtherPages = (em: EntityManager, { itemId, page, administratorId }: Place): Promise<OtherPage[]> =>
  readRows(
    em,
    `select a.username, p.opened_at, p.administrator_id = ? as is_own
     from item_presence p join administrator a on a.id = p.administrator_id
     where p.item_id = ? and p.page <> ? and p.seen_at >= now() - interval '${presenceSeconds} s'
     order by p.opened_at, p.page limit ${shownPages}`,
    [administratorId, itemId, page],
  );
