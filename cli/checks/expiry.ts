import { oldestEndNotMarked } from '../../src/modules/enrolment/index.ts';
import { dayMs, formatInstant } from '../../src/shared/dates.ts';
import { type Check, fault, good } from './check.ts';

/** A day, and time for a run that is late, in ms. */
const lateAfterMs = dayMs + 2 * 3_600_000;

/** Whether the daily command has run that marks ends and tells learners of them. */
export const expiry: Check = {
  name: "Fins d'accès",
  async look({ kernel: { fork, clock } }) {
    const oldest = await oldestEndNotMarked(fork(), new Date(clock.now().getTime() - lateAfterMs));
    if (!oldest) return good('annoncées');
    return fault(
      `personne n'est prévenu depuis le ${formatInstant(oldest)}`,
      'lancez « prepa enrolments expire » chaque jour (minuterie systemd, cron)',
    );
  },
};
