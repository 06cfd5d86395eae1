import { defineEntity, type InferEntity, p } from '@mikro-orm/core';
import type { StoredAnswer } from '../../../../shared/exams/exam-words.ts';
import { lateStates, sittingEndings } from '../../../../shared/exams/exam-words.ts';
import type { Given } from '../../../../shared/questions/grade.ts';
import { User } from '../../../identity/index.ts';
import { Exam, ExamPaper } from './exam.entity.ts';

/** A candidate's participation in an exam. */
export const ExamSitting = defineEntity({
  name: 'ExamSitting',
  tableName: 'exam_sitting',
  properties: {
    exam: () => p.manyToOne(Exam).mapToPk().primary().deleteRule('cascade'),
    user: () => p.manyToOne(User).mapToPk().primary().deleteRule('cascade').index('exam_sitting_user_index'),
    startedAt: p.datetime(),
    endsAt: p.datetime(),
    handedInAt: p.datetime().nullable(),
    /** Who ended it; null until it is handed in. */
    ending: p.enum([...sittingEndings]).nullable(),
    /** Shown to the candidate at the hand-in: `receiptOf`. */
    receipt: p.string().length(9).nullable(),
    /** Answers came after the grace: an administrator decides. Null when none did. */
    late: p.enum([...lateStates]).nullable(),
    /** When late answers were accepted: those that had arrived by then count. */
    lateUntil: p.datetime().nullable(),
    /** Name in the public list of the first hundred; null for candidates who did not agree to it. */
    pseudonym: p.string().length(30).nullable(),
  },
});
export type ExamSitting = InferEntity<typeof ExamSitting>;

/** Answers that arrived together. Rows are only added: a repeated batch meets its primary key. */
export const ExamBatch = defineEntity({
  name: 'ExamBatch',
  tableName: 'exam_batch',
  properties: {
    exam: () => p.manyToOne(Exam).mapToPk().primary().deleteRule('cascade'),
    user: () => p.manyToOne(User).mapToPk().primary().deleteRule('cascade').index('exam_batch_user_index'),
    device: p.uuid().primary(),
    /** Number of the batch on its device, from 1. */
    number: p.integer().primary(),
    /** By the site's clock as the device estimates it. */
    sentAt: p.datetime(),
    receivedAt: p.datetime(),
    answers: p.json<StoredAnswer[]>(),
    /** Hash of the sender's network, with the site's secret: shows which candidates share one. */
    network: p.string().length(16),
  },
});
export type ExamBatch = InferEntity<typeof ExamBatch>;

/** Whether an answer to a question is right. Each different answer is judged once, whoever gave it. */
export const ExamJudgement = defineEntity({
  name: 'ExamJudgement',
  tableName: 'exam_judgement',
  properties: {
    exam: () => p.manyToOne(Exam).mapToPk().primary().deleteRule('cascade'),
    questionId: p.string().length(12).primary(),
    given: p.json<Given>().primary(),
    isRight: p.boolean(),
  },
});
export type ExamJudgement = InferEntity<typeof ExamJudgement>;

/** A candidate's marks. Marking replaces all rows of an exam in one transaction. */
export const ExamResult = defineEntity({
  name: 'ExamResult',
  tableName: 'exam_result',
  indexes: [{ name: 'exam_result_rank_index', properties: ['exam', 'rank'] }],
  properties: {
    exam: () => p.manyToOne(Exam).mapToPk().primary().deleteRule('cascade'),
    user: () => p.manyToOne(User).mapToPk().primary().deleteRule('cascade').index('exam_result_user_index'),
    /** The answers that count, by question. */
    answers: p.json().$type<Record<string, Given>>(),
    points: p.decimal().precision(12).scale(2),
    rights: p.smallint(),
    wrongs: p.smallint(),
    /** Questions that count and have no answer. */
    blanks: p.smallint(),
    rank: p.integer(),
    /** Points by id of the paper. */
    byPaper: p.json().$type<Record<string, number>>(),
  },
});
export type ExamResult = InferEntity<typeof ExamResult>;

/** Points that a candidate gave themselves for a past subject, by its correction. They do not count for the rank. */
export const ExamSelfMark = defineEntity({
  name: 'ExamSelfMark',
  tableName: 'exam_self_mark',
  properties: {
    paper: () => p.manyToOne(ExamPaper).mapToPk().primary().deleteRule('cascade'),
    user: () => p.manyToOne(User).mapToPk().primary().deleteRule('cascade').index('exam_self_mark_user_index'),
    points: p.decimal().precision(5).scale(2),
    markedAt: p.datetime(),
  },
});
export type ExamSelfMark = InferEntity<typeof ExamSelfMark>;
