import { dayMs } from '../../src/shared/dates.ts';
import { type Check, fault, good } from './check.ts';

/** Two days: a run that is late is nobody's fault, in ms. */
const lateMs = 2 * dayMs;
/** What every site has of which something ends each day. */
const asked = 'sessions';

/** Whether the daily command has run that removes what docs/privacy.md says is not kept. */
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
