import t from 'tap';
import { atMost } from './at-most.ts';

const hour = 3_600_000;

/** A work that runs until it is told to end. */
function work() {
  const { promise, resolve, reject } = Promise.withResolvers<string>();
  return { run: () => promise, end: resolve, fail: reject };
}

t.test('no more than that at once, first come, first served; a failure gives its lane back', async (t) => {
  const begun: number[] = [];
  const limited = atMost(2, hour);
  const works = [0, 1, 2, 3, 4].map(work);
  const results = works.map(({ run }, index) =>
    limited(() => {
      begun.push(index);
      return run();
    }),
  );
  t.same(begun, [0, 1]);
  works[1]?.fail(new Error('nothing'));
  await t.rejects(async () => results[1]);
  t.same(begun, [0, 1, 2]);
  works[0]?.end('first');
  t.equal(await results[0], 'first');
  t.same(begun, [0, 1, 2, 3]);
  for (const { end } of works) end('done');
  t.same(await Promise.all([results[0], ...results.slice(2)]), ['first', 'done', 'done', 'done']);
  t.same(begun, [0, 1, 2, 3, 4]);
  const late = work();
  const last = limited(late.run);
  late.end('at once');
  t.equal(await last, 'at once');
});

t.test('nothing waits for ever behind what never ends', async (t) => {
  const limited = atMost(1, 5);
  const hanging = work();
  const first = limited(hanging.run);
  t.equal(await limited(async () => 'all the same'), 'all the same');
  hanging.end('at last');
  t.equal(await first, 'at last');
  t.equal(await limited(async () => 'and then'), 'and then');
});
