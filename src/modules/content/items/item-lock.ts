import { type EntityManager, LockMode } from '@mikro-orm/postgresql';
import { notFound } from '../../../platform/errors.ts';
import type { ItemKind } from '../../../shared/item-kinds.ts';
import { Item } from './item.entity.ts';
import { itemTypeOf } from './item-types.ts';

/** Returns the item, locked for a change. Its discipline is locked first: all changes of a list use this order. @throws AppError 404 */
export async function lockItem(tx: EntityManager, kind: ItemKind, id: number): Promise<Item> {
  for (;;) {
    const found = await tx.findOne(Item, { id, kind }, { fields: ['discipline'], disableIdentityMap: true });
    if (!found) throw notFound(itemTypeOf(kind).unknown);
    await lockDiscipline(tx, found.discipline);
    const place = { id, kind, discipline: found.discipline };
    const item = await tx.findOne(Item, place, { populate: ['contenu', 'corrige'], lockMode: LockMode.PESSIMISTIC_WRITE });
    // Another administrator may have moved the item while this one waited for the lock.
    if (item) return item;
  }
}

/** Locks a discipline for a change of one of its lists. @returns false when the discipline does not exist */
export const lockDiscipline = async (tx: EntityManager, id: number): Promise<boolean> =>
  (await tx.execute('select id from discipline where id = ? for no key update', [id])).length > 0;

/** Returns the fields that name a changed item in the audit log. */
export const subjectOf = ({ kind, id, titre }: Item) => ({ subject: kind, subjectId: id, label: titre }) as const;
