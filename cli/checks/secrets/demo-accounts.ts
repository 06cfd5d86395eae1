import { demoAccountsFault, findDemoAccounts } from '../../../src/modules/identity/index.ts';
import { type Check, fault, good } from '../check.ts';

export const demoAccounts: Check = {
  name: 'Comptes de démonstration',
  inProduction: true,
  async look({ kernel: { fork } }) {
    const found = demoAccountsFault(await findDemoAccounts(fork()));
    return found === null ? good('aucun') : fault(found);
  },
};
