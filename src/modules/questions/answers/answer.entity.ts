import { defineEntity, type InferEntity, p } from '@mikro-orm/core';
import { answerContexts } from '../../../shared/questions/answer-form.ts';
import type { Given } from '../../../shared/questions/grade.ts';
import { Question } from '../../content/index.ts';
import { User } from '../../identity/index.ts';
import { SeriesAttempt } from './attempt.entity.ts';

/** A learner's answer to a question. Rows are only added. A trigger derives `question_state` from each. */
export const Answer = defineEntity({
  name: 'Answer',
  tableName: 'answer',
  indexes: [
    { name: 'answer_user_question_index', properties: ['user', 'question', 'keyVersion'] },
    { name: 'answer_date_index', properties: ['answeredAt'] },
    { name: 'answer_attempt_index', properties: ['attempt'], where: 'attempt_id is not null' },
  ],
  properties: {
    user: () => p.manyToOne(User).mapToPk().primary().deleteRule('cascade'),
    /** Idempotency key of the page: an answer that is sent twice counts once. */
    cle: p.uuid().primary(),
    question: () => p.manyToOne(Question).mapToPk().deleteRule('cascade').index('answer_question_index'),
    keyVersion: p.integer(),
    itemVersion: p.integer(),
    context: p.enum([...answerContexts]),
    given: p.json<Given>(),
    isRight: p.boolean(),
    /** The question's points for a right answer, 0 for a wrong one. */
    points: p.decimal().precision(5).scale(2),
    answeredAt: p.datetime(),
    /** Time of the answer in seconds; null where it is not measured. */
    seconds: p.integer().nullable(),
    /** The attempt at a series; null for an answer elsewhere. */
    attempt: () => p.manyToOne(SeriesAttempt).mapToPk().nullable().deleteRule('set null'),
  },
});
export type Answer = InferEntity<typeof Answer>;
