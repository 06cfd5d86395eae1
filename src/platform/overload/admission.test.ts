import t from 'tap';
import { Admission, type Load } from './admission.ts';

const calm: Load = { underWay: 0, waiting: 0, delayMs: 0 };
/** The event loop is late, but not enough for a refusal. */
const late: Load = { ...calm, delayMs: 10 };

t.test('a calm server refuses nothing', async (t) => {
  const admission = new Admission();
  for (const loadClass of ['deferrable', 'page', 'essential'] as const) t.equal(admission.refusal(loadClass, calm, 0), null);
});

t.test('refuses deferrable requests before pages, and essential ones never', async (t) => {
  const crowds: [Partial<Load>, ...expected: (string | null)[]][] = [
    [{ ...late, underWay: 100 }, 'underWay', null],
    [{ ...late, underWay: 250 }, 'underWay', 'underWay'],
    [{ waiting: 20 }, 'waiting', null],
    [{ waiting: 200 }, 'waiting', 'waiting'],
    [{ delayMs: 150 }, 'delayMs', null],
    [{ delayMs: 5_000 }, 'delayMs', 'delayMs'],
  ];
  for (const [more, deferrable, page] of crowds) {
    const admission = new Admission();
    const load = { ...calm, ...more };
    t.equal(admission.refusal('deferrable', load, 0), deferrable, JSON.stringify(more));
    t.equal(admission.refusal('page', load, 0), page, JSON.stringify(more));
    t.equal(admission.refusal('essential', load, 0), null);
  }
});

t.test('ignores the number of requests under way while nothing waits, up to the maximum', async (t) => {
  const admission = new Admission();
  for (const now of [0, 300, 1_000, 5_000]) {
    t.equal(admission.refusal('page', { ...calm, underWay: 200 }, now), null);
    t.equal(admission.refusal('deferrable', { ...calm, underWay: 30 }, now), null);
  }
  t.equal(admission.refusal('page', { ...calm, underWay: 250 }, 5_001), 'underWay');
});

t.test('ignores the number of requests under way while other programs of the machine delay the event loop a little', async (t) => {
  const admission = new Admission();
  for (const now of [0, 300, 1_000, 5_000]) t.equal(admission.refusal('page', { ...calm, delayMs: 9, underWay: 20 }, now), null);
});

t.test('counts requests under way for a second after a refusal, even if nothing is late', async (t) => {
  const admission = new Admission();
  t.equal(admission.refusal('page', { ...calm, delayMs: 500 }, 0), 'delayMs');
  t.equal(admission.refusal('page', { ...calm, underWay: 6 }, 900), 'underWay');
  t.equal(admission.refusal('page', { ...calm, underWay: 6 }, 1_901), null);
});

t.test('accepts a burst, but not sustained overload', async (t) => {
  const admission = new Admission();
  const crowd = { ...late, underWay: 60 };
  t.equal(admission.refusal('page', crowd, 1_000), null, 'sixty requests at once are accepted');
  t.equal(admission.refusal('page', crowd, 1_200), null);
  t.equal(admission.refusal('page', crowd, 1_300), 'underWay', 'sixty requests are refused after 300 ms');
});

t.test('accepts two concurrent requests for a short time', async (t) => {
  const admission = new Admission();
  const busy = { ...late, underWay: 2 };
  t.equal(admission.refusal('deferrable', busy, 1_000), null);
  t.equal(admission.refusal('deferrable', busy, 1_900), null);
  t.equal(admission.refusal('deferrable', busy, 2_000), 'underWay', 'two concurrent requests are refused after a second');
});

t.test('accepts a new burst after an earlier one', async (t) => {
  const admission = new Admission();
  const crowd = { ...late, underWay: 60 };
  t.equal(admission.refusal('page', crowd, 1_000), null);
  t.equal(admission.refusal('page', calm, 1_100), null);
  t.equal(admission.refusal('page', crowd, 2_000), null, 'the next burst is accepted');
});

t.test('accepts no burst within a second of a refusal', async (t) => {
  const admission = new Admission();
  const crowd = { ...late, underWay: 60 };
  admission.refusal('page', crowd, 0);
  t.equal(admission.refusal('page', crowd, 300), 'underWay');
  t.equal(admission.refusal('page', { ...late, underWay: 5 }, 310), null);
  t.equal(admission.refusal('page', { ...late, underWay: 6 }, 311), 'underWay', 'a second burst is refused');
  t.equal(admission.refusal('page', calm, 1_400), null);
  t.equal(admission.refusal('page', crowd, 1_500), null, 'a burst is accepted again after a second');
});
