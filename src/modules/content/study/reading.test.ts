import t from 'tap';

import { call, createTestApp, visit } from '../../../../test/support/app.ts';
import { createDiscipline, createEnrolment, createItem, createLearner, createPrepa } from '../../../../test/support/factories.ts';
import { holding, sql, untilBlocked } from '../../../../test/support/sql.ts';

import { readProgress } from '../index.ts';
import { keepReadings } from './reading.repository.ts';
import { ReadingJournal } from './reading-journal.ts';

const home = await createTestApp(t);
const { app, clock, kernel, databaseUrl } = home;

async function course() {
  const prepa = await createPrepa(home);
  const discipline = await createDiscipline(home, prepa.id);
  const [first, second] = [await createItem(home, discipline.id), await createItem(home, discipline.id, { numeroPage: 2 })];
  const exercise = await createItem(home, discipline.id, { kind: 'exercise' });
  const learner = await createLearner(home);
  await createEnrolment(home, learner, prepa, 10);
  const path = `/user/prepa/${prepa.id}/${discipline.id}`;
  return { prepa, discipline, first, second, exercise, learner, path };
}
type Course = Awaited<ReturnType<typeof course>>;

const marks = async ({ discipline, learner }: Pick<Course, 'discipline' | 'learner'>) =>
  (await call(app, { url: `/api/disciplines/${discipline.id}/lus`, session: learner.session })).json();
const open = (session: string, itemId: number) => call(app, { method: 'POST', url: `/api/items/${itemId}/lu`, session });
const stored = (learner: { id: string }) =>
  sql<{ item_id: number }>(databaseUrl, 'select item_id from item_reading where user_id = $1 order by item_id', [learner.id]);

t.test('a page that is asked for is read, and so is what the page shows in place', async (t) => {
  const place = await course();
  const { path, first, second, exercise, learner } = place;
  t.same(await marks(place), { lus: [], aRevoir: [], dernier: null });
  await visit(app, `${path}?type=course&item=${second.id}`, learner.session);
  t.same(await marks(place), { lus: [second.id], aRevoir: [], dernier: { type: 'course', id: second.id } });
  clock.advance(1_000);
  t.equal((await open(learner.session, exercise.id)).statusCode, 204);
  t.same(await marks(place), { lus: [second.id, exercise.id], aRevoir: [], dernier: { type: 'exercise', id: exercise.id } });
  clock.advance(1_000);
  await visit(app, path, learner.session);
  t.same((await marks(place)).dernier, { type: 'course', id: first.id }, 'shown unasked for the first time');
  clock.advance(1_000);
  await open(learner.session, second.id);
  await visit(app, path, learner.session);
  t.same((await marks(place)).dernier, { type: 'course', id: second.id }, 'shown unasked again: not where one stopped');
});

t.test('unchanged in the browser, it is read all the same; fetched ahead or asked for its head, it is not', async (t) => {
  const { path, first, second, learner } = await course();
  const url = `${path}?type=course&item=${first.id}`;
  const { etag } = (await visit(app, url, learner.session)).headers;
  await sql(databaseUrl, 'delete from item_reading');
  const headers = { accept: 'text/html', cookie: learner.session };
  t.equal(
    (await app.inject({ url, headers: { ...headers, 'if-none-match': String(etag), 'sec-fetch-dest': 'document' } })).statusCode,
    304,
  );
  const other = `${path}?type=course&item=${second.id}`;
  await app.inject({ url: other, headers: { ...headers, 'sec-purpose': 'prefetch' } });
  await app.inject({ url: other, headers: { ...headers, 'sec-fetch-dest': 'empty' } });
  await app.inject({ method: 'HEAD', url: other, headers });
  // Writes what waits.
  await call(app, { url: '/api/disciplines/1/lus', session: learner.session });
  t.same(await stored(learner), [{ item_id: first.id }]);
});

t.test('whoever may not read leaves no mark, and is told of none', async (t) => {
  const place = await course();
  const { first, second, learner } = place;
  const stranger = await createLearner(home);
  const left = await createLearner(home);
  await createEnrolment(home, left, place.prepa, -1);
  for (const somebody of [stranger, left]) t.equal((await open(somebody.session, first.id)).statusCode, 204);
  t.equal((await open(learner.session, 2_000_000_000)).statusCode, 204);
  await open(learner.session, second.id);
  t.same((await marks(place)).lus, [second.id]);
  for (const somebody of [stranger, left]) {
    t.same(await marks({ ...place, learner: somebody }), { lus: [], aRevoir: [], dernier: null });
    t.same(await stored(somebody), []);
  }
  clock.advance(11 * 24 * 3_600_000);
  t.same((await marks(place)).lus, [], 'nor after the end');
});

t.test('bad input and no session', async (t) => {
  const { learner } = await course();
  for (const id of ['x', '0', '2147483648']) {
    t.match((await call(app, { method: 'POST', url: `/api/items/${id}/lu`, session: learner.session })).json(), { message: /./ });
    t.equal((await call(app, { method: 'POST', url: `/api/items/${id}/lu`, session: learner.session })).statusCode, 400, id);
    t.equal((await call(app, { url: `/api/disciplines/${id}/lus`, session: learner.session })).statusCode, 400, id);
  }
  t.equal((await call(app, { method: 'POST', url: '/api/items/1/lu' })).statusCode, 401);
});

t.test('progress by discipline and prepa', async (t) => {
  const place = await course();
  const { prepa, discipline, first, exercise, learner, path } = place;
  const other = await createDiscipline(home, prepa.id);
  const elsewhere = await createItem(home, other.id);
  await open(learner.session, first.id);
  clock.advance(1_000);
  await open(learner.session, elsewhere.id);
  clock.advance(1_000);
  await open(learner.session, exercise.id);
  const request = { server: app, learner: { id: learner.id }, em: kernel.fork(), context: kernel.context, log: kernel.log } as never;
  const lastRead = `${path}?type=exercise&item=${exercise.id}`;
  t.same(await readProgress(request), {
    prepas: { [prepa.id]: { done: 3, total: 4, lastRead } },
    disciplines: {
      [discipline.id]: { done: 2, total: 3, lastRead },
      [other.id]: { done: 1, total: 1, lastRead: `/user/prepa/${prepa.id}/${other.id}?type=course&item=${elsewhere.id}` },
    },
    resume: { prepaId: prepa.id, titre: exercise.titre, href: lastRead },
    links: [],
  });
  const second = await course();
  t.same((await readProgress(request, second.prepa.id)).prepas, {}, 'nothing of a prepa that is not open');
  await createEnrolment(home, learner, second.prepa);
  t.same((await readProgress(request, second.prepa.id)).prepas, { [second.prepa.id]: { done: 0, total: 3, lastRead: null } });
});

t.test('many openings are one statement; what fails is written later', async (t) => {
  const { first, second, learner } = await course();
  const errors: unknown[] = [];
  const log = { ...kernel.log, error: (error: unknown) => errors.push(error) } as never;
  const journal = new ReadingJournal({ fork: () => kernel.fork(), log });
  const opening = { userId: learner.id, at: clock.now(), asked: true };
  await sql(databaseUrl, 'alter table item_reading rename to item_reading_away');
  journal.note({ ...opening, itemId: first.id });
  await journal.flush();
  t.equal(errors.length, 1);
  await sql(databaseUrl, 'alter table item_reading_away rename to item_reading');
  journal.note({ ...opening, itemId: second.id });
  journal.note({ ...opening, itemId: second.id, asked: false, at: new Date(0) });
  await Promise.all([journal.flush(), journal.flush()]);
  t.same(await stored(learner), [{ item_id: first.id }, { item_id: second.id }]);
  t.equal(errors.length, 1);
});

t.test('readings take items in the order of their ids, as whoever changes several, whoever reads them', async (t) => {
  const { prepa, first, second } = await course();
  const [one, other] = [await createLearner(home), await createLearner(home)].sort((a, b) => (a.id < b.id ? -1 : 1));
  if (!one || !other) throw new Error('no learners');
  for (const learner of [one, other]) await createEnrolment(home, learner, prepa, 10);
  const at = clock.now();
  const openings = [
    { userId: one.id, itemId: second.id, at, asked: true },
    { userId: other.id, itemId: first.id, at, asked: true },
  ];
  const change = (id: number) => `select from item where id = ${id} for update`;
  let keeping: Promise<void> | undefined;
  await holding(databaseUrl, change(first.id), async (also) => {
    keeping = keepReadings(kernel.fork(), openings);
    await untilBlocked(databaseUrl, 1);
    // Were it held by the readings, each would wait for the other.
    await also(change(second.id));
  });
  await keeping;
  t.same([await stored(one), await stored(other)], [[{ item_id: second.id }], [{ item_id: first.id }]]);
});
