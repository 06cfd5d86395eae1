import { defineEntity, type InferEntity, p } from '@mikro-orm/core';
import { examAudiences, paperKinds, questionStandings } from '../../../../shared/exams/exam-words.ts';
import type { MarkingRule } from '../../../../shared/questions/marking-rule.ts';
import type { QuestionKey } from '../../../../shared/questions/question-keys.ts';
import { Prepa } from '../../../catalogue/index.ts';

/** A mock exam (concours blanc) of a prepa. Its state follows from its times (`examState`). */
export const Exam = defineEntity({
  name: 'Exam',
  tableName: 'exam',
  indexes: [
    { name: 'exam_opening_index', properties: ['opensAt'] },
    // For the exams that learners can still take.
    { name: 'exam_closing_index', properties: ['closesAt'], where: 'announced_at is not null' },
  ],
  properties: {
    id: p.integer().primary(),
    prepa: () => p.manyToOne(Prepa).mapToPk().deleteRule('cascade').index('exam_prepa_index'),
    titre: p.string().length(100),
    /** Plain text, with line breaks. */
    consignes: p.string().length(4000).default(''),
    opensAt: p.datetime(),
    closesAt: p.datetime(),
    /** Time of each candidate in minutes, from their own start. */
    duree: p.smallint(),
    /** Minutes after the end of a sitting within which answers that were given before are still taken. */
    grace: p.smallint().default(30),
    bareme: p.json().$type<MarkingRule>(),
    audience: p.enum([...examAudiences]),
    announcedAt: p.datetime().nullable(),
    markedAt: p.datetime().nullable(),
    publishedAt: p.datetime().nullable(),
    /** Incremented by each change, so that two administrators do not overwrite each other. */
    revision: p.integer().default(1),
  },
});
export type Exam = InferEntity<typeof Exam>;

/** A part of an exam: a series whose answers are marked, or a past subject that candidates mark themselves. */
export const ExamPaper = defineEntity({
  name: 'ExamPaper',
  tableName: 'exam_paper',
  uniques: [{ name: 'exam_paper_position_unique', properties: ['exam', 'position'], deferMode: 'deferred' }],
  properties: {
    id: p.integer().primary(),
    exam: () => p.manyToOne(Exam).mapToPk().deleteRule('cascade'),
    /** From 1. */
    position: p.smallint(),
    /** Id of the item, or of the draft of an item, from which it is copied. No foreign key: a draft's item does not exist yet. */
    sourceId: p.integer(),
    kind: p.enum([...paperKinds]),
    /** These are copies, made at the announcement. Until then the text and the correction are null. */
    titre: p.string().length(200),
    discipline: p.string().length(100),
    contenu: p.text().lazy().nullable(),
    /** Correction of a past subject; null for a series. */
    corrige: p.text().lazy().nullable(),
  },
});
export type ExamPaper = InferEntity<typeof ExamPaper>;

/** A question of an announced exam, with a copy of its key. */
export const ExamQuestion = defineEntity({
  name: 'ExamQuestion',
  tableName: 'exam_question',
  properties: {
    exam: () => p.manyToOne(Exam).mapToPk().primary().deleteRule('cascade'),
    /** Id of the question from which it is copied. */
    questionId: p.string().length(12).primary(),
    paper: () => p.manyToOne(ExamPaper).mapToPk().deleteRule('cascade').index('exam_question_paper_index'),
    /** Number in the exam, from 1. */
    position: p.smallint(),
    points: p.decimal().precision(5).scale(2),
    key: p.json<QuestionKey>(),
    standing: p.enum([...questionStandings]).default('counted'),
  },
});
export type ExamQuestion = InferEntity<typeof ExamQuestion>;

/** The sealed paper of an announced exam and its key. Apart from `exam`, so that no read of an exam reads the key. */
export const ExamSeal = defineEntity({
  name: 'ExamSeal',
  tableName: 'exam_seal',
  properties: {
    exam: () => p.oneToOne(Exam).mapToPk().primary().deleteRule('cascade'),
    /** 32 bytes. Public from the opening on. */
    key: p.blob().lazy(),
    /** What `seal` returned for the paper's HTML, deflated. Its pictures are in it. */
    sealed: p.blob().lazy(),
  },
});
export type ExamSeal = InferEntity<typeof ExamSeal>;

/** A change of a question's standing or key after the exam, which candidates see beside their result. Rows are only added. */
export const ExamCorrection = defineEntity({
  name: 'ExamCorrection',
  tableName: 'exam_correction',
  properties: {
    id: p.integer().primary(),
    exam: () => p.manyToOne(Exam).mapToPk().deleteRule('cascade').index('exam_correction_exam_index'),
    questionId: p.string().length(12),
    /** What the question is from then on; `counted` with a changed key. */
    standing: p.enum([...questionStandings]),
    reason: p.string().length(500),
    correctedAt: p.datetime(),
  },
});
export type ExamCorrection = InferEntity<typeof ExamCorrection>;
