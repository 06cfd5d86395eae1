import { mkdtempSync, writeFileSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { setTimeout as pause } from 'node:timers/promises';
import { pathToFileURL } from 'node:url';
import t from 'tap';
import { WorkerPool } from './worker-pool.ts';

const file = join(mkdtempSync(join(tmpdir(), 'prepa-worker-')), 'worker.mjs');
writeFileSync(
  file,
  `import { ask } from '${new URL('./worker-questions.ts', import.meta.url)}';
  export default ({ what, value }) => {
    if (what === 'ask') return ask(value);
    if (what === 'for ever') for (;;);
    if (what === 'stand still') Atomics.wait(new Int32Array(new SharedArrayBuffer(4)), 0, 0);
    if (what === 'hoard') for (const kept = [];;) kept.push(new Array(10000).fill(value));
    if (what === 'one array') for (const kept = [];;) kept.push(value);
    if (what === 'environment') return Object.keys(process.env);
    if (what === 'throw') throw new Error(value);
    return value * 2;
  };`,
);
const open = (queue = 10, workers?: number) =>
  new WorkerPool({ file: pathToFileURL(file), memoryMb: 64, queue, ...(workers && { workers }) });
/** Limits in ms, long enough for a busy machine. */
const ample = { workMs: 30_000, waitMs: 60_000 };

t.test('ends endless work without blocking this thread', async (t) => {
  const pool = open();
  t.teardown(() => pool.close());
  t.equal(await pool.run({ what: 'double', value: 21 }, ample), 42);
  const endless = pool.run({ what: 'for ever' }, { ...ample, workMs: 1_000 }).then(
    () => null,
    (error: unknown) => error,
  );
  let turns = 0;
  let ended = false;
  endless.then(() => {
    ended = true;
  });
  while (!ended) {
    await pause(5);
    turns += 1;
  }
  t.match(await endless, { name: 'WorkError', reason: 'time' });
  t.ok(turns > 20, `this thread had ${turns} turns meanwhile`);
  t.equal(await pool.run({ what: 'double', value: 4 }, ample), 8, 'the next task starts another worker');
});

t.test('closing the pool rejects its tasks as busy, and a new task starts the pool again', async (t) => {
  const pool = open(10, 1);
  t.teardown(() => pool.close());
  await pool.run({ what: 'double', value: 1 }, ample);
  const both = Promise.allSettled([pool.run({ what: 'for ever' }, ample), pool.run({ what: 'double', value: 2 }, ample)]);
  await pause(0);
  await pool.close();
  const refusal = { reason: { name: 'WorkError', reason: 'busy' } };
  t.match(await both, [refusal, refusal]);
  t.equal(await pool.run({ what: 'double', value: 3 }, ample), 6);
});

t.test('a worker that dies while starting does not block other tasks', async (t) => {
  const folder = mkdtempSync(join(tmpdir(), 'prepa-worker-'));
  const [ending, marker] = [join(folder, 'worker.mjs'), join(folder, 'once')];
  writeFileSync(marker, '');
  writeFileSync(
    ending,
    `import { existsSync, rmSync } from 'node:fs';
    if (existsSync('${marker}')) {
      rmSync('${marker}');
      process.kill(process.pid, 'SIGKILL');
    }
    export default (value) => value * 2;`,
  );
  const pool = new WorkerPool({ file: pathToFileURL(ending), memoryMb: 64, queue: 10, workers: 1 });
  t.teardown(() => pool.close());
  const both = await Promise.allSettled([1, 2].map((value) => pool.run(value, ample)));
  t.match(both, [{ reason: { name: 'WorkError', reason: 'busy' } }, { value: 4 }]);
});

t.test("a task's time limit begins with its own start", async (t) => {
  const pool = open(10, 1);
  t.teardown(() => pool.close());
  // This task waits without using the processor, which other tests need.
  const endless = pool.run({ what: 'stand still' }, { ...ample, workMs: 6_000 });
  const patient = Promise.allSettled([4, 5].map((value) => pool.run({ what: 'double', value }, { ...ample, workMs: 5_000 })));
  const impatient = pool.run({ what: 'double', value: 6 }, { ...ample, waitMs: 1 });
  await t.rejects(impatient, { name: 'WorkError', reason: 'waited' }, 'waiting has its own limit');
  await t.rejects(endless, { name: 'WorkError', reason: 'time' });
  t.match(await patient, [{ value: 8 }, { value: 10 }], 'tasks behind an ended worker continue with the next one');
});

t.test('tasks behind a worker that dies continue with the next one', async (t) => {
  const pool = open(10, 1);
  t.teardown(() => pool.close());
  const [dead, alive] = await Promise.allSettled([
    pool.run({ what: 'hoard', value: 1 }, ample),
    pool.run({ what: 'double', value: 7 }, ample),
  ]);
  t.match(dead, { reason: { reason: 'death' } });
  t.match(alive, { value: 14 });
});

t.test('closing rejects running and waiting tasks', async (t) => {
  const pool = open(10, 1);
  let started = () => {};
  const begun = new Promise<void>((resolve) => {
    started = resolve;
  });
  const running = pool.run({ what: 'ask', value: 'anything' }, ample, () => {
    started();
    return new Promise(() => {});
  });
  const waiting = pool.run({ what: 'double', value: 8 }, ample);
  const ended = Promise.allSettled([running, waiting]);
  await begun;
  await pool.close();
  t.match(await ended, [{ status: 'rejected' }, { reason: { name: 'WorkError', reason: 'busy' } }]);
});

t.test('work with too much memory ends only its worker', async (t) => {
  const pool = open();
  t.teardown(() => pool.close());
  // If the workers were threads, one growing array would end the whole process.
  for (const what of ['hoard', 'one array'])
    await t.rejects(pool.run({ what, value: 1 }, ample), { name: 'WorkError', reason: 'death' }, what);
  t.equal(await pool.run({ what: 'double', value: 5 }, ample), 10);
});

t.test('a worker can ask this process questions', async (t) => {
  const pool = open();
  t.teardown(() => pool.close());
  const asked: unknown[] = [];
  const answer = async (question: unknown) => {
    asked.push(question);
    if (question instanceof Uint8Array) return question.length;
    throw new Error('a detail of this side');
  };
  t.equal(await pool.run({ what: 'ask', value: new Uint8Array(3) }, ample, answer), 3);
  await t.rejects(pool.run({ what: 'ask', value: 'else' }, ample, answer), { message: 'the question was not answered' });
  t.equal(asked.length, 2);
});

t.test('a worker does not get the environment variables', async (t) => {
  const pool = open();
  t.teardown(() => pool.close());
  process.env.A_SECRET = 'x';
  t.notOk((await pool.run<string[]>({ what: 'environment' }, ample)).includes('A_SECRET'));
});

t.test('passes on errors of the worker and refuses too many tasks', async (t) => {
  const pool = open(1);
  t.teardown(() => pool.close());
  await t.rejects(pool.run({ what: 'throw', value: 'as it is' }, ample), { message: 'as it is' });
  const answers = await Promise.allSettled(Array.from({ length: 40 }, (_, value) => pool.run({ what: 'double', value }, ample)));
  const refused = answers.filter(({ status }) => status === 'rejected') as PromiseRejectedResult[];
  t.ok(refused.length > 0 && refused.length < 40, `the pool refused ${refused.length} of 40 tasks`);
  t.match(refused[0]?.reason, { name: 'WorkError', reason: 'busy' });
});
