import { isVapidPair } from '../../../src/modules/revision/index.ts';
import { type Check, fault, good } from '../check.ts';
import { stoppedTimer } from '../last-run.ts';

/** An hour, in ms: the command runs every quarter of an hour, and a run may take long. */
const lateAfterMs = 3_600_000;

/** Checks the keys for push messages and the timer that sends them; a site without keys has no reminders. */
export const pushMessages: Check = {
  name: 'Rappels',
  async look({ kernel }) {
    const { push } = kernel.config;
    if (!push) return null;
    if (!isVapidPair(push))
      return fault(
        'PUSH_PUBLIC_KEY et PUSH_PRIVATE_KEY ne forment pas une paire, et aucun rappel ne part',
        "remettez la paire d'avant, ou « prepa push keys » ; avec une nouvelle, chaque candidat doit redemander ses rappels",
      );
    const awaited = `select 1 from push_subscription where created_at < now() - interval '1 hour' limit 1`;
    const remedy = "lancez « prepa push send » chaque quart d'heure (minuterie systemd, cron)";
    return (await stoppedTimer(kernel, { task: 'push', lateAfterMs, awaited, remedy })) ?? good('clés en ordre, envoyés');
  },
};
