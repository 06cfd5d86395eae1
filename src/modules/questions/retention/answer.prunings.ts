import { daysAgo, type Pruning, pruneRows } from '../../../platform/pruning/pruning.ts';

/** The states and tallies counted from the answers stay. */
export const answerPrunings: readonly Pruning[] = [
  pruneRows('answers', 'réponses anciennes', {
    table: 'answer',
    // The primary key has two columns.
    key: 'ctid',
    condition: 'answered_at < ?',
    values: (run) => [daysAgo(run, run.retention.answers)],
  }),
  pruneRows('series_attempts', 'essais anciens de séries', {
    table: 'series_attempt',
    key: 'id',
    condition: 'started_at < ?',
    values: (run) => [daysAgo(run, run.retention.answers)],
  }),
  // The results have the answers that count. Before the publication the batches are needed for marking.
  pruneRows('exam_batches', 'envois des concours blancs publiés', {
    table: 'exam_batch',
    // The primary key has four columns.
    key: 'ctid',
    condition: 'exam_id in (select id from exam where published_at < ?)',
    values: (run) => [daysAgo(run, run.retention.examBatches)],
  }),
];
