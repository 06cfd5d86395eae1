import t from 'tap';
import { oneAtATime } from './one-at-a-time.ts';

t.test('processes concurrent pictures one by one and refuses too many', async (t) => {
  let under = 0;
  let most = 0;
  const gate = Promise.withResolvers<void>();
  const work = async (index: number): Promise<number> => {
    under += 1;
    most = Math.max(most, under);
    await gate.promise;
    under -= 1;
    if (index === 3) throw new Error('unreadable');
    return index;
  };
  const started = Array.from({ length: 60 }, (_, index) => oneAtATime(() => work(index)));
  gate.resolve();
  const ends = await Promise.allSettled(started);
  t.same(
    ends.slice(0, 20).map((end) => (end.status === 'fulfilled' ? end.value : end.reason.message)),
    Array.from({ length: 20 }, (_, index) => (index === 3 ? 'unreadable' : index)),
  );
  t.equal(most, 1);
  t.match(ends.at(-1), { status: 'rejected', reason: { status: 503, code: 'IMAGE.BUSY' } });
  t.equal(await oneAtATime(async () => 'next'), 'next', 'accepts pictures again');
});
