/**
 * Runs interleavings in a separate process, several concurrently, each on its own database, and prints results as JSON lines. With
 * `planted`, it runs on sources with a planted race until the race is found.
 */
import { plant } from './planted.ts';
import type { Choice, Stage } from './run.ts';

export interface WorkerTask {
  /** URLs of migrated, empty databases, one per lane. */
  urls: string[];
  /** First seed of the random interleavings. */
  from: number;
  count: number;
  /** Sweeps to run before the random interleavings. */
  sweeps?: Sweep[];
  planted?: string | undefined;
  /** One interleaving out of this many runs twice, and the traces are compared. */
  repeatEvery?: number;
}

/** A scene with all schedules that begin with this actor and have at most one interruption. */
export interface Sweep {
  seed: number;
  scene: string;
  first: number;
}

export type WorkerLine =
  | { kind: 'fault'; choice: Choice; scene: string; faults: string[]; trace: string[] }
  | { kind: 'differs'; choice: Choice; scene: string }
  | { kind: 'end'; counts: Counts };

export const noCounts = { played: 0, swept: 0, repeated: 0, steps: 0, withWaits: 0, deadlocks: 0 };
export type Counts = typeof noCounts;

/** Number of faults after which the worker stops. */
const maxFaults = 10;

if (import.meta.main) await work(JSON.parse(process.argv[2] ?? '') as WorkerTask);

async function work({ urls, from, count, sweeps = [], planted, repeatEvery = 0 }: WorkerTask): Promise<void> {
  const race = planted === undefined ? null : plant(planted);
  // The race must be planted before the sources are loaded.
  const { openStage, play } = await import('./run.ts');
  const tell = (line: WorkerLine) => process.stdout.write(`${JSON.stringify(line)}\n`);
  const counts = { ...noCounts };
  let faulty = 0;

  async function one(stage: Stage, choice: Choice): Promise<number> {
    const { scene, trace, steps, faults } = await play(stage, choice);
    counts.played += 1;
    counts.steps += steps;
    if (trace.some((line) => line.endsWith(' waits'))) counts.withWaits += 1;
    if (trace.some((line) => line.endsWith('by the deadlock'))) counts.deadlocks += 1;
    if (faults.length > 0) {
      faulty += 1;
      tell({ kind: 'fault', choice, scene, faults, trace });
    }
    if (repeatEvery > 0 && counts.played % repeatEvery === 0) {
      counts.repeated += 1;
      if ((await play(stage, choice)).trace.join('\n') !== trace.join('\n')) tell({ kind: 'differs', choice, scene });
    }
    return steps;
  }

  async function sweep(stage: Stage, { seed, scene, first }: Sweep): Promise<void> {
    // No actor has acted before the second step, and an interruption after the last one changes nothing.
    for (let at = 1, last = 2; at <= last; at += 1) {
      last = await one(stage, { seed, scene, schedule: { first, at: at === 1 ? [] : [at] } });
      counts.swept += 1;
    }
  }

  const open = sweeps.values();
  let next = 0;
  await Promise.all(
    urls.map(async (url) => {
      const stage = await openStage(url);
      if (race?.sql) await stage.observer.query(race.sql);
      const enough = () => faulty >= (race ? 1 : maxFaults);
      for (const each of open) if (!enough()) await sweep(stage, each);
      while (next < count && !enough()) {
        const seed = from + next;
        next += 1;
        await one(stage, { seed });
      }
      await stage.close();
    }),
  );
  tell({ kind: 'end', counts });
}
