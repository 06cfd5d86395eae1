import { setImmediate as turn } from 'node:timers/promises';
import t from 'tap';
import { within } from './within.ts';

const never = new Promise<never>(() => {});
const timers = () => process.getActiveResourcesInfo().filter((name) => name === 'Timeout').length;

t.test('what comes in time is what it comes to, and no timer is left', async (t) => {
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

t.test('what comes later is what the caller says, or throws', async (t) => {
  t.equal(await within(never, 1, () => 'late'), 'late');
  await t.rejects(
    within(never, 1, () => {
      throw new Error('too late');
    }),
    { message: 'too late' },
  );
});

t.test('that the work fails afterwards is no unhandled rejection', async (t) => {
  const { promise, reject } = Promise.withResolvers<never>();
  t.equal(await within(promise, 1, () => 'late'), 'late');
  reject(new Error('afterwards'));
  await turn();
});
