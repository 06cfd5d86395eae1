import { defineEntity, type InferEntity, p } from '@mikro-orm/core';
import { Item } from '../item.entity.ts';

/** A PDF attached to an item. Everyone who may read the item may download it. */
export const ItemDocument = defineEntity({
  name: 'ItemDocument',
  tableName: 'item_document',
  properties: {
    id: p.integer().primary(),
    item: () => p.manyToOne(Item).mapToPk().deleteRule('cascade').index('item_document_item_index'),
    /** The name shown to readers, and the file name of the download, without `.pdf`. */
    nom: p.string().length(150),
    /** The file's name in the store of documents: the SHA-256 of its bytes and `.pdf`. */
    file: p.string().length(80).index('item_document_file_index'),
    /** Size in bytes. */
    octets: p.integer(),
    createdAt: p.datetime(),
  },
});
export type ItemDocument = InferEntity<typeof ItemDocument>;
