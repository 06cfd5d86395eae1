import { setImmediate as turn } from 'node:timers/promises';
import t from 'tap';
import { within } from './within.ts';

const never = new Promise<never>(() => {});
const timers = () => process.getActiveResourcesInfo().filter((name) => name === 'Timeout').length;

t.test('returns a result in time and leaves no timer', async (t) => {
  const before = timers();
  t.equal(await within(turn('done'), 60_000, () => 'late'), 'done');
  await t.rejects(
    within(
      turn().then(() => {
        throw new Error('failed');
      }),
      60_000,
      () => 'late',
    ),
    { message: 'failed' },
  );
  t.equal(timers(), before);
});

t.test('after the time limit, returns the result of `late` or throws its error', async (t) => {
  t.equal(await within(never, 1, () => 'late'), 'late');
  await t.rejects(
    within(never, 1, () => {
      throw new Error('too late');
    }),
    { message: 'too late' },
  );
});

t.test('a later failure of the work is no unhandled rejection', async (t) => {
  const { promise, reject } = Promise.withResolvers<never>();
  t.equal(await within(promise, 1, () => 'late'), 'late');
  reject(new Error('afterwards'));
  await turn();
});
