import { isVapidPair } from '../../../src/modules/revision/index.ts';
import { type Check, fault, good } from '../check.ts';

/** Checks the keys for push messages; a site without keys has no reminders. */
export const pushMessages: Check = {
  name: 'Rappels',
  look({ kernel: { config } }) {
    if (!config.push) return null;
    return isVapidPair(config.push)
      ? good('clés en ordre')
      : fault(
          'PUSH_PUBLIC_KEY et PUSH_PRIVATE_KEY ne forment pas une paire, et aucun rappel ne part',
          "remettez la paire d'avant, ou « prepa push keys » ; avec une nouvelle, chaque candidat doit redemander ses rappels",
        );
  },
};
