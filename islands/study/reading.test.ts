import t from 'tap';
import { type Reading, type ReadingAction, ReadingMemory, type ReadingState, reduceReading, startReading } from './reading.ts';

const reading = (id: number): Reading => ({
  type: 'course',
  id,
  titre: `Leçon ${id}`,
  minutes: 1,
  texts: { contenu: `<p>${id}</p>`, corrige: null },
  documents: [],
});
const after = (...actions: ReadingAction[]): ReadingState => actions.reduce(reduceReading, startReading(reading(1)));
const ask = (id: number): ReadingAction => ({ type: 'ask', item: { type: 'course', id } });
const show = (id: number): ReadingAction => ({ type: 'show', reading: reading(id), scroll: true });

t.test('the current text stays until the requested one is loaded', async (t) => {
  t.match(after(ask(2)), { shown: { id: 1 }, asked: { id: 2 }, loading: true, failures: 0, arrival: null });
  t.match(after(ask(2), show(2)), { shown: { id: 2 }, asked: null, loading: false, failures: 0, arrival: { scroll: true } });
});

t.test('a failure keeps the text, retries are counted, and another item resets the count', async (t) => {
  const failed = after(ask(2), { type: 'fail' });
  t.match(failed, { shown: { id: 1 }, asked: { id: 2 }, loading: false, failures: 1 });
  t.match(after(ask(2), { type: 'fail' }, ask(2)), { loading: true, failures: 1 }, 'the message stays while it is tried again');
  t.match(after(ask(2), { type: 'fail' }, ask(2), { type: 'fail' }), { loading: false, failures: 2 });
  t.match(after(ask(2), { type: 'fail' }, ask(3)), { asked: { id: 3 }, failures: 0 });
  t.match(after(ask(2), { type: 'fail' }, show(1)), { shown: { id: 1 }, asked: null, failures: 0 });
  t.match(after(ask(2), { type: 'leave' }), { shown: { id: 1 }, asked: null, loading: false });
  t.same(after({ type: 'fail' }), startReading(reading(1)), 'a failure without a request changes nothing');
});

t.test('each arrival is a new object, also for the same item', async (t) => {
  const once = after(show(2));
  t.not(reduceReading(once, show(2)).arrival, once.arrival);
});

t.test('the memory drops the item read longest ago', async (t) => {
  const memory = new ReadingMemory(2);
  memory.keep(reading(1));
  memory.keep(reading(2));
  memory.keep(reading(1));
  memory.keep(reading(3));
  t.equal(memory.get({ type: 'course', id: 2 }), undefined);
  t.match(memory.get({ type: 'course', id: 1 }), { id: 1 });
  t.match(memory.get({ type: 'course', id: 3 }), { id: 3 });
  t.equal(memory.get({ type: 'exercise', id: 3 }), undefined);
});
