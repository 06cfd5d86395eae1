import { defineEntity, type InferEntity, p } from '@mikro-orm/core';
import type { QuestionKey } from '../../../../shared/questions/question-keys.ts';
import { questionKinds } from '../../../../shared/rich-text/question-kinds.ts';
import { Item } from '../item.entity.ts';

/**
 * A question of an item's text with its key. The text itself (`item.contenu`) has the statement and the choices only, so that no route
 * can send a key by mistake. The save that stores the text stores these rows in the same transaction.
 */
export const Question = defineEntity({
  name: 'Question',
  tableName: 'question',
  properties: {
    /** Given at the first save; it survives edits, moves and versions. */
    id: p.string().length(12).primary(),
    item: () => p.manyToOne(Item).mapToPk().deleteRule('cascade').index('question_item_index'),
    /** Position in the text, from 1; null when the text no longer has it. */
    position: p.integer().nullable(),
    kind: p.enum([...questionKinds]),
    points: p.decimal().precision(5).scale(2),
    key: p.json<QuestionKey>(),
    /** The part of the key that decides whether an answer is right. */
    judged: p.json<Partial<QuestionKey>>(),
    /** False: the question has a fault (`questionFault`), and is not shown to learners. */
    usable: p.boolean(),
    /** Increased when the key changes: answers to an earlier key do not count in statistics. */
    keyVersion: p.integer().default(1),
  },
});
export type Question = InferEntity<typeof Question>;
