import type { EntityManager } from '@mikro-orm/postgresql';
import type { UseCaseContext } from '../../platform/events.ts';
import type { Item } from './item.entity.ts';

declare module '../../platform/events.ts' {
  interface DomainEventMap {
    /** An item has its first text: once an item, in the transaction that saves it. */
    'content.published': { itemId: number; prepaId: number; prepaNom: string; at: Date };
  }
}

/** Tells of an item's first text, in the save that brings it; emptied and written again, it is nothing new. */
export async function tellFirstText(tx: EntityManager, context: UseCaseContext, item: Item, before: string): Promise<void> {
  if (before !== '' || item.contenu === '') return;
  const [prepa] = await tx.execute<{ id: number; nom: string }[]>(
    `select p.id, p.nom from prepa p join discipline d on d.prepa_id = p.id
     where d.id = ? and not exists (select from item_version v where v.item_id = ? and v.version < ? and v.contenu <> '')`,
    [item.discipline, item.id, item.version],
  );
  if (!prepa) return;
  await context.events.emit(tx, context, 'content.published', {
    ...{ itemId: item.id, prepaId: prepa.id, prepaNom: prepa.nom },
    at: context.clock.now(),
  });
}
