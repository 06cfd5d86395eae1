import type { EntityManager } from '@mikro-orm/postgresql';
import { readRows } from '../../../platform/database/rows.ts';
import type { UseCaseContext } from '../../../platform/use-cases/events.ts';
import type { Item } from './item.entity.ts';

declare module '../../../platform/use-cases/events.ts' {
  interface DomainEventMap {
    /** Emitted when items get their first text: once per item, in the transaction that saves or loads the text. */
    'content.published': { prepas: PublishedContent[]; at: Date };
  }
}

export interface PublishedContent {
  prepaId: number;
  prepaNom: string;
  /** Number of published items in this prepa. */
  items: number;
}

/** Emits `content.published` when a save gives the item its first text. @param before the item's text before this save */
export async function emitPublishedItem(tx: EntityManager, context: UseCaseContext, item: Item, before: string): Promise<void> {
  if (before !== '' || item.contenu === '') return;
  const prepas = await readRows<PublishedContent>(
    tx,
    `select p.id as prepa_id, p.nom as prepa_nom, 1 as items from prepa p join discipline d on d.prepa_id = p.id
     where d.id = ? and not exists (select from item_version v where v.item_id = ? and v.version < ? and v.contenu <> '')`,
    [item.discipline, item.id, item.version],
  );
  await emitPublishedItems(tx, context, prepas);
}

/** Emits `content.published` for all items of a content folder at once. */
export async function emitPublishedItems(tx: EntityManager, context: UseCaseContext, prepas: PublishedContent[]): Promise<void> {
  if (prepas.length > 0) await context.events.emit(tx, context, 'content.published', { prepas, at: context.clock.now() });
}
