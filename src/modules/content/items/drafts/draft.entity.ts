import { defineEntity, type InferEntity, p } from '@mikro-orm/core';
import { itemKinds } from '../../../../shared/item-kinds.ts';
import type { QuestionKey } from '../../../../shared/questions/question-keys.ts';
import { Discipline } from '../../../catalogue/index.ts';
import { ContentImage } from '../images/image.entity.ts';

/**
 * Unpublished text of an item: of a new item, or of a published one that is being changed. At most one for each item. Items themselves
 * hold published text only, so that no read for learners can show a draft (decision 129).
 */
export const ItemDraft = defineEntity({
  name: 'ItemDraft',
  tableName: 'item_draft',
  indexes: [{ name: 'item_draft_publish_index', properties: ['publishAt'], where: 'publish_at is not null' }],
  properties: {
    /** The id of the item. That of a new item is reserved when its draft is created. */
    id: p.integer().primary().autoincrement(false),
    discipline: () => p.manyToOne(Discipline).mapToPk().deleteRule('cascade').index('item_draft_discipline_index'),
    kind: p.enum([...itemKinds]),
    /** These five as they were typed: they are checked when the draft is published. */
    titre: p.string().length(200),
    intitule: p.string().length(400).default(''),
    annee: p.string().length(100),
    duree: p.string().length(100),
    bareme: p.string().length(100),
    contenu: p.text().lazy(),
    corrige: p.text().lazy().nullable(),
    keys: p.json().$type<QuestionKey[]>().default('[]'),
    /** The item's version on which the draft is based; null for a new item. */
    version: p.integer().nullable(),
    /** Incremented by each save of the draft. */
    revision: p.integer().default(1),
    /** When the draft is to be published by itself. */
    publishAt: p.datetime().nullable(),
    /** Why the publication at that time failed, in French. */
    fault: p.string().length(1000).nullable(),
    /** Parts of the imported file that could not be kept, in French. */
    remarks: p.json().$type<string[]>().default('[]'),
    /** Name of the imported file; null for a text that was typed. */
    source: p.string().length(255).nullable(),
    savedAt: p.datetime(),
    /** The administrator's name at that time. */
    savedBy: p.string().length(60),
  },
});
export type ItemDraft = InferEntity<typeof ItemDraft>;

/** An image that a draft shows: it is kept as long as the draft. */
export const ItemDraftImage = defineEntity({
  name: 'ItemDraftImage',
  tableName: 'item_draft_image',
  properties: {
    draft: () => p.manyToOne(ItemDraft).mapToPk().primary().deleteRule('cascade'),
    image: () => p.manyToOne(ContentImage).mapToPk().primary().deleteRule('restrict').index('item_draft_image_image_index'),
  },
});
export type ItemDraftImage = InferEntity<typeof ItemDraftImage>;
