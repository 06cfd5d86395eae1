import t from 'tap';
import { createBackgroundWork } from './background-work.ts';

function silentLog() {
  const errors: unknown[] = [];
  const nothing = () => {};
  return { errors, log: { debug: nothing, info: nothing, warn: nothing, error: (entry: unknown) => errors.push(entry) } as never };
}

t.test('a limited number of tasks runs at once, and closing waits for running tasks and drops queued ones', async (t) => {
  const { log } = silentLog();
  const work = createBackgroundWork(log, { concurrency: 2, waiting: 2 });
  const gates = [0, 1, 2, 3, 4].map(() => Promise.withResolvers<void>());
  const ended: number[] = [];
  const task = (index: number) => async () => {
    await gates[index]?.promise;
    ended.push(index);
  };
  t.ok(work.add(task(0)));
  t.ok(work.add(task(1)));
  t.ok(work.add(task(2)));
  t.ok(work.add(task(3)));
  t.notOk(work.add(task(4)), 'a full queue refuses tasks');

  let closed = false;
  const closing = work.close().then(() => {
    closed = true;
  });
  t.notOk(work.add(task(4)), 'a closing queue refuses tasks');
  gates[0]?.resolve();
  await gates[0]?.promise;
  t.notOk(closed);
  gates[1]?.resolve();
  await closing;
  t.strictSame(ended, [0, 1], 'queued tasks are dropped');
});

t.test('a failing task is logged and does not stop the others', async (t) => {
  const { log, errors } = silentLog();
  const work = createBackgroundWork(log, { concurrency: 1, waiting: 5 });
  const done = Promise.withResolvers<void>();
  work.add(() => Promise.reject(new Error('broken')));
  work.add(() => {
    throw new Error('broken at once');
  });
  work.add(async () => done.resolve());
  await done.promise;
  t.equal(errors.length, 2);
});

t.test('yielding work starts when the process is idle, after a limited wait, and at once on shutdown', async (t) => {
  const { log } = silentLog();
  const work = createBackgroundWork(log, { concurrency: 1, waiting: 5, yields: true });
  let begun = 0;
  const busyUntil = (ended: () => boolean) =>
    new Promise<number>((resolve) => {
      const start = performance.now();
      const turn = () => {
        // Keeps the event loop busy for most of each turn.
        for (const end = performance.now() + 20; performance.now() < end; );
        if (ended()) resolve(performance.now() - start);
        else setTimeout(turn, 1);
      };
      turn();
    });
  work.add(async () => {
    begun += 1;
  });
  const waited = await busyUntil(() => begun > 0);
  const done = Promise.withResolvers<void>();
  const before = performance.now();
  work.add(async () => done.resolve());
  await done.promise;
  t.ok(performance.now() - before < waited / 2, 'a task on an idle process starts without the wait');
  await work.close();
});
