import type { EntityManager } from '@mikro-orm/postgresql';
import { readRows } from '../../../platform/database/rows.ts';
import type { UseCaseContext } from '../../../platform/use-cases/events.ts';
import type { ItemKind } from '../../../shared/item-kinds.ts';
import type { Item } from './item.entity.ts';

declare module '../../../platform/use-cases/events.ts' {
  interface DomainEventMap {
    /** Emitted when learners can read items for the first time: once per item, in the transaction that saves or loads the text. */
    'content.published': { prepas: PublishedContent[]; at: Date };
  }
}

export interface PublishedContent {
  prepaId: number;
  prepaNom: string;
  /** Number of published items in this prepa. */
  items: number;
}

type Text = Pick<Item, 'contenu' | 'keys'>;

/** Returns whether learners have something to read: a text, or in a series a question that may be asked. */
const isReadable = (kind: ItemKind, { contenu, keys }: Text): boolean =>
  contenu !== '' && (kind !== 'quiz' || keys.some(({ usable }) => usable));

/** Returns SQL of `isReadable`. @param kind SQL @param row alias of a row with `contenu` and `keys` */
export const readableSql = (kind: string, row: string): string =>
  `(${row}.contenu <> '' and (${kind} <> 'quiz' or ${row}.keys @> '[{"usable": true}]'))`;

/**
 * Emits `content.published` when a save gives learners something to read for the first time.
 * @param before the item's text before this save; null for a new item
 */
export async function emitPublishedItem(tx: EntityManager, context: UseCaseContext, item: Item, before: Text | null): Promise<void> {
  if ((before && isReadable(item.kind, before)) || !isReadable(item.kind, item)) return;
  const prepas = await readRows<PublishedContent>(
    tx,
    `select p.id as prepa_id, p.nom as prepa_nom, 1 as items from prepa p join discipline d on d.prepa_id = p.id
     where d.id = ? and not exists (select from item_version v where v.item_id = ? and v.version < ? and ${readableSql('?', 'v')})`,
    [item.discipline, item.id, item.version, item.kind],
  );
  await emitPublishedItems(tx, context, prepas);
}

/** Emits `content.published` for all items of a content folder at once. */
export async function emitPublishedItems(tx: EntityManager, context: UseCaseContext, prepas: PublishedContent[]): Promise<void> {
  if (prepas.length > 0) await context.events.emit(tx, context, 'content.published', { prepas, at: context.clock.now() });
}
