// Slow: random orders of statements, played on two databases.
import { spawn } from 'node:child_process';
import { readFileSync } from 'node:fs';
import { join } from 'node:path';
import { text } from 'node:stream/consumers';
import pg from 'pg';
import t from 'tap';
import { projectRoot } from '../src/platform/settings/project-root.ts';
import { transact } from '../src/platform/use-cases/transaction.ts';
import { createTestDatabase } from './support/database.ts';
import { holdBackends } from './support/interleavings/holding.ts';
import { plantedRaces } from './support/interleavings/planted.ts';
import { openStage, play, type Stage } from './support/interleavings/run.ts';
import { Scheduler } from './support/interleavings/scheduler.ts';
import { randomWalk } from './support/interleavings/strategies.ts';
import type { WorkerLine, WorkerTask } from './support/interleavings/worker.ts';
import { isLongForm } from './support/long-form.ts';
import { seeded, seedOfRun } from './support/random.ts';

// `make soak` runs a hundred thousand, and every planted race.
const interleavings = Number(process.env.INTERLEAVINGS ?? (isLongForm ? 100 : 30));
const seed = seedOfRun();

const stages = await Promise.all([0, 1].map(async () => openStage((await createTestDatabase(t)).url)));
const [stage, other] = stages as [Stage, Stage];
t.teardown(() => Promise.all(stages.map((each) => each.close())));

t.test('a seed repeats the same statements in the same order, also on another database', async (t) => {
  for (let own = seed; own < seed + 5; own += 1) {
    const [once, again] = [await play(stage, { seed: own }), await play(other, { seed: own })];
    t.equal(again.trace.join('\n'), once.trace.join('\n'), `${own}, ${once.scene}`);
    t.ok(once.trace.length > 10);
  }
});

t.test('of three actors that wait for one row, the first one always continues first', async (t) => {
  const own = 1_326_697_871;
  const { trace, scene } = await play(stage, { seed: own });
  t.equal(scene, 'refund, refund');
  const waiting = trace.map((line) => /^ {2}(\w) waits$/.exec(line)?.[1]);
  t.ok(
    waiting.some((who, index) => who && waiting[index + 1]),
    'two actors wait for the third',
  );
  for (let again = 0; again < 20; again += 1) t.same((await play(stage, { seed: own })).trace, trace);
});

t.test('a paused connection resumes when the pausing process has ended', async (t) => {
  const { url } = await createTestDatabase(t);
  const client = new pg.Client({ connectionString: url });
  t.teardown(() => client.end());
  await client.connect();
  const { rows } = await client.query<{ pid: number }>('select pg_backend_pid() as pid');
  const { pid } = rows[0] as { pid: number };
  const hold = holdBackends([pid]);
  hold.stop(pid);
  const answer = client.query('select 1 as one');
  // Simulates the end of this process: the shell then reads the end of its input.
  hold.close();
  t.same((await answer).rows, [{ one: 1 }]);
});

t.test(`${interleavings} interleavings, seeds from ${seed} on`, async (t) => {
  let next = seed;
  const faults: string[] = [];
  const lane = async (stage: Stage) => {
    while (next < seed + interleavings) {
      const own = next;
      next += 1;
      const played = await play(stage, { seed: own });
      faults.push(...played.faults.map((fault) => `${own}, ${played.scene}: ${fault}`));
    }
  };
  await Promise.all(stages.map(lane));
  t.same(faults, []);
});

t.test('forms of two payments, opened at the same state, change the days of one learner only once', async (t) => {
  // When each change locked only the row of its payment, each of these seeds let both changes through.
  for (const own of [77_002, 77_004, 77_005, 77_006]) {
    t.same((await play(stage, { seed: own, scene: 'forms of two payments' })).faults, [], `${own}`);
  }
});

t.test('a deadlock: one actor is cancelled and retries, and the seed decides which', async (t) => {
  await stage.observer.query('create table pair as select id, 0 as n from generate_series(1, 2) id');
  const ended = async (own: number) => {
    const scheduler = new Scheduler(randomWalk(seeded(own)), stage, () => '');
    const actors = [
      [1, 2],
      [2, 1],
    ].map((ids, index) => {
      const seat = stage.seats[index] as Stage['seats'][number];
      const name = 'ab'[index] as string;
      seat.taken = { name, scheduler };
      const change = async (id: number | undefined, tx: { execute(text: string, values: unknown[]): Promise<unknown> }) =>
        tx.execute('update pair set n = n + 1 where id = ?', [id]);
      const work = () =>
        transact(seat.kernel.fork(), seat.kernel.context, async (tx) => {
          for (const id of ids) await change(id, tx);
        });
      return { name, work };
    });
    const outcomes = await scheduler.run(actors);
    for (const seat of stage.seats) seat.taken = null;
    t.same(
      outcomes.map(({ error }) => error),
      [undefined, undefined],
    );
    return scheduler.trace.find((line) => line.endsWith('by the deadlock'))?.[0] ?? 'nobody';
  };
  const first = [];
  for (let own = 0; own < 12; own += 1) first.push(await ended(own));
  const again = [];
  for (let own = 0; own < 12; own += 1) again.push(await ended(own));
  t.same(again, first);
  t.same([...new Set(first)].sort(), ['a', 'b', 'nobody']);
  t.same((await stage.observer.query('select n from pair')).rows, [{ n: 48 }, { n: 48 }], 'no increment is lost');
});

t.test('a planted race is found', async (t) => {
  const planted = 'days-without-lock';
  const { url } = await createTestDatabase(t);
  const task: WorkerTask = { urls: [url], from: 0, count: plantedRaces[planted]?.within ?? 0, planted };
  const args = ['--import=./test/support/tsx-hook.mjs', 'test/support/interleavings/worker.ts', JSON.stringify(task)];
  const worker = spawn(process.execPath, args, { cwd: projectRoot, stdio: ['ignore', 'pipe', 'inherit'] });
  t.teardown(() => worker.kill());
  const lines = (await text(worker.stdout))
    .trim()
    .split('\n')
    .map((line) => JSON.parse(line) as WorkerLine);
  const [found] = lines.filter((line) => line.kind === 'fault');
  t.match(found?.faults.join('\n'), /does not follow on the one before/);
});

t.test('the code changed by each planted race occurs exactly once', async (t) => {
  t.ok(Object.keys(plantedRaces).length >= 10);
  for (const [name, { changes }] of Object.entries(plantedRaces)) {
    for (const { file, from } of changes) {
      t.equal(readFileSync(join(projectRoot, file), 'utf8').split(from).length, 2, `${name}: ${from.slice(0, 40)}`);
    }
  }
});
