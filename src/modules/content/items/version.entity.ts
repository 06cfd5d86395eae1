import { defineEntity, type InferEntity, p } from '@mikro-orm/core';
import type { MarkingRule } from '../../../shared/questions/marking-rule.ts';
import type { QuestionKey } from '../../../shared/questions/question-keys.ts';
import { Item } from './item.entity.ts';

/**
 * The state of an item after each save; no saved text is ever lost.
 * The current state is among the versions once the item has been saved on the screen. A text loaded by the seed is added at its first
 * edit.
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
    intitule: p.string().length(200).nullable(),
    annee: p.integer().nullable(),
    duree: p.smallint().nullable(),
    bareme: p.json().$type<MarkingRule>().nullable(),
    contenu: p.text().lazy(),
    corrige: p.text().lazy().nullable(),
    keys: p.json().$type<QuestionKey[]>().default('[]'),
    savedAt: p.datetime(),
    /** The administrator's name at that time; null when the text was loaded from the command line. */
    savedBy: p.string().length(60).nullable(),
  },
});
export type ItemVersion = InferEntity<typeof ItemVersion>;
