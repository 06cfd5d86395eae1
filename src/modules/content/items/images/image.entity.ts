import { defineEntity, type InferEntity, p } from '@mikro-orm/core';
import { Item } from '../item.entity.ts';

/** An image that texts show, stored under its name (`content/3f….webp`). */
export const ContentImage = defineEntity({
  name: 'ContentImage',
  tableName: 'content_image',
  properties: {
    name: p.string().length(80).primary(),
    /** Of the last upload: what was uploaded lately may stand in a text that is not saved yet. */
    uploadedAt: p.datetime().index('content_image_uploaded_index'),
    /** Size of the file in bytes; null for one that was stored before sizes were, until somebody asks for it. */
    octets: p.integer().nullable(),
  },
});
export type ContentImage = InferEntity<typeof ContentImage>;

/** An item that shows an image, now or in a version that is kept. */
export const ItemImage = defineEntity({
  name: 'ItemImage',
  tableName: 'item_image',
  properties: {
    item: () => p.manyToOne(Item).mapToPk().primary().deleteRule('cascade'),
    image: () => p.manyToOne(ContentImage).mapToPk().primary().deleteRule('restrict').index('item_image_image_index'),
  },
});
export type ItemImage = InferEntity<typeof ItemImage>;
