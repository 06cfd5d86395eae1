import type { Command } from 'commander';
import { createVapidKeys, sendPushMessages } from '../../src/modules/revision/index.ts';
import { recordRun } from '../../src/platform/observability/task-runs.ts';
import { requireRightClock } from '../../src/platform/use-cases/clock-check.ts';
import { KernelCommand } from '../kernel-command.ts';
import { answer } from '../output.ts';

export function pushCommand(): Command {
  const push = new KernelCommand('push').description('rappels et messages envoyés aux navigateurs');

  push
    .command('keys')
    .description('tire une paire de clés pour les services de notification, à mettre dans les réglages')
    .action((_options: object, command: Command) => {
      const { publicKey, privateKey } = createVapidKeys();
      answer(command, { publicKey, privateKey }, `PUSH_PUBLIC_KEY=${publicKey}\nPUSH_PRIVATE_KEY=${privateKey}`);
    });

  push
    .command('send')
    .description("envoie les rappels de l'heure, et les messages qui attendent ; chacun une fois (à lancer chaque quart d'heure)")
    .answers(async (kernel) => {
      const { push: settings } = kernel.config;
      // Not a failure: the timer also runs on sites without reminders.
      if (!settings) {
        await recordRun(kernel.fork(), 'push', kernel.clock.now());
        return [{ queued: 0, sent: 0 }, 'Aucun rappel : PUSH_PUBLIC_KEY et PUSH_PRIVATE_KEY ne sont pas réglés (« prepa push keys »).'];
      }
      await requireRightClock(kernel.fork());
      const counts = await sendPushMessages(kernel.fork(), kernel.context, settings);
      await recordRun(kernel.fork(), 'push', kernel.clock.now());
      const { sent, gone, refused, rejected, unknown } = counts;
      const others = [
        ...(gone > 0 ? [`${gone} navigateur(s) disparu(s), retiré(s)`] : []),
        ...(refused > 0 ? [`${refused} remis à plus tard`] : []),
        ...(rejected > 0 ? [`${rejected} rejeté(s)`] : []),
        ...(unknown > 0 ? [`${unknown} sans réponse`] : []),
      ];
      return [counts, `${[`${sent} message(s) envoyé(s)`, ...others].join(', ')}.`];
    });
  return push;
}
