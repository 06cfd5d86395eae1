import t from 'tap';
import { Admission, type Load } from './admission.ts';

const calm: Load = { underWay: 0, waiting: 0, delayMs: 0 };
/** The event loop is late, by less than would be a reason of its own. */
const late: Load = { ...calm, delayMs: 10 };

t.test('a calm server refuses nothing', async (t) => {
  const admission = new Admission();
  for (const loadClass of ['deferrable', 'page', 'essential'] as const) t.equal(admission.refusal(loadClass, calm, 0), null);
});

t.test('what can wait is refused before pages, and what is essential never', async (t) => {
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

t.test('requests under way that hold up nobody are no reason to refuse, until there are more than may be at all', async (t) => {
  const admission = new Admission();
  for (const now of [0, 300, 1_000, 5_000]) {
    t.equal(admission.refusal('page', { ...calm, underWay: 200 }, now), null);
    t.equal(admission.refusal('deferrable', { ...calm, underWay: 30 }, now), null);
  }
  t.equal(admission.refusal('page', { ...calm, underWay: 250 }, 5_001), 'underWay');
});

t.test('the number of requests counts for a second after a refusal, though nothing is late', async (t) => {
  const admission = new Admission();
  t.equal(admission.refusal('page', { ...calm, delayMs: 500 }, 0), 'delayMs');
  t.equal(admission.refusal('page', { ...calm, underWay: 3 }, 900), 'underWay');
  t.equal(admission.refusal('page', { ...calm, underWay: 3 }, 1_901), null);
});

t.test('a burst is served, a crowd that stays is not', async (t) => {
  const admission = new Admission();
  const crowd = { ...late, underWay: 60 };
  t.equal(admission.refusal('page', crowd, 1_000), null, 'sixty at once');
  t.equal(admission.refusal('page', crowd, 1_200), null);
  t.equal(admission.refusal('page', crowd, 1_300), 'underWay', 'as many after 300 ms');
});

t.test('two under way at the same time for a moment refuse nothing', async (t) => {
  const admission = new Admission();
  const busy = { ...late, underWay: 2 };
  t.equal(admission.refusal('deferrable', busy, 1_000), null);
  t.equal(admission.refusal('deferrable', busy, 1_900), null);
  t.equal(admission.refusal('deferrable', busy, 2_000), 'underWay', 'all the time they do');
});

t.test('a burst that has been served leaves nothing behind', async (t) => {
  const admission = new Admission();
  const crowd = { ...late, underWay: 60 };
  t.equal(admission.refusal('page', crowd, 1_000), null);
  t.equal(admission.refusal('page', calm, 1_100), null);
  t.equal(admission.refusal('page', crowd, 2_000), null, 'the next one');
});

t.test('while a crowd is refused, only as many come in as can be answered soon', async (t) => {
  const admission = new Admission();
  const crowd = { ...late, underWay: 60 };
  admission.refusal('page', crowd, 0);
  t.equal(admission.refusal('page', crowd, 300), 'underWay');
  t.equal(admission.refusal('page', { ...late, underWay: 2 }, 310), null);
  t.equal(admission.refusal('page', { ...late, underWay: 3 }, 311), 'underWay', 'no second burst');
  t.equal(admission.refusal('page', calm, 1_400), null);
  t.equal(admission.refusal('page', crowd, 1_500), null, 'a burst again, a second later');
});
