/**
 * `ONLY=faults make soak`: injects the faults of bench/faults/kinds.ts one at a time under a constant rate of requests, and prints one line
 * for each fault. FAULT=text runs the faults whose name contains the text.
 */
import type { Test } from 'tap';
import type { Fault } from './fault.ts';
import { faults } from './kinds.ts';
import { type FaultSite, openFaultSite } from './site.ts';
import { type Tally, Traffic } from './traffic.ts';

/**
 * @returns whether the site served requests during each fault and recovered after it. Requests may fail only for a fault with
 *   `breaksServer`, and acknowledged payments may be lost only for a fault with `mayLose`.
 */
export async function soakFaults(t: Test, seed: number): Promise<boolean> {
  const site = await openFaultSite(t, seed);
  const traffic = new Traffic(
    () => site.server().url,
    () => site.replication.primaryUrl,
    site.learners,
    site.prepas,
  );
  await traffic.warmUp();
  console.log(row('fault', 'sent', 'good', 'refused', 'failed', 'lost', 'good again'));
  let held = true;
  for (const fault of faults.filter(({ name }) => name.includes(process.env.FAULT ?? '')))
    held = (await suffer(t, site, traffic, fault)) && held;
  return held;
}

async function suffer(
  t: Test,
  site: FaultSite,
  traffic: Traffic,
  { name, breaksServer = false, mayLose = false, inflict }: Fault,
): Promise<boolean> {
  const tally = await traffic.during(() => inflict(site, t));
  const { sent, good, refused, failed, lost, acknowledged, goodAfterMs } = tally;
  const again = goodAfterMs === null ? 'never' : `${(goodAfterMs / 1000).toFixed(1)} s`;
  console.log(row(name, sent, good, refused, failed, `${lost} of ${acknowledged}`, again));
  if (failed > 0) console.log(`  failed: ${JSON.stringify(tally.failures)}`);
  return isAsItShould(tally, { breaksServer, mayLose });
}

const isAsItShould = (
  { failed, lost, goodAfterMs, good }: Tally,
  { breaksServer, mayLose }: Record<'breaksServer' | 'mayLose', boolean>,
): boolean => (lost === 0 || mayLose) && goodAfterMs !== null && good > 0 && (failed === 0 || breaksServer);

const row = (name: string, ...cells: (string | number)[]): string =>
  name.padEnd(46) + cells.map((cell) => String(cell).padStart(12)).join('');
