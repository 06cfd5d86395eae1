import { defineEntity, type InferEntity, p } from '@mikro-orm/core';
import { Item } from '../item.entity.ts';

/** An image that texts show, stored under its name (`content/3f….webp`). */
export const ContentImage = defineEntity({
  name: 'ContentImage',
  tableName: 'content_image',
  properties: {
    name: p.string().length(80).primary(),
    /** Time of the last upload. A recent image may belong to a text that is not saved yet. */
    uploadedAt: p.datetime().index('content_image_uploaded_index'),
    /** Size of the file in bytes; null for images stored before sizes were recorded, until the size is first needed. */
    octets: p.integer().nullable(),
  },
});
export type ContentImage = InferEntity<typeof ContentImage>;

/** An item that shows an image, in its current text or in a kept version. */
export const ItemImage = defineEntity({
  name: 'ItemImage',
  tableName: 'item_image',
  properties: {
    item: () => p.manyToOne(Item).mapToPk().primary().deleteRule('cascade'),
    image: () => p.manyToOne(ContentImage).mapToPk().primary().deleteRule('restrict').index('item_image_image_index'),
  },
});
export type ItemImage = InferEntity<typeof ItemImage>;
