import { dayMs } from '../../../src/shared/dates.ts';
import { type Check, fault, good } from '../check.ts';

/** Two days, in ms: one late daily run is no fault. */
const lateMs = 2 * dayMs;
/** The kind of rows checked: on every site, some sessions end each day. */
const asked = 'sessions';

/** Checks that the daily `prepa prune` has run, which deletes expired data (docs/privacy.md). */
export const pruning: Check = {
  name: 'Nettoyage',
  async look({ kernel: { fork, context, clock, config, prunings } }) {
    const run = {
      em: fork(),
      context,
      retention: config.retention,
      now: new Date(clock.now().getTime() - lateMs),
      batch: () => Promise.reject(new Error('doctor removes nothing')),
    };
    const left = (await prunings.find(({ name }) => name === asked)?.count(run)) ?? 0;
    if (left === 0) return good('à jour');
    return fault(
      `${left} session(s) terminée(s) sont gardées au-delà de leur temps`,
      'lancez « prepa prune » chaque jour (minuterie systemd, cron)',
    );
  },
};
