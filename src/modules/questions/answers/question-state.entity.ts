import { defineEntity, type InferEntity, p } from '@mikro-orm/core';
import type { Given } from '../../../shared/questions/grade.ts';
import { Question } from '../../content/index.ts';
import { User } from '../../identity/index.ts';

/**
 * What a learner's answers say about a question under one version of its key. Written by the trigger `keep_question_state`, except `rest`.
 * Triggers add the rows to `question_tally` and `choice_tally`.
 */
export const QuestionState = defineEntity({
  name: 'QuestionState',
  tableName: 'question_state',
  indexes: [{ name: 'question_state_wrong_index', properties: ['user', 'wrongAt'], where: 'wrong_at is not null and right_days < 2' }],
  properties: {
    user: () => p.manyToOne(User).mapToPk().primary().deleteRule('cascade'),
    question: () => p.manyToOne(Question).mapToPk().primary().deleteRule('cascade').index('question_state_question_index'),
    keyVersion: p.integer().primary(),
    /** The first answer, which statistics count. */
    firstGiven: p.json<Given>(),
    firstRight: p.boolean(),
    lastRight: p.boolean(),
    lastAt: p.datetime(),
    /** Time of the last wrong answer; null without one. */
    wrongAt: p.datetime().nullable(),
    /** Number of days (Africa/Douala) with a right answer since then. From 2 on, the question is no longer one of the learner's errors. */
    rightDays: p.integer(),
    /** Right first answers to the other questions of the item, when the learner first finished a series; null before. */
    rest: p.integer().nullable(),
  },
});
export type QuestionState = InferEntity<typeof QuestionState>;
