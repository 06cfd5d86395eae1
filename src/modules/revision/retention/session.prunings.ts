import { daysAgo, type Pruning, pruneRows } from '../../../platform/pruning/pruning.ts';

/** Sessions go with the answers that were given in them. The days of study stay. */
export const sessionPrunings: readonly Pruning[] = [
  pruneRows('daily_sessions', 'séances anciennes', {
    table: 'daily_session',
    key: 'id',
    condition: 'started_at < ?',
    values: (run) => [daysAgo(run, run.retention.answers)],
  }),
];
