import { randomUUID } from 'node:crypto';
import t from 'tap';
import { call, createTestApp, submit } from '../../../../test/support/app.ts';
import { createEnrolment, createLearner } from '../../../../test/support/factories.ts';
import { offlineCalls } from '../../../../test/support/offline-calls.ts';
import { sql } from '../../../../test/support/sql.ts';
import { dayMs } from '../../../shared/dates.ts';
import type { KeptMark } from '../../../shared/offline/offline-copy.ts';

// Entries from devices, and which of them count. Tests the API calls and compares the tables' rows.

const home = await createTestApp(t);
const { app, clock, databaseUrl } = home;
const { course, contact } = offlineCalls(home);
const query = <Row = Record<string, unknown>>(text: string, values?: unknown[]) => sql<Row>(databaseUrl, text, values);

interface Sent {
  cle: string;
  type: string;
  item: number;
  le: number;
}
/** Sends entries in a session. @param of session of the learner named as the entries' author */
const send = async (session: string, entrees: object[], of = session) => {
  const { learner } = await contact(randomUUID(), [], of);
  const answer = await call(app, { method: 'POST', url: '/api/hors-ligne/marques', session, payload: { learner, entrees } });
  return { status: answer.statusCode, prises: answer.json().prises as string[] };
};
const entry = (item: { id: number }, type: string, le: number): Sent => ({ cle: randomUUID(), type, item: item.id, le });

const marksOf = (userId: string) =>
  query(
    `select i.titre, r.read_at, r.finished_at, t.verdict, t.marked_at, t.times from item i left join item_reading r on r.item_id = i.id and r.user_id = $1
     left join practice t on t.item_id = i.id and t.user_id = $1 where r.item_id is not null or t.item_id is not null order by i.id`,
    [userId],
  );

t.test("a device's entries give the latest opening, the earliest finish, the last verdict and the number of practices", async (t) => {
  const { lesson, exercise, learner, base } = await course();
  const at = clock.now().getTime() - dayMs;
  const minute = 60_000;
  const entries = [
    entry(lesson, 'lu', at),
    entry(lesson, 'termine', at + 5 * minute),
    entry(lesson, 'termine', at + 3 * minute),
    entry(exercise, 'termine', at),
    entry(exercise, 'a_revoir', at + minute),
    entry(exercise, 'reussi', at + 3 * minute),
    entry(exercise, 'reussi', at + 3.5 * minute),
  ];
  const keys = entries.map(({ cle }) => cle);
  t.same(await send(learner.session, entries), { status: 200, prises: keys });
  const rows = await marksOf(learner.id);
  const expected = [
    {
      titre: lesson.titre,
      read_at: new Date(at + 5 * minute),
      finished_at: new Date(at + 3 * minute),
      verdict: null,
      marked_at: null,
      times: null,
    },
    {
      titre: exercise.titre,
      read_at: new Date(at + 3.5 * minute),
      // A 'termine' entry does not finish an exercise with a correction.
      finished_at: new Date(at + minute),
      verdict: 'reussi',
      marked_at: new Date(at + 3.5 * minute),
      times: 2,
    },
  ];
  t.same(rows, expected);
  t.same(await send(learner.session, entries), { status: 200, prises: keys });
  t.same(await marksOf(learner.id), expected, 'each entry counts once');
  const { marques } = (await call(app, { url: `${base}/marques`, session: learner.session })).json() as { marques: KeptMark[] };
  t.same(marques, [
    { item: lesson.id, readAt: at + 5 * minute, finished: true, verdict: null, markedAt: null, times: 0 },
    { item: exercise.id, readAt: at + 3.5 * minute, finished: true, verdict: 'reussi', markedAt: at + 3.5 * minute, times: 2 },
  ]);
});

t.test('an entry within a minute of a mark on the page counts as the same practice', async (t) => {
  const { prepa, maths, exercise, learner } = await course();
  const mark = () =>
    submit(
      app,
      `/user/prepa/${prepa.id}/${maths.id}/entrainement`,
      { type: 'exercise', item: String(exercise.id), verdict: 'a_revoir' },
      learner.session,
    );
  await mark();
  const at = clock.now().getTime();
  clock.advance(10 * 60_000);
  await send(learner.session, [entry(exercise, 'reussi', at + 30_000), entry(exercise, 'reussi', at + 5 * 60_000)]);
  t.match(await marksOf(learner.id), [{ verdict: 'reussi', times: 2 }]);
  await mark();
  t.match(await marksOf(learner.id), [{ verdict: 'a_revoir', times: 3 }]);
  await send(learner.session, [entry(exercise, 'reussi', at + 6 * 60_000)]);
  t.match(await marksOf(learner.id), [{ verdict: 'a_revoir', times: 4 }], 'an older entry does not change the verdict');
});

t.test('an entry counts only if the learner had access at its time, even if access has ended since; future times become now', async (t) => {
  const { lesson, exercise, learner, prepa } = await course();
  const now = clock.now().getTime();
  const stranger = await createLearner(home);
  const foreign = [entry(lesson, 'lu', now), entry(exercise, 'reussi', now)];
  t.same((await send(stranger.session, foreign)).prises.length, 2);
  t.same(await marksOf(stranger.id), []);
  t.same(await query('select from offline_entry where user_id = $1', [stranger.id]), []);

  const past = await createLearner(home);
  await createEnrolment(home, past, prepa, -2, 'expired');
  await send(past.session, [entry(lesson, 'lu', now - 3 * dayMs), entry(exercise, 'lu', now - dayMs)]);
  t.match(await marksOf(past.id), [{ titre: lesson.titre, read_at: new Date(now - 3 * dayMs) }]);
  t.equal((await marksOf(past.id)).length, 1);

  const [enrolment] = await query<{ begun: Date }>('select date_inscription as begun from enrolment where user_id = $1', [learner.id]);
  await send(learner.session, [entry(lesson, 'lu', now + 5 * dayMs), entry(exercise, 'termine', 0)]);
  t.match(await marksOf(learner.id), [{ read_at: new Date(now) }, { read_at: enrolment?.begun, finished_at: null }]);

  const odd = [
    { cle: 'pas un uuid', type: 'lu', item: lesson.id, le: now },
    { cle: randomUUID(), type: 'autre', item: lesson.id, le: now },
    { cle: randomUUID(), type: 'lu', item: 2_000_000_000, le: now },
    { cle: randomUUID(), type: 'lu', item: 1.5, le: now },
    { cle: randomUUID(), type: 'reussi', item: lesson.id, le: now },
  ];
  t.same(await send(learner.session, odd), { status: 200, prises: odd.map(({ cle }) => cle) });
  t.equal(
    (
      await send(
        learner.session,
        Array.from({ length: 201 }, () => entry(lesson, 'lu', now)),
      )
    ).status,
    400,
  );
  t.equal((await call(app, { method: 'POST', url: '/api/hors-ligne/marques', payload: { entrees: [] } })).statusCode, 401);
});

t.test('entries are not added to the account of another learner who has signed in meanwhile', async (t) => {
  const { lesson, learner, prepa, base } = await course();
  const next = await createLearner(home);
  await createEnrolment(home, next, prepa);
  const entries = [entry(lesson, 'termine', clock.now().getTime())];
  t.same(await send(next.session, entries, learner.session), { status: 409, prises: undefined });
  t.same(await query('select from item_reading where user_id = any($1)', [[next.id, learner.id]]), []);
  t.equal((await send(learner.session, entries)).status, 200);
  t.equal((await marksOf(learner.id)).length, 1);
  const { learner: named } = await contact(randomUUID(), [], next.session);
  t.match(
    (await call(app, { url: `${base}/marques`, session: next.session })).json(),
    { learner: named },
    'the response with marks names its learner too',
  );
});

t.test('the same entries give the same rows: in any order, split into any calls, repeated, from two devices at once', async (t) => {
  const { prepa, lesson, exercise, subject } = await course();
  const items = [lesson, exercise, subject];
  const begin = clock.now().getTime() - 2 * dayMs;
  // Close together, so that some practices merge and others do not.
  let state = 7;
  const random = (below: number) => {
    state = (state * 1_103_515_245 + 12_345) % 2_147_483_648;
    return Math.floor((state / 2_147_483_648) * below);
  };
  const types = ['lu', 'termine', 'rouvert', 'reussi', 'a_revoir'];
  const entries = Array.from({ length: 300 }, () =>
    entry(items[random(3)] ?? lesson, types[random(5)] ?? 'lu', begin + random(600) * 20_000),
  );
  const shuffled = <Value>(values: Value[]) =>
    values
      .map((value) => ({ value, order: random(1e9) }))
      .sort((one, other) => one.order - other.order)
      .map(({ value }) => value);
  const parts = (values: Sent[], size: number) =>
    Array.from({ length: Math.ceil(values.length / size) }, (_, index) => values.slice(index * size, (index + 1) * size));
  const results = [];
  for (const size of [200, 37, 1]) {
    const learner = await createLearner(home);
    await createEnrolment(home, learner, prepa, 10);
    const device = async (own: Sent[]) => {
      for (const part of parts(own, size)) t.equal((await send(learner.session, part)).status, 200);
    };
    // Both devices have all entries; in the last round each entry is on one device, and some are sent twice.
    const [one, two] = [shuffled(entries), shuffled(entries)];
    const half = size === 1 ? [one.slice(0, 150), [...one.slice(150), ...two.slice(0, 20)]] : [one, two];
    await Promise.all(half.map((own) => device(own ?? [])));
    results.push(await marksOf(learner.id));
    // A lesson takes no verdict, and 'rouvert' does not apply to an exercise with a correction.
    const taken = entries.filter(({ item, type }) =>
      ['reussi', 'a_revoir'].includes(type) ? item !== lesson.id : type !== 'rouvert' || item !== exercise.id,
    ).length;
    t.equal((await query('select from offline_entry where user_id = $1', [learner.id])).length, taken);
  }
  t.same(results[1], results[0]);
  t.same(results[2], results[0]);
  // Expected values, as the page would have counted the entries one by one.
  for (const [index, { id }] of items.entries()) {
    const times = entries.filter(({ item, type }) => item === id && ['reussi', 'a_revoir'].includes(type)).map(({ le }) => le);
    const ordered = times.sort((a, b) => a - b);
    const counted = id === lesson.id ? null : ordered.filter((at, place) => place === 0 || at - (ordered[place - 1] ?? 0) >= 60_000).length;
    t.equal(results[0]?.[index]?.times, counted);
    const finishing = entries.filter(
      ({ item, type }) =>
        item === id &&
        ['termine', 'reussi', 'a_revoir'].includes(type) &&
        !(id === lesson.id && type !== 'termine') &&
        !(id === exercise.id && type === 'termine'),
    );
    const back =
      id === exercise.id ? 0 : Math.max(...entries.filter(({ item, type }) => item === id && type === 'rouvert').map(({ le }) => le));
    const after = finishing.map(({ le }) => le).filter((le) => le > back);
    t.same(
      results[0]?.[index]?.finished_at,
      after.length > 0 ? new Date(Math.min(...after)) : null,
      `finished after it was reopened, item ${index}`,
    );
  }
});

t.test('reopened on the page after it was finished on a device, whose entry arrives later', async (t) => {
  const { lesson, learner } = await course();
  const at = clock.now().getTime();
  clock.advance(60_000);
  t.equal((await call(app, { method: 'POST', url: `/api/items/${lesson.id}/rouvert`, session: learner.session })).statusCode, 204);
  await send(learner.session, [entry(lesson, 'termine', at)]);
  t.match(await marksOf(learner.id), [{ finished_at: null }]);
  clock.advance(60_000);
  await send(learner.session, [entry(lesson, 'termine', at + 90_000)]);
  t.match(await marksOf(learner.id), [{ finished_at: new Date(at + 90_000) }]);
});
