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
];
