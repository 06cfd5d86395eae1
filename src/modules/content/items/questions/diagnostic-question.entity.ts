import { defineEntity, type InferEntity, p } from '@mikro-orm/core';
import { Discipline } from '../../../catalogue/index.ts';
import { Question } from './question.entity.ts';

/** A question of the short diagnostic that a discipline's trial offers without an account (decision 120). */
export const DiagnosticQuestion = defineEntity({
  name: 'DiagnosticQuestion',
  tableName: 'diagnostic_question',
  properties: {
    discipline: () => p.manyToOne(Discipline).mapToPk().primary().deleteRule('cascade'),
    question: () => p.manyToOne(Question).mapToPk().primary().deleteRule('cascade').index('diagnostic_question_question_index'),
    /** Position in the diagnostic, from 1. */
    position: p.integer(),
  },
});
export type DiagnosticQuestion = InferEntity<typeof DiagnosticQuestion>;
