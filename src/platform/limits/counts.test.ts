import t from 'tap';
import type { DistinctQuestion } from './count-questions.ts';
import { sharedCounts } from './counts.ts';

t.test('announces a caller once per limit and window', async (t) => {
  const told: string[] = [];
  const { distinct } = sharedCounts((about) => told.push(about));
  const ask = (name: string, caller: string, at: number) =>
    distinct?.({ name, caller, at, windowMs: 1_000, most: 10, things: [at] } satisfies DistinctQuestion as never);
  await ask('one', 'learner', 0);
  await ask('one', 'learner', 500);
  t.equal(told.length, 1);
  await ask('other', 'learner', 500);
  t.equal(new Set(told).size, 2, 'the other limit announces the caller too');
  await ask('one', 'learner', 1_000);
  t.equal(told.length, 3, 'the caller is announced again in the next window');
});
