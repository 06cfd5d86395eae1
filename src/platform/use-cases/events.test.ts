import t from 'tap';
import { TestClock } from '../../../test/support/app.ts';
import { createTestDatabase } from '../../../test/support/database.ts';
import { sql } from '../../../test/support/sql.ts';
import { loadConfig } from '../../config.ts';
import { createKernel } from '../../kernel.ts';
import { DomainEvents } from './events.ts';

declare module './events.ts' {
  interface DomainEventMap {
    'test.happened': { value: string };
  }
}

const { url } = await createTestDatabase(t);
const kernel = await createKernel(loadConfig({ NODE_ENV: 'test', LOG_LEVEL: 'silent' }), { databaseUrl: url, clock: new TestClock() });
t.teardown(() => kernel.close());
await sql(url, 'create table happened (value text)');

function open() {
  const events = new DomainEvents();
  const context = { ...kernel.context, events };
  const happen = (value: string) => kernel.fork().transactional((em) => events.emit(em, context, 'test.happened', { value }));
  return { events, context, happen };
}

const rows = async () => (await sql<{ value: string }>(url, 'select value from happened')).map(({ value }) => value);

t.test("runs handlers in order, in the emitter's transaction", async (t) => {
  const { events, happen, context } = open();
  const order: unknown[] = [];
  events.on('test.happened', async (em, { value }, given) => {
    t.equal(given, context, "the handler gets the emitter's context");
    await em.execute('insert into happened values (?)', [value]);
    order.push('first', (await em.execute('select count(*)::int as n from happened'))[0]);
  });
  events.on('test.happened', async (em) => void order.push('second', (await em.execute('select count(*)::int as n from happened'))[0]));
  await happen('a');
  t.same(order, ['first', { n: 1 }, 'second', { n: 1 }]);
  t.same(await rows(), ['a']);
});

t.test('a handler that throws rolls back the change, and later handlers are not called', async (t) => {
  const { events, happen } = open();
  const later: string[] = [];
  events.on('test.happened', async (em, { value }) => void (await em.execute('insert into happened values (?)', [value])));
  events.on('test.happened', async () => {
    throw new Error('refusé');
  });
  events.on('test.happened', async (_em, { value }) => void later.push(value));
  await t.rejects(happen('b'), /refusé/);
  t.same(await rows(), ['a']);
  t.same(later, []);
});

t.test('refuses to emit outside a transaction, with or without handlers', async (t) => {
  const { events, context } = open();
  const emit = () => events.emit(kernel.fork(), context, 'test.happened', { value: 'c' });
  await t.rejects(emit(), /test\.happened emitted outside a transaction/);
  const heard: string[] = [];
  events.on('test.happened', async (_em, { value }) => void heard.push(value));
  await t.rejects(emit(), /outside a transaction/);
  t.same(heard, []);
});
