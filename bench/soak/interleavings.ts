/**
 * Runs INTERLEAVINGS of settlements, refunds, grants and expiries (test/support/interleavings) in two processes: first all schedules of
 * each scene with at most one interruption, then random schedules. Some random ones run twice and must repeat statement by statement. Then
 * it runs sources with a planted race, one race after another, and each must be found. PLANTED=1 runs only these.
 */
import { spawn } from 'node:child_process';
import { createInterface } from 'node:readline';
import { plantedRaces } from '../../test/support/interleavings/planted.ts';
import type { Choice, Schedule } from '../../test/support/interleavings/run.ts';
import { type Counts, noCounts, type Sweep, type WorkerLine, type WorkerTask } from '../../test/support/interleavings/worker.ts';
import type { Workshop } from '../support/workshop.ts';

const processes = 2;
/** Concurrent interleavings in a process: while one waits for PostgreSQL, another runs. */
const lanes = 2;
/** Random variants of each scene whose schedules are all run. */
const variants = 4;
/** One random interleaving out of this many runs twice. */
const repeatEvery = 20;
const maxShown = 10;

type Fault = Extract<WorkerLine, { kind: 'fault' | 'differs' }>;

const { INTERLEAVINGS, PLANTED, SCENE, SCHEDULE } = process.env;
const interleavings = Number(INTERLEAVINGS ?? 100_000);
/** Interleavings per minute on a busy machine, at least. */
const slowestPace = 1_500;
/** Timeout of all interleavings and the planted races, in minutes. */
export const interleavingMinutes = 20 + interleavings / slowestPace;

/** @returns whether no fault was found, and each planted race was found */
export async function soakInterleavings(workshop: Workshop, seed: number): Promise<boolean> {
  if (interleavings === 1) return repeat(workshop, { seed, scene: SCENE, schedule: readSchedule(SCHEDULE) });
  const held = PLANTED === '1' || (await playAll(workshop, seed));
  return (await findPlantedRaces(workshop, seed)) && held;
}

async function playAll(workshop: Workshop, seed: number): Promise<boolean> {
  const began = performance.now();
  const { scenes } = await import('../../test/support/interleavings/scenes.ts');
  const sweeps = Object.keys(scenes).flatMap((name): Sweep[] =>
    Array.from({ length: variants * 2 }, (_, index) => ({ seed: seed + (index >> 1), scene: name, first: index % 2 })),
  );
  const share = Math.ceil(interleavings / processes);
  const faults: Fault[] = [];
  const counts = await Promise.all(
    Array.from({ length: processes }, (_, index) =>
      work(
        workshop,
        { from: seed + index * share, count: share, sweeps: sweeps.filter((_, one) => one % processes === index), repeatEvery },
        (fault) => faults.push(fault),
      ),
    ),
  );
  const total = counts.reduce(
    (sum, one) => Object.fromEntries(Object.entries(sum).map(([name, count]) => [name, count + one[name as keyof Counts]])) as Counts,
    noCounts,
  );
  const seconds = (performance.now() - began) / 1000;
  const { played, swept, steps, withWaits, deadlocks, repeated } = total;
  console.log(
    `interleavings: ${played}, ${swept} of them all schedules interrupted once at most of ${sweeps.length} beginnings; ${Object.keys(scenes).length} scenes`,
  );
  console.log(
    `${(steps / played).toFixed(0)} steps each; ${withWaits} with a wait for a lock, ${deadlocks} with a deadlock; ${repeated} played twice; ${(played / seconds).toFixed(0)}/s, ${seconds.toFixed(0)} s`,
  );
  for (const fault of faults.slice(0, maxShown)) console.log(`  ${describe(fault)}`);
  const differing = faults.filter(({ kind }) => kind === 'differs').length;
  console.log(`wrong ${faults.length - differing}, not repeated ${differing}`);
  return faults.length === 0 && played - swept >= interleavings;
}

/** Replays one interleaving and prints its statements. */
async function repeat(workshop: Workshop, choice: Choice): Promise<boolean> {
  const { openStage, play } = await import('../../test/support/interleavings/run.ts');
  const stage = await openStage(await workshop.database('interleaving'));
  workshop.teardown(() => stage.close());
  const { scene, trace, faults } = await play(stage, choice);
  console.log(`${scene}\n${trace.join('\n')}`);
  for (const fault of faults) console.log(`wrong: ${fault}`);
  return faults.length === 0;
}

/** @returns whether each planted race was found */
async function findPlantedRaces(workshop: Workshop, seed: number): Promise<boolean> {
  const names = Object.keys(plantedRaces);
  let found = 0;
  for (const planted of names) {
    const { what, within } = plantedRaces[planted] as (typeof plantedRaces)[string];
    const faults: Fault[] = [];
    const { played } = await work(workshop, { from: seed, count: within, planted }, (fault) => faults.push(fault));
    const [first] = faults;
    if (first) found += 1;
    console.log(`${first ? 'found' : 'NOT FOUND'} after ${played} (${within}): ${what}${first ? `\n  ${describe(first)}` : ''}`);
  }
  console.log(`planted races: ${found} of ${names.length} found`);
  return found === names.length;
}

let databases = 0;

/** Runs one worker process until it ends; returns its counts. */
async function work(workshop: Workshop, task: Omit<WorkerTask, 'urls'>, onFault: (fault: Fault) => void): Promise<Counts> {
  const urls: string[] = [];
  for (let lane = 0; lane < lanes; lane += 1) {
    databases += 1;
    urls.push(await workshop.database(`interleavings_${databases}`));
  }
  const args = ['--import=./test/support/tsx-hook.mjs', 'test/support/interleavings/worker.ts', JSON.stringify({ ...task, urls })];
  const worker = spawn(process.execPath, args, { stdio: ['ignore', 'pipe', 'inherit'] });
  workshop.teardown(() => worker.kill('SIGKILL'));
  const ended = new Promise<number | null>((resolve) => worker.once('close', resolve));
  let counts: Counts | undefined;
  for await (const text of createInterface(worker.stdout)) {
    const line = JSON.parse(text) as WorkerLine;
    if (line.kind === 'end') counts = line.counts;
    else onFault(line);
  }
  if ((await ended) !== 0 || !counts) throw new Error('a process that played interleavings has failed');
  return counts;
}

/** Returns the fault and the variables that reproduce it. */
function describe(fault: Fault): string {
  const { seed, scene, schedule } = fault.choice;
  const again = schedule ? ` SCENE='${scene}' SCHEDULE=${[schedule.first, ...schedule.at].join(':')}` : '';
  const what = fault.kind === 'fault' ? fault.faults.join('; ') : 'went another way the second time';
  return `INTERLEAVINGS=1 SEED=${seed}${again}, ${fault.scene}: ${what}`;
}

/** Parses a schedule: `0:12` means that the first actor begins and another one takes over at step 12. */
function readSchedule(text: string | undefined): Schedule | undefined {
  if (!text) return undefined;
  const [first = 0, ...at] = text.split(':').map(Number);
  return { first, at };
}
