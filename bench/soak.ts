/**
 * `make soak`: the tests in their long form and long random trials, one part after another. ONLY=tests, race, … runs one part; SEED repeats
 * its random choices. bench/README.md describes the parts and their output. The exit code is 1 when a part fails.
 */
import { spawn } from 'node:child_process';
import { once } from 'node:events';
import type { Test } from 'tap';
import { ensureBuilt } from '../scripts/build.ts';
import { projectRoot } from '../src/platform/settings/project-root.ts';
import { seeded } from '../test/support/random.ts';
import { sql } from '../test/support/sql.ts';
import type { World } from '../test/support/world.ts';
import { interleavingMinutes, soakInterleavings } from './soak/interleavings.ts';
import { race } from './soak/race.ts';
import { inWorkshop, type Workshop } from './support/workshop.ts';

/** Concurrent races, each on its own payment. */
const lanes = 2;

process.chdir(projectRoot);
const seconds = wholeNumber('SECONDS', 60);
const payments = wholeNumber('PAYMENTS', 5_000);
const seed = wholeNumber('SEED', Math.floor(Math.random() * 2 ** 31));
const only = process.env.ONLY;
/** Payments per minute on a busy machine, at least. */
const slowestPace = 150;
/** Timeout of the random requests and the planted faults on a busy machine, in minutes. */
const fuzzMinutes = 120;
/** Timeout of the offline marks, in minutes. */
const offlineMinutes = 60;

await inWorkshop(
  (seconds / 60) * 12 + 125 + payments / slowestPace + interleavingMinutes + fuzzMinutes + offlineMinutes,
  async (workshop) => {
    ensureBuilt();
    // `World` imports the application, whose islands are JSX, so the tsx hook must be registered first.
    await import('../test/support/tsx-hook.mjs' as string);
    console.log(`seed ${seed}, ${seconds} s, ${payments} payments`);
    // The parts call only `teardown` of a test, and the workshop has the same method.
    const test = workshop as unknown as Test;
    const parts = {
      tests: () => soakTests(),
      race: () => soakRace(workshop),
      interleavings: () => soakInterleavings(workshop, seed),
      reminders: async () => (await import('./soak/reminders.ts')).soakReminders(test, seed),
      restore: async () => (await import('./soak/restore.ts')).soakRestore(test, { seed, learners: wholeNumber('LEARNERS', 20_000) }),
      load: async () => (await import('./soak/load.ts')).soakLoad(workshop, { seconds, seed }),
      migrating: async () =>
        (await import('./soak/online-migration.ts')).soakMigrating(
          await workshop.database('migrating'),
          wholeNumber('ITEMS', 100_000),
          seed,
        ),
      rolling: async () => (await import('./soak/rolling.ts')).soakRolling(test, workshop.folder, wholeNumber('REQUESTS', 100_000)),
      fuzz: async () => (await import('./soak/fuzz.ts')).soakFuzz(test, wholeNumber('REQUESTS', 50_000), seed),
      'fuzz-mutations': async () => (await import('./soak/fuzz-mutations.ts')).soakMutations(test, wholeNumber('REQUESTS', 5_000), seed),
      faults: async () => (await import('./faults/faults.ts')).soakFaults(test, seed),
      controls: async () => (await import('./controls/controls.ts')).soakControls(workshop, process.env.CONTROL),
      exam: async () =>
        (await import('./soak/exam.ts')).soakExam(workshop, {
          candidates: wholeNumber('CANDIDATES', 30_000),
          minutes: wholeNumber('MINUTES', 6),
          processes: wholeNumber('WEB_PROCESSES', 1),
          seed,
        }),
      marking: async () => (await import('./soak/exam-marking.ts')).soakMarking(workshop, wholeNumber('CANDIDATES', 30_000)),
      offline: async () => (await import('./soak/offline-marks.ts')).soakOffline(workshop, { marks: wholeNumber('MARKS', 10_000), seed }),
      timing: async () => (await import('./soak/timing.ts')).soakTiming(test, { tries: wholeNumber('TRIES', 500), seed }),
      // Payments come last: their summary is the last line of the output.
      payments: async () =>
        (await import('./soak/payments.ts')).soakPayments(test, {
          payments,
          seed,
          withoutConstraint: process.env.WITHOUT_CONSTRAINT === '1',
        }),
    };
    // The payments and exam parts have their own database servers, which they stop; the other parts use the workshop's.
    if (only !== 'payments' && only !== 'exam') process.env.TEST_DATABASE_URL = await workshop.server();
    let held = true;
    for (const [name, part] of Object.entries(parts)) {
      if (!only || only === name) held = (await part()) && held;
    }
    return held;
  },
);

/** Runs every test in its long form. */
async function soakTests(): Promise<boolean> {
  const child = spawn(process.execPath, ['scripts/test.ts'], { env: { ...process.env, LONG: '1' }, stdio: 'inherit' });
  const [code] = await once(child, 'close');
  return code === 0;
}

async function soakRace(workshop: Workshop): Promise<boolean> {
  const { createWorld } = await import('../test/support/world.ts');
  const world = await createWorld(workshop as unknown as Test);
  const servers = [await world.startServer(), await world.startServer()];

  const deadline = performance.now() + seconds * 1000;
  const raced: string[] = [];
  const lane = async (number: number) => {
    const random = seeded(seed + number);
    while (performance.now() < deadline) raced.push(await race(world, servers, random));
  };
  await Promise.all(Array.from({ length: lanes }, (_, number) => lane(number)));
  await world.prepa('payments', 'reconcile');
  // The servers are no longer needed, and the next parts need the processor.
  await Promise.all(servers.map((server) => server.stop()));

  const { lost, double, unpaid, wrongDays } = await compare(world, raced);
  console.log(`${raced.length} payments, each settled 2 to 10 times at once and notified up to 3 times`);
  if (unpaid > 0) console.log(`${unpaid} opened without a payment`);
  if (wrongDays > 0) console.log(`${wrongDays} opened other than 30 days`);
  console.log(`lost ${lost}, double ${double}`);
  return raced.length > 0 && lost + double + unpaid + wrongDays === 0;
}

async function compare(world: World, raced: string[]) {
  const approved = new Set((await world.simulator.ledger()).filter(({ status }) => status === 'COMPLETED').map(({ ref }) => ref));
  const rows = await sql<{ reference: string; extensions: number; days: number }>(
    world.databaseUrl,
    `select p.reference, count(x.id)::int as extensions,
            coalesce(max(extract(epoch from e.date_expiration - e.date_inscription)) / 86400, 0)::float as days
     from payment p left join enrolment_extension x on x.payment_id = p.id left join enrolment e on e.id = x.enrolment_id
     where p.reference = any($1) group by p.id`,
    [raced],
  );
  const found = new Map(rows.map((row) => [row.reference, row]));
  const extensions = (reference: string) => found.get(reference)?.extensions ?? 0;
  return {
    lost: raced.filter((reference) => approved.has(reference) && extensions(reference) === 0).length,
    double: raced.filter((reference) => extensions(reference) > 1).length,
    unpaid: raced.filter((reference) => !approved.has(reference) && extensions(reference) > 0).length,
    wrongDays: rows.filter(({ extensions, days }) => extensions > 0 && days !== 30).length,
  };
}

function wholeNumber(name: string, fallback: number): number {
  const value = process.env[name];
  if (!value) return fallback;
  if (!/^\d{1,10}$/.test(value)) throw new Error(`${name} is a whole number`);
  return Number(value);
}
