/**
 * Sends random requests to an application in this process and prints the outcome as JSON. The task may name a planted fault, which changes
 * the sources while they are loaded.
 */
import { changeSources } from '../changed-sources.ts';
import type { Outcome } from './campaign.ts';
import { plantedFaults } from './planted.ts';

/** The task, passed as a JSON argument. */
export interface WorkerTask {
  requests: number;
  seed: number;
  /** Index in `plantedFaults`. */
  planted?: number;
}

const { requests, seed, planted } = JSON.parse(process.argv[2] ?? '') as WorkerTask;
const fault = planted === undefined ? undefined : plantedFaults[planted];
if (fault) changeSources(fault.what, [fault]);
const { campaign } = await import('./campaign.ts');
const { scoped } = await import('./scope.ts');
const { plant } = await import('./site-copy.ts');
const outcome: Outcome = await scoped(async (t) => campaign(await plant(t), { requests, perSequence: 1_000, seed }));
process.stdout.write(JSON.stringify(outcome), () => process.exit());
