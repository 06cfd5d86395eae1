import { type Check, good } from '../check.ts';
import { stoppedTimer } from '../last-run.ts';

/** Three hours, in ms: the command runs every hour, and a run may be late. */
const lateAfterMs = 3 * 3_600_000;

/** Checks the timer that sends e-mails to learners; a site without a mail server sends none. */
export const letters: Check = {
  name: 'Emails aux candidats',
  async look({ kernel }) {
    if (!kernel.mailer) return null;
    const awaited = 'select 1 from letter_choice where weekly limit 1';
    const remedy = 'lancez « prepa letters send » chaque heure (minuterie systemd, cron)';
    return (await stoppedTimer(kernel, { task: 'letters', lateAfterMs, awaited, remedy })) ?? good('envoyés');
  },
};
