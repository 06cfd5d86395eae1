import { clockDifference, describeClockDifference, maxClockDifferenceMs } from '../../../src/platform/use-cases/clock-check.ts';
import { type Check, fault, good } from '../check.ts';

export const clock: Check = {
  name: 'Horloge',
  async look({ kernel: { fork } }) {
    const difference = await clockDifference(fork());
    if (Math.abs(difference) <= maxClockDifferenceMs) return good("à l'heure de la base de données");
    return fault(describeClockDifference(difference), "mettez les deux machines à l'heure (« timedatectl set-ntp true »)");
  },
};
