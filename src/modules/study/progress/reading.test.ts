import { parseHTML } from 'linkedom';
import t from 'tap';

import { call, createTestApp, squeeze, submit, visit } from '../../../../test/support/app.ts';
import { createDiscipline, createEnrolment, createItem, createLearner, createPrepa } from '../../../../test/support/factories.ts';
import { numberQuestion } from '../../../../test/support/questions.ts';
import { holding, sql, untilBlocked } from '../../../../test/support/sql.ts';

import { readProgress } from '../../training/index.ts';
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
const nothing = { ouverts: [], termines: [], aRevoir: [], dernier: null };
const open = (session: string, itemId: number) => call(app, { method: 'POST', url: `/api/items/${itemId}/lu`, session });
const finish = (session: string, itemId: number) => call(app, { method: 'POST', url: `/api/items/${itemId}/termine`, session });
const reopen = (session: string, itemId: number) => call(app, { method: 'POST', url: `/api/items/${itemId}/rouvert`, session });
const stored = (learner: { id: string }) =>
  sql<{ item_id: number }>(databaseUrl, 'select item_id from item_reading where user_id = $1 order by item_id', [learner.id]);

t.test('an item counts as opened when its page is requested, or when the open page shows it', async (t) => {
  const place = await course();
  const { path, first, second, exercise, learner } = place;
  t.same(await marks(place), nothing);
  await visit(app, `${path}?type=course&item=${second.id}`, learner.session);
  t.same(await marks(place), { ...nothing, ouverts: [second.id], dernier: { type: 'course', id: second.id } });
  clock.advance(1_000);
  t.equal((await open(learner.session, exercise.id)).statusCode, 204);
  t.same(await marks(place), { ...nothing, ouverts: [second.id, exercise.id], dernier: { type: 'exercise', id: exercise.id } });
  clock.advance(1_000);
  await visit(app, path, learner.session);
  t.same(
    (await marks(place)).dernier,
    { type: 'course', id: first.id },
    'an item shown by default for the first time is the item to resume',
  );
  clock.advance(1_000);
  await open(learner.session, second.id);
  await visit(app, path, learner.session);
  t.same((await marks(place)).dernier, { type: 'course', id: second.id }, 'an item shown by default again is not the item to resume');
});

t.test('a 304 counts as opened, but a prefetch or a HEAD request does not', async (t) => {
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
  // This call writes the queued openings.
  await call(app, { url: '/api/disciplines/1/lus', session: learner.session });
  t.same(await stored(learner), [{ item_id: first.id }]);
});

t.test('an opened item is not finished, and a finished item stays finished', async (t) => {
  const place = await course();
  const { first, second, exercise, learner } = place;
  await open(learner.session, first.id);
  t.match(await marks(place), { ouverts: [first.id], termines: [] });
  t.equal((await finish(learner.session, first.id)).statusCode, 204);
  await open(learner.session, first.id);
  t.match(await marks(place), { ouverts: [first.id], termines: [first.id] });
  const at = () => sql<{ finished_at: Date }>(databaseUrl, 'select finished_at from item_reading where user_id = $1', [learner.id]);
  const [before] = await at();
  clock.advance(1_000);
  await finish(learner.session, first.id);
  await marks(place);
  t.same(await at(), [before], 'the time of the first ending stays');
  clock.advance(1_000);
  await finish(learner.session, second.id);
  t.match(
    await marks(place),
    { termines: [first.id, second.id], dernier: { id: second.id } },
    'an item can be finished without having been opened',
  );
  await finish(learner.session, exercise.id);
  t.match(
    (await marks(place)).termines,
    [first.id, second.id, exercise.id],
    'an exercise without a correction is finished without marking',
  );
});

t.test('finishing can be undone immediately, and done again', async (t) => {
  const place = await course();
  const { first, second, exercise, learner, discipline, path } = place;
  const progress = () =>
    sql<{ finished: number; tally: number }>(
      databaseUrl,
      `select p.finished, (select sum(finished)::int from item_tally join item i on i.id = item_id where i.discipline_id = p.discipline_id) as tally
       from discipline_progress p where p.user_id = $1 and p.discipline_id = $2`,
      [learner.id, discipline.id],
    );
  await finish(learner.session, first.id);
  clock.advance(1_000);
  t.equal((await reopen(learner.session, first.id)).statusCode, 204);
  t.match(await marks(place), { ouverts: [first.id], termines: [] });
  t.same(await progress(), [{ finished: 0, tally: 0 }]);
  clock.advance(1_000);
  await finish(learner.session, first.id);
  await finish(learner.session, second.id);
  t.match(await marks(place), { termines: [first.id, second.id] });
  t.same(await progress(), [{ finished: 2, tally: 2 }]);
  clock.advance(1_000);
  await reopen(learner.session, second.id);
  t.match(await marks(place), { termines: [first.id] });
  t.same(await progress(), [{ finished: 1, tally: 1 }]);
  // Simulates another process, which writes its queued openings a second later.
  await keepReadings(kernel.fork(), [
    { userId: learner.id, itemId: second.id, at: new Date(clock.now().getTime() - 500), asked: true, finished: true },
  ]);
  t.match(await marks(place), { termines: [first.id] }, 'an ending before the undo is ignored when it is written after it');
  t.equal((await reopen(learner.session, exercise.id)).statusCode, 204, 'the undo of an unfinished item succeeds');
  const solved = await createItem(home, discipline.id, { kind: 'exercise', numeroPage: 2, corrige: '<p>42</p>' });
  await submit(app, `${path}/entrainement`, { type: 'exercise', item: String(solved.id), verdict: 'a_revoir' }, learner.session);
  clock.advance(1_000);
  await reopen(learner.session, solved.id);
  t.match(await marks(place), { termines: [first.id, solved.id] }, 'an item finished by marking stays finished');
  const stranger = await createLearner(home);
  t.equal((await reopen(stranger.session, first.id)).statusCode, 204);
  t.same(await stored(stranger), []);
  t.equal((await call(app, { method: 'POST', url: `/api/items/${first.id}/rouvert` })).statusCode, 401);
});

t.test('an exercise with a correction is finished by marking oneself, a past exam by marking or reading to its end', async (t) => {
  const place = await course();
  const { discipline, learner, path } = place;
  const [solved, subject, other] = [
    await createItem(home, discipline.id, { kind: 'exercise', numeroPage: 2, corrige: '<p>42</p>' }),
    await createItem(home, discipline.id, { kind: 'pastExam', corrige: '<p>42</p>' }),
    await createItem(home, discipline.id, { kind: 'pastExam', numeroPage: 2, corrige: '<p>42</p>' }),
  ];
  const mark = (type: string, item: number) =>
    submit(app, `${path}/entrainement`, { type, item: String(item), verdict: 'a_revoir' }, learner.session);
  await finish(learner.session, solved.id);
  await finish(learner.session, subject.id);
  t.match(await marks(place), { ouverts: [solved.id, subject.id], termines: [subject.id] });
  await mark('exercise', solved.id);
  await mark('pastExam', other.id);
  t.same((await marks(place)).termines, [solved.id, subject.id, other.id]);
});

t.test('a series is not finished by reading to its end', async (t) => {
  const place = await course();
  const { id } = await createItem(home, place.discipline.id, { kind: 'quiz', contenu: numberQuestion('readquestion', '4') });
  await finish(place.learner.session, id);
  t.match(await marks(place), { ouverts: [id], termines: [] });
});

t.test("without script: 'J'ai terminé' leads to a page with the progress and the next item", async (t) => {
  const { discipline, first, second, exercise, learner, path } = await course();
  const solved = await createItem(home, discipline.id, { kind: 'exercise', numeroPage: 2, corrige: '<p>42</p>' });
  const outcome = async (type: string, id: number, session = learner.session) => {
    const { statusCode, headers, body } = await visit(app, `${path}/suite?type=${type}&item=${id}`, session);
    const { document } = parseHTML(body);
    const words = (selector: string) => [...document.querySelectorAll(selector)].map((element) => squeeze(element.textContent));
    return {
      statusCode,
      location: headers.location,
      said: words('h1')[0],
      counts: words('.outcome dd'),
      next: words('main .actions a')[0],
      again: words('main ul a'),
    };
  };
  const study = (type: string, id: number) => `${path}?type=${type}&item=${id}`;
  t.match(
    await outcome('course', first.id),
    { statusCode: 303, location: study('course', first.id) },
    'the outcome of an unfinished item redirects to the item',
  );
  const finished = async (type: string, id: number, session = learner.session) =>
    (await submit(app, `${path}/termine`, { type, item: String(id) }, session)).headers.location;
  t.equal(await finished('course', first.id), `${path}/suite?type=course&item=${first.id}`);
  t.match(await outcome('course', first.id), {
    said: 'Leçon terminée',
    counts: ['1 sur 2 terminés', '0 sur 2 terminés'],
    next: `Leçon suivante : ${second.titre}`,
  });
  await finished('course', second.id);
  t.match(await outcome('course', second.id), { counts: ['2 sur 2 terminés', '0 sur 2 terminés'], next: 'Passer aux exercices' });
  await finished('exercise', exercise.id);
  t.match(await outcome('exercise', exercise.id), { said: 'Exercice terminé', next: `Exercice suivant : ${solved.titre}` });
  await finished('exercise', solved.id);
  t.match(
    await outcome('exercise', solved.id),
    { statusCode: 303, location: study('exercise', solved.id) },
    'an exercise with a correction is not finished before it is marked',
  );
  await submit(app, `${path}/entrainement`, { type: 'exercise', item: String(solved.id), verdict: 'a_revoir' }, learner.session);
  t.match(await outcome('exercise', solved.id), {
    said: 'À revoir',
    counts: ['2 sur 2 terminés', '1 sur 2 terminés, 1 à revoir'],
    next: 'Retour aux disciplines',
    again: [solved.titre],
  });
  const { document } = parseHTML((await visit(app, `${path}/suite?type=course&item=${first.id}`, learner.session)).body);
  const back = document.querySelector<HTMLFormElement>('main form');
  t.equal(squeeze(back?.textContent), "Je n'ai pas terminé");
  const values = Object.fromEntries([...(back?.querySelectorAll('input') ?? [])].map(({ name, value }) => [name, value]));
  t.equal((await submit(app, back?.getAttribute('action') ?? '', values, learner.session)).headers.location, study('course', first.id));
  t.match(await outcome('course', first.id), { statusCode: 303 }, 'the outcome redirects after the undo');
  const stranger = await createLearner(home);
  await finished('course', first.id, stranger.session);
  t.same(await stored(stranger), []);
  t.match(await outcome('course', first.id, stranger.session), { statusCode: 303, location: study('course', first.id) });
  t.equal((await outcome('pastExam', first.id)).statusCode, 404);
  t.equal((await submit(app, `${path}/termine`, { type: 'video', item: '1' }, learner.session)).statusCode, 400);
});

t.test('a learner without access leaves no mark and gets none', async (t) => {
  const place = await course();
  const { first, second, learner } = place;
  const stranger = await createLearner(home);
  const left = await createLearner(home);
  await createEnrolment(home, left, place.prepa, -1);
  for (const somebody of [stranger, left]) t.equal((await open(somebody.session, first.id)).statusCode, 204);
  t.equal((await open(learner.session, 2_000_000_000)).statusCode, 204);
  await open(learner.session, second.id);
  t.same((await marks(place)).ouverts, [second.id]);
  for (const somebody of [stranger, left]) {
    t.same(await marks({ ...place, learner: somebody }), nothing);
    t.same(await stored(somebody), []);
  }
  clock.advance(11 * 24 * 3_600_000);
  t.same((await marks(place)).ouverts, [], 'a learner gets no marks after the access has ended');
});

t.test('invalid input, and requests without a session', async (t) => {
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
  for (const { id } of [first, elsewhere]) await finish(learner.session, id);
  clock.advance(1_000);
  await open(learner.session, exercise.id);
  const request = { server: app, learner: { id: learner.id }, em: kernel.fork(), context: kernel.context, log: kernel.log } as never;
  const resume = {
    titre: exercise.titre,
    begins: false,
    label: 'Reprendre',
    minutes: 1,
    href: `${path}?type=exercise&item=${exercise.id}`,
  };
  t.same(await readProgress(request), {
    prepas: { [prepa.id]: { done: 2, toReview: 0, total: 4, said: '2 sur 4 terminés', resume } },
    disciplines: {
      [discipline.id]: { done: 1, toReview: 0, total: 3, said: '1 sur 3 terminés' },
      [other.id]: { done: 1, toReview: 0, total: 1, said: '1 sur 1 terminé' },
    },
    readLast: prepa.id,
    builtUp: null,
    links: [],
  });
  const second = await course();
  t.same((await readProgress(request, second.prepa.id)).prepas, {}, 'no progress of a prepa without access');
  await createEnrolment(home, learner, second.prepa);
  t.match((await readProgress(request, second.prepa.id)).prepas, {
    [second.prepa.id]: { done: 0, total: 3, resume: { titre: second.first.titre, begins: true, label: 'Commencer par' } },
  });
});

t.test('many openings are written by one statement, and failed writes are retried later', async (t) => {
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

t.test('readings lock items in the order of their ids, as every change of several items does', async (t) => {
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
    // If the readings held this lock already, this would be a deadlock.
    await also(change(second.id));
  });
  await keeping;
  t.same([await stored(one), await stored(other)], [[{ item_id: second.id }], [{ item_id: first.id }]]);
});
