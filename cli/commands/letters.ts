import { sendLetters } from '../../src/modules/revision/index.ts';
import { recordRun } from '../../src/platform/observability/task-runs.ts';
import { requireRightClock } from '../../src/platform/use-cases/clock-check.ts';
import { KernelCommand } from '../kernel-command.ts';

export function lettersCommand(): KernelCommand {
  const letters = new KernelCommand('letters').description("emails aux candidats : le point de la semaine, les fins d'accès");

  letters
    .command('send')
    .description("envoie les emails de l'heure, au plus un par semaine à chacun (à lancer chaque heure)")
    .answers(async ({ mailer, config, context, clock, fork }) => {
      await requireRightClock(fork());
      // Not a failure: the timer also runs on sites without a mail server.
      if (!mailer) {
        await recordRun(fork(), 'letters', clock.now());
        return [{ weekly: 0, ends: 0 }, 'Aucun email : SMTP_URL et MAIL_FROM ne sont pas réglés.'];
      }
      const { site, weeklyLetter, publicUrl, host, port } = config;
      const counts = await sendLetters(fork(), context, { mailer, site, weeklyLetter, origin: publicUrl ?? `http://${host}:${port}` });
      await recordRun(fork(), 'letters', clock.now());
      const { weekly, ends, refused, rejected, unknown } = counts;
      const others = [
        ...(refused > 0 ? [`${refused} remis à plus tard`] : []),
        ...(rejected > 0 ? [`${rejected} rejeté(s)`] : []),
        ...(unknown > 0 ? [`${unknown} sans réponse`] : []),
      ];
      return [counts, `${[`${weekly} point(s) de la semaine et ${ends} fin(s) d'accès envoyés`, ...others].join(', ')}.`];
    });
  return letters;
}
