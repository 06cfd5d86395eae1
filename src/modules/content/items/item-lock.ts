import { type EntityManager, LockMode } from '@mikro-orm/postgresql';
import { notFound } from '../../../platform/errors.ts';
import type { ItemKind } from '../../../shared/item-kinds.ts';
import { Item } from './item.entity.ts';
import { itemTypeOf } from './item-types.ts';

/** An item for a change, its discipline locked before it: whoever changes a list takes the same order. @throws AppError 404 */
export async function lockItem(tx: EntityManager, kind: ItemKind, id: number): Promise<Item> {
  const found = await tx.findOne(Item, { id, kind }, { fields: ['discipline'], disableIdentityMap: true });
  if (found) await lockDiscipline(tx, found.discipline);
  const item = found && (await tx.findOne(Item, { id, kind }, { populate: ['contenu', 'corrige'], lockMode: LockMode.PESSIMISTIC_WRITE }));
  if (!item) throw notFound(itemTypeOf(kind).unknown);
  return item;
}

/** Whoever changes a list of a discipline holds this lock. @returns false when it does not exist */
export const lockDiscipline = async (tx: EntityManager, id: number): Promise<boolean> =>
  (await tx.execute('select id from discipline where id = ? for no key update', [id])).length > 0;

/** What the audit log calls an item that is changed. */
export const subjectOf = ({ kind, id, titre }: Item) => ({ subject: kind, subjectId: id, label: titre }) as const;
