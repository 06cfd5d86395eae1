import { defineEntity, type InferEntity, p } from '@mikro-orm/core';
import { verdicts } from '../../../shared/study/verdicts.ts';
import { Item } from '../../content/index.ts';
import { User } from '../../identity/index.ts';

/** A mark that a learner gave a practice by the scale of its correction. Rows are only added: a later practice adds another one. */
export const PracticeMark = defineEntity({
  name: 'PracticeMark',
  tableName: 'practice_mark',
  indexes: [{ name: 'practice_mark_user_date_index', properties: ['user', 'markedAt'] }],
  properties: {
    user: () => p.manyToOne(User).mapToPk().primary().deleteRule('cascade'),
    /** Hash of the page's idempotency key and the points: a form that is sent twice counts once, corrected points are another mark. */
    cle: p.uuid().primary(),
    item: () => p.manyToOne(Item).mapToPk().deleteRule('cascade').index('practice_mark_item_index'),
    verdict: p.enum([...verdicts]),
    points: p.decimal().precision(5).scale(2),
    /** The most points of the scale at that time. */
    possible: p.decimal().precision(5).scale(2),
    /** Time used, in seconds, by the page's timer; null without it. */
    seconds: p.integer().nullable(),
    markedAt: p.datetime(),
  },
});
export type PracticeMark = InferEntity<typeof PracticeMark>;
