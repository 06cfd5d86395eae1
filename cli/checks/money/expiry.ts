import { oldestEndNotMarked } from '../../../src/modules/enrolment/index.ts';
import { dayMs, formatInstant } from '../../../src/shared/dates.ts';
import { type Check, fault, good } from '../check.ts';

/** A day, plus two hours for a late run, in ms. */
const lateAfterMs = dayMs + 2 * 3_600_000;

/** Checks that the daily `prepa enrolments expire` has run: it marks ended enrolments and notifies the learners. */
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
