import { countLatePublications } from '../../../src/modules/content/index.ts';
import { type Check, fault, good, notice } from '../check.ts';

/** Drafts are published within a minute by servers and within five by the timer, in ms. */
const lateAfterMs = 15 * 60_000;

/** Checks that planned drafts are published (by the server or a timer), and that none was refused at its time. */
export const publications: Check = {
  name: 'Publications',
  async look({ kernel: { fork, clock } }) {
    const { overdue, refused } = await countLatePublications(fork(), new Date(clock.now().getTime() - lateAfterMs));
    if (overdue > 0)
      return fault(
        `${overdue} brouillon(s) en retard de plus de 15 minutes`,
        'laissez PUBLISH_DRAFTS=on au serveur, ou lancez « prepa content publish » (minuterie systemd, cron)',
      );
    if (refused > 0)
      return notice(`${refused} brouillon(s) refusé(s) à leur heure`, "ouvrez-les dans l'administration, qui dit pourquoi, et publiez-les");
    return good('à leur heure');
  },
};
