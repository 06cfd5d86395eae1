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
    if (what === 'hoard') for (const kept = [];;) kept.push(new Array(10000).fill(value));
    if (what === 'one array') for (const kept = [];;) kept.push(value);
    if (what === 'environment') return Object.keys(process.env);
    if (what === 'throw') throw new Error(value);
    return value * 2;
  };`,
);
const open = (queue = 10) => new WorkerPool({ file: pathToFileURL(file), memoryMb: 64, queue });

t.test('work that does not end is ended, and holds up nobody', async (t) => {
  const pool = open();
  t.teardown(() => pool.close());
  t.equal(await pool.run({ what: 'double', value: 21 }, 30_000), 42);
  const endless = pool.run({ what: 'for ever' }, 1_000).then(
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
  t.equal(await pool.run({ what: 'double', value: 4 }, 30_000), 8, 'the next task starts another worker');
});

t.test('work that takes too much memory ends its worker alone', async (t) => {
  const pool = open();
  t.teardown(() => pool.close());
  // One array that grows ends a thread's whole process.
  for (const what of ['hoard', 'one array'])
    await t.rejects(pool.run({ what, value: 1 }, 60_000), { name: 'WorkError', reason: 'death' }, what);
  t.equal(await pool.run({ what: 'double', value: 5 }, 30_000), 10);
});

t.test('a worker asks what only this process can answer', async (t) => {
  const pool = open();
  t.teardown(() => pool.close());
  const asked: unknown[] = [];
  const answer = async (question: unknown) => {
    asked.push(question);
    if (question instanceof Uint8Array) return question.length;
    throw new Error('a detail of this side');
  };
  t.equal(await pool.run({ what: 'ask', value: new Uint8Array(3) }, 30_000, answer), 3);
  await t.rejects(pool.run({ what: 'ask', value: 'else' }, 30_000, answer), { message: 'the question was not answered' });
  t.equal(asked.length, 2);
});

t.test('a worker knows nothing of the environment', async (t) => {
  const pool = open();
  t.teardown(() => pool.close());
  process.env.A_SECRET = 'x';
  t.notOk((await pool.run<string[]>({ what: 'environment' }, 30_000)).includes('A_SECRET'));
});

t.test('what the worker throws is thrown; too many tasks at once are refused', async (t) => {
  const pool = open(1);
  t.teardown(() => pool.close());
  await t.rejects(pool.run({ what: 'throw', value: 'as it is' }, 30_000), { message: 'as it is' });
  const answers = await Promise.allSettled(Array.from({ length: 40 }, (_, value) => pool.run({ what: 'double', value }, 30_000)));
  const refused = answers.filter(({ status }) => status === 'rejected') as PromiseRejectedResult[];
  t.ok(refused.length > 0 && refused.length < 40, `${refused.length} of 40`);
  t.match(refused[0]?.reason, { name: 'WorkError', reason: 'busy' });
});
