import t from 'tap';
import { seeded } from '../../../test/support/random.ts';
import { dayMs } from '../dates.ts';
import { rightWhenKnown } from './evidence.ts';
import { foldMemory, type Memory } from './memory.ts';
import { outlookOf } from './outlook.ts';
import type { SeenQuestion, UnseenQuestion } from './questions.ts';

const now = Date.UTC(2027, 0, 4, 17);
const unseen: UnseenQuestion[] = Array.from({ length: 100 }, (_, index) => ({
  id: `n${index}`,
  discipline: 1,
  position: index,
  seconds: 45,
}));

/** A hundred questions asked 15, 12 and 5 days ago by a learner who forgets with this half-life, in days. */
function asked(halfLife: number): SeenQuestion[] {
  const random = seeded(2);
  const days = [15, 12, 5];
  return Array.from({ length: 100 }, (_, index) => {
    const answers = days.map((ago, turn) => {
      const recall = turn === 0 ? 0.2 : 2 ** (-((days[turn - 1] as number) - ago) / halfLife);
      return { key: `${turn}`, at: now - ago * dayMs, right: random() < rightWhenKnown(recall), seconds: null };
    });
    return { id: `s${index}`, discipline: 1, seconds: 25, memory: foldMemory(answers, null) as Memory };
  });
}

t.test('nothing is foretold before an answer on a later day', async (t) => {
  t.equal(outlookOf({ seen: [], unseen }, now, 20, 15), null);
  const first = foldMemory([{ key: 'a', at: now, right: true, seconds: null }], null) as Memory;
  t.equal(outlookOf({ seen: [{ id: 's', discipline: 1, seconds: 25, memory: first }], unseen }, now, 20, 15), null);
  t.ok(outlookOf({ seen: asked(5), unseen }, now, 20, 15));
});

t.test('ranges lie within 0 to 1, and studying gives more than stopping, more minutes no less', async (t) => {
  for (const halfLife of [1, 5, 40])
    for (const days of [1, 5, 30, 120]) {
      const [few, more] = [5, 30].map((minutes) => outlookOf({ seen: asked(halfLife), unseen }, now, days, minutes));
      if (!few || !more) return t.fail('no outlook');
      for (const { low, high } of [few.stopping, few.studying, more.studying])
        t.ok(0 <= low && low < high && high <= 1, `${low} to ${high}`);
      t.same(more.stopping, few.stopping);
      t.ok(few.studying.high > few.stopping.high && more.studying.high >= few.studying.high, `half-life ${halfLife}, ${days} days`);
    }
});

t.test('who forgets fast is told so', async (t) => {
  const [fast, slow] = [1, 40].map((halfLife) => outlookOf({ seen: asked(halfLife), unseen }, now, 20, 15));
  t.ok((fast?.stopping.high ?? 1) < 0.15, `${fast?.stopping.high} of all questions, half of them seen`);
  t.ok((slow?.stopping.low ?? 0) > 0.25, `${slow?.stopping.low}`);
});
