import { defineEntity, type InferEntity, p } from '@mikro-orm/core';
import { Item } from './item.entity.ts';

/**
 * What an item said after each save: nothing that was ever saved is lost. The current one is among them once the item has been saved from the
 * screen; what the seed has loaded is kept when it is first edited.
 */
export const ItemVersion = defineEntity({
  name: 'ItemVersion',
  tableName: 'item_version',
  uniques: [{ name: 'item_version_item_version_unique', properties: ['item', 'version'] }],
  properties: {
    id: p.integer().primary(),
    item: () => p.manyToOne(Item).mapToPk().deleteRule('cascade'),
    version: p.integer(),
    titre: p.string().length(100),
    annee: p.integer().nullable(),
    duree: p.smallint().nullable(),
    contenu: p.text().lazy(),
    corrige: p.text().lazy().nullable(),
    savedAt: p.datetime(),
    /** The administrator's name as it was; null for what was loaded at the terminal. */
    savedBy: p.string().length(60).nullable(),
  },
});
export type ItemVersion = InferEntity<typeof ItemVersion>;
