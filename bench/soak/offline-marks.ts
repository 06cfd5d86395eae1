/**
 * `ONLY=offline make soak`: three learners keep a prepa of the demonstration on two devices each and make MARKS (10,000) marks, while
 * networks hang, are cut and lose responses, pages are closed and crash, and workers are stopped. The marks that pages reported as kept are
 * compared, by SQL, with the rows that two servers stored. Then three faults are planted, each of which the comparison must find.
 */
import type { Test } from 'tap';
import { createEnrolment, createLearner } from '../../test/support/factories.ts';
import { createNetworkPath } from '../../test/support/network-path.ts';
import { seeded } from '../../test/support/random.ts';
import { sql } from '../../test/support/sql.ts';
import { createWorld, type World } from '../../test/support/world.ts';
import { launchBrowser } from '../support/browser.ts';
import type { Workshop } from '../support/workshop.ts';
import { Device, type MarkableItem, type Tally } from './offline-marks/device.ts';
import { Ledger } from './offline-marks/ledger.ts';
import { plantedFaults } from './offline-marks/planted.ts';

const learnerCount = 3;
const marksPerRound = 24;
/** Speed of the servers' clocks, relative to real time. Devices use the server's time, so their marks are minutes apart. */
const clockRate = 30;
/** Number of marks in a run with a planted fault. */
const fewMarks = 600;

/** @returns whether no mark was lost and each planted fault was found */
export async function soakOffline(workshop: Workshop, { marks, seed }: { marks: number; seed: number }): Promise<boolean> {
  process.env.TEST_FOLDER = workshop.folder;
  const { PLANTED: only } = process.env;
  const honest = only === undefined ? await trial(workshop, { marks, seed, planted: null }) : null;
  let held = honest === null || honest.lost + honest.double + honest.wrong + honest.left === 0;
  for (const planted of plantedFaults) {
    if (only && !planted.what.includes(only)) continue;
    const found = await trial(workshop, { marks: Math.min(fewMarks, marks), seed, planted });
    const isFound = found[planted.shows] > 0;
    console.log(`${isFound ? 'found' : 'NOT FOUND'}: ${planted.what} (${planted.shows} ${found[planted.shows]})`);
    held = isFound && held;
  }
  if (honest) console.log(`offline marks ${honest.told}, lost ${honest.lost}, double ${honest.double}, wrong ${honest.wrong}`);
  return held;
}

interface Trial {
  marks: number;
  seed: number;
  planted: (typeof plantedFaults)[number] | null;
}

async function trial(workshop: Workshop, { marks, seed, planted }: Trial) {
  const test = workshop as unknown as Test;
  const began = performance.now();
  const world = await createWorld(test, { demo: true });
  const fast = {
    CLOCK_RIGHT_AT: String(Date.now()),
    CLOCK_RATE: String(clockRate),
    NODE_OPTIONS: `--import=${new URL('../../test/support/wrong-clock.mjs', import.meta.url).href}`,
  };
  const servers = [await world.startServer(fast), await world.startServer(fast)];
  if (planted?.database) await sql(world.databaseUrl, planted.database);
  const browser = await launchBrowser(workshop);
  const ledger = new Ledger();
  const tally: Tally = {};
  const devices: Device[] = [];
  const prepas = await sql<{ id: number; nom: string }>(world.databaseUrl, 'select id, nom from prepa where key is not null order by id');
  for (let number = 0; number < learnerCount; number += 1) {
    const prepa = prepas[number % prepas.length] as (typeof prepas)[number];
    const learner = await createLearner(world);
    await createEnrolment(world, learner, prepa, 25);
    const items = await markable(world, prepa.id);
    for (const [index, { url }] of servers.entries()) {
      const random = seeded(seed + 2 * number + index);
      const path = await createNetworkPath(test, url, random);
      const plant = planted?.browser ?? null;
      const device = await Device.open({ browser, path, learner, prepa: prepa.id, items, random, ledger, tally, plant });
      await device.keep();
      devices.push(device);
    }
  }
  const said = setInterval(() => console.log(`  ${devices.map(({ told }) => told).join(' ')} marks told`), 60_000);
  const share = Math.ceil(marks / devices.length);
  await Promise.all(
    devices.map(async (device) => {
      while (device.told < share) await device.round(Math.min(marksPerRound, share - device.told));
    }),
  );
  clearInterval(said);
  const waiting = await Promise.all(devices.map((device) => device.arrive()));
  await Promise.all(devices.map((device) => device.close()));
  await Promise.all(servers.map((server) => server.stop()));
  const compared = await ledger.compare(world.databaseUrl);
  const left = waiting.filter((count) => count !== 0).length;
  const seconds = (performance.now() - began) / 1000;
  const befell = Object.entries(tally).map(([what, count]) => `${count} ${what}`);
  console.log(
    `${planted ? `planted: ${planted.what}; ` : ''}${ledger.told} marks told and ${ledger.perhaps} unanswered on ${devices.length} devices in ${seconds.toFixed(0)} s; ` +
      `${ledger.seen} seen waiting; ${compared.entries} entries, ${compared.practices} practices on the server`,
  );
  console.log(`  ${befell.toSorted().join(', ')}`);
  for (const example of compared.examples) console.log(`  ${example}`);
  if (left > 0) console.log(`  devices on which something still waits: ${left}`);
  return { ...compared, told: ledger.told, left };
}

const markable = (world: World, prepa: number): Promise<MarkableItem[]> =>
  sql<MarkableItem>(
    world.databaseUrl,
    `select i.id, i.discipline_id as discipline, i.kind, i.corrige is not null as corrected
     from item i join discipline d on d.id = i.discipline_id where d.prepa_id = $1 order by i.id`,
    [prepa],
  );
