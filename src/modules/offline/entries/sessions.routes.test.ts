import { randomUUID } from 'node:crypto';
import t from 'tap';
import { call, createTestApp, submit, visit } from '../../../../test/support/app.ts';
import { createItem, createLearner } from '../../../../test/support/factories.ts';
import { offlineCalls } from '../../../../test/support/offline-calls.ts';
import { numberQuestion } from '../../../../test/support/questions.ts';
import { sql } from '../../../../test/support/sql.ts';
import { dayMs } from '../../../shared/dates.ts';
import type { KeptRevision, OutboxEntry } from '../../../shared/offline/offline-copy.ts';
import { unpackAnswers } from '../../../shared/revision/packed-answers.ts';

// Sessions of the day made on devices: what a device gets for them, and what the site stores of them.

const home = await createTestApp(t);
const { app, clock, databaseUrl } = home;
const { course, contact } = offlineCalls(home);

let made = 0;
/** Creates a course with four questions in a lesson; the answer to each is 1. */
async function asking() {
  const all = await course();
  const ids = [1, 2, 3, 4].map(() => {
    made += 1;
    return `device${String(made).padStart(6, '0')}`;
  });
  const lesson = await createItem(home, all.maths.id, { numeroPage: 2, contenu: ids.map((id) => numberQuestion(id, '1')).join('') });
  clock.advance(dayMs);
  const { session } = all.learner;
  const now = clock.now().getTime();
  /** An answer in a session, so many minutes ago. */
  const answer = (seance: object, question: string, texte: string, minutesAgo: number): OutboxEntry => ({
    cle: randomUUID(),
    type: 'lu',
    item: lesson.id,
    le: now - minutesAgo * 60_000,
    reponse: { question, texte, secondes: 12 },
    seance: seance as never,
  });
  return {
    ...all,
    ids,
    lesson,
    now,
    answer,
    planned: ids.map((id) => ({ id, discipline: all.maths.id, isNew: true, seconds: 80, reason: 'Nouvelle' })),
    async send(...entrees: OutboxEntry[]) {
      const { learner } = await contact(randomUUID(), [], session);
      const reply = await call(app, { method: 'POST', url: '/api/hors-ligne/marques', session, payload: { learner, entrees } });
      t.equal(reply.statusCode, 200, reply.body);
    },
    page: async (url: string) => (await visit(app, url, session)).body.replaceAll(/<span class="nobreak">([^<]*)<\/span>/g, '$1'),
    revision: async (more = ''): Promise<KeptRevision> => (await call(app, { url: `${all.base}/marques${more}`, session })).json().revision,
    answers: () =>
      sql<{ question: string; right: boolean; context: string; seconds: number; at: number }>(
        databaseUrl,
        `select question_id as question, is_right as right, context, seconds, (extract(epoch from answered_at) * 1000)::float8 as at
         from answer where user_id = $1 order by answered_at, question_id`,
        [all.learner.id],
      ),
    sessions: () =>
      sql<{ id: string; part: number; day: string; asked: { id: string }[]; finished: boolean }>(
        databaseUrl,
        'select id, part, day::text, asked, finished_at is not null as finished from daily_session where user_id = $1 order by started_at',
        [all.learner.id],
      ),
    days: () =>
      sql<{ day: string; answers: number }>(databaseUrl, 'select day::text, answers from study_day where user_id = $1 order by 1', [
        all.learner.id,
      ]),
  };
}

const begun = ({ now }: { now: number }, more: object = {}) => ({ id: randomUUID() as string, partie: 1, debut: now - 3_600_000, ...more });

t.test('a session begun and finished on a device is the session of its day, with its answers', async (t) => {
  const world = await asking();
  const { ids, planned, send, answer, page, answers, sessions, days } = world;
  const seance = begun(world);
  const [one = '', two = '', three = '', four = ''] = ids;
  await send(answer({ ...seance, prevues: planned }, one, '1', 50), answer(seance, two, '7', 49));
  t.match(await sessions(), [{ id: seance.id, part: 1, finished: false }]);
  t.match(await page('/user/dashboard'), 'Encore 2 questions');
  const open = await page(`/user/seance/${seance.id}`);
  t.match(open, '2 sur 4 répondues');
  t.match(open, 'Nouvelle');
  await send(answer(seance, three, '1', 48), answer(seance, four, '1', 47));
  t.match(await sessions(), [{ finished: true }]);
  t.match(await page(`/user/seance/${seance.id}`), '3 justes sur 4');
  t.match(await page('/user/dashboard'), 'Voir le bilan');
  t.match(
    (await answers()).map(({ right, context, seconds }) => [right, context, seconds]),
    [true, false, true, true].map((right) => [right, 'session', 12]),
  );
  t.same(
    (await days()).map(({ answers: count }) => count),
    [4],
  );
});

t.test('entries that are sent again, in any order, count once', async (t) => {
  const world = await asking();
  const { ids, planned, send, answer, answers, days, sessions } = world;
  const seance = begun(world);
  // A clock that is ahead: the site moves the times to the present, another one for each call.
  const all = ids.map((id, index) => answer({ ...seance, ...(index === 0 && { prevues: planned }) }, id, '1', -90 + index));
  await send(...all);
  clock.advance(1_000);
  await send(...all.toReversed());
  for (const entry of all) await send(entry);
  t.equal((await answers()).length, 4);
  t.same(
    (await days()).map(({ answers: count }) => count),
    [4],
  );
  t.equal((await sessions()).length, 1);
});

t.test('a session of today that the site began goes on; its questions are answered under its keys', async (t) => {
  const world = await asking();
  const { ids, send, answer, page, learner, prepa, sessions, answers, revision } = world;
  const [one = '', two = ''] = ids;
  const url = String((await submit(app, '/user/seance', { prepa: String(prepa.id) }, learner.session)).headers.location);
  const id = url.slice(url.lastIndexOf('/') + 1);
  await submit(app, `${url}/questions/${one}`, { texte: '1' }, learner.session);
  const { session } = await revision();
  t.match(session, { id, part: 1, finishedAt: null, answers: { [one]: { given: { typed: '1' }, isRight: true } } });
  t.equal(session?.asked.length, 4);
  const seance = { id, partie: 1, debut: session?.startedAt ?? 0 };
  clock.advance(600_000);
  await send({ ...answer(seance, two, '1', 0), le: clock.now().getTime() }, { ...answer(seance, one, '5', 0), le: clock.now().getTime() });
  t.match(await page(url), '2 sur 4 répondues');
  t.match(
    await answers(),
    [
      { question: one, right: true },
      { question: one, right: false },
      { question: two, right: true },
    ],
    'the second answer to a question is kept, outside of the session',
  );
  const end: OutboxEntry = {
    cle: randomUUID(),
    type: 'lu',
    item: world.lesson.id,
    le: clock.now().getTime(),
    seance: { ...seance, fin: true },
  };
  await send(end);
  t.match(await sessions(), [{ id, finished: true }]);
});

t.test('a session whose first content was deleted meanwhile keeps the other answers', async (t) => {
  const world = await asking();
  const { ids, planned, send, answer, answers, sessions, maths } = world;
  const gone = await createItem(home, maths.id, { numeroPage: 3 });
  await sql(databaseUrl, 'delete from item where id = $1', [gone.id]);
  const seance = begun(world);
  const first = { ...answer({ ...seance, prevues: planned }, 'device999999', '1', 50), item: gone.id };
  await send(first, answer(seance, ids[1] ?? '', '1', 49));
  t.match(await sessions(), [{ id: seance.id, part: 1 }]);
  t.match(await answers(), [{ question: ids[1], context: 'session' }]);
});

t.test('of two devices without network the first to arrive has the session of the day; no answer is lost', async (t) => {
  const world = await asking();
  const { ids, planned, send, answer, answers, sessions, page } = world;
  const [one = '', two = '', three = '', four = ''] = ids;
  const [early, late] = [begun(world), begun(world)];
  await send(answer({ ...early, prevues: planned }, one, '1', 40));
  await send(
    ...[one, two, three, four].map((id, index) => answer({ ...late, ...(index === 0 && { prevues: planned }) }, id, '2', 30 - index)),
  );
  t.match(await sessions(), [{ id: early.id, finished: true }]);
  t.equal((await sessions()).length, 1);
  t.match(await page(`/user/seance/${early.id}`), '1 juste sur 4');
  t.match(
    (await answers()).map(({ question, right }) => [question, right]),
    [
      [one, true],
      [one, false],
      [two, false],
      [three, false],
      [four, false],
    ],
  );
});

t.test('a session of yesterday that comes today belongs to yesterday, and today has its own', async (t) => {
  const world = await asking();
  const { ids, planned, send, answer, days, sessions, page, now } = world;
  const seance = { ...begun(world), debut: now - dayMs };
  await send({ ...answer({ ...seance, prevues: planned }, ids[0] ?? '', '1', 0), le: now - dayMs + 60_000 });
  const [session] = await sessions();
  const [day] = await days();
  t.equal(session?.day, day?.day);
  t.match(await page('/user/dashboard'), 'Les questions qui comptent le plus');
});

t.test('an exercise that was passed over or marked on the device', async (t) => {
  const world = await asking();
  const { ids, planned, send, answer, exercise, maths, page, sessions, lesson, now } = world;
  const step = {
    id: `item-${exercise.id}`,
    item: exercise.id,
    discipline: maths.id,
    isNew: false,
    seconds: 480,
    reason: 'Exercice à revoir depuis hier',
  };
  const seance = begun(world);
  await send(answer({ ...seance, prevues: [...planned.slice(0, 1), step] }, ids[0] ?? '', '1', 50));
  t.match(await page('/user/dashboard'), 'Encore 1 exercice');
  await send({ cle: randomUUID(), type: 'lu', item: lesson.id, le: now, seance: { ...seance, passe: true } });
  t.match(await sessions(), [{ finished: true, asked: [{}, { passed: true }] }]);
  const other = await asking();
  const second = begun(other);
  const mark: OutboxEntry = { cle: randomUUID(), type: 'reussi', item: other.exercise.id, le: other.now - 60_000 };
  await other.send(
    other.answer(
      { ...second, prevues: [...other.planned.slice(0, 1), { ...step, id: `item-${other.exercise.id}`, item: other.exercise.id }] },
      other.ids[0] ?? '',
      '1',
      50,
    ),
    mark,
  );
  t.match(await other.sessions(), [{ finished: true }]);
  t.match(await other.page(`/user/seance/${second.id}`), '1 juste sur 1, 1 exercice réussi');
  t.same(
    (await other.days()).map(({ answers: count }) => count),
    [1],
  );
});

t.test("questions of others' prepas, others' sessions and broken sessions change nothing of others", async (t) => {
  const world = await asking();
  const foreign = await asking();
  const seance = begun(world);
  await world.send(world.answer({ ...seance, prevues: [...foreign.planned, ...world.planned.slice(0, 1)] }, world.ids[0] ?? '', '1', 5));
  t.same(
    (await world.sessions())[0]?.asked.map(({ id }) => id),
    world.ids.slice(0, 1),
  );
  await foreign.send(foreign.answer({ ...seance, prevues: foreign.planned }, foreign.ids[0] ?? '', '1', 5));
  t.same(await foreign.sessions(), [], 'an id that is taken');
  t.equal((await foreign.answers()).length, 1);
  for (const broken of [{}, { ...seance, id: 'x' }, { ...seance, partie: 0 }, { ...seance, prevues: [{ id: 1 }] }])
    await foreign.send(foreign.answer(broken, foreign.ids[1] ?? '', '1', 4));
  t.equal((await foreign.answers()).length, 5, 'the answers count as those of a text');
});

t.test('a device gets the date, the minutes and all answers; then only those that are new', async (t) => {
  const world = await asking();
  const { ids, revision, send, answer, planned, now, exercise, learner, prepa, maths } = world;
  await sql(
    databaseUrl,
    `insert into study_plan (user_id, prepa_id, choice, day, minutes) values ($1, $2, 'own', current_date + 400, 30)`,
    [learner.id, prepa.id],
  );
  await submit(
    app,
    `/user/prepa/${prepa.id}/${maths.id}/entrainement`,
    { type: 'exercise', item: String(exercise.id), verdict: 'a_revoir' },
    learner.session,
  );
  const seance = begun(world);
  await send(answer({ ...seance, prevues: planned }, ids[0] ?? '', '1', 50));
  const first = await revision();
  t.match(first, { minutes: 30, suite: false, day: /^\d{4}-\d\d-\d\d$/ });
  t.equal(first.week.length, 1);
  t.same(unpackAnswers(first.reponses[ids[0] ?? '']), [[Math.floor(now / 1000) * 1000 - 50 * 60_000, true, 12]]);
  t.match(unpackAnswers(first.reponses[`item-${exercise.id}`]), [[Number, false, null]]);
  const held = `?tenues=${first.tag}&depuis=${now}`;
  t.match(await revision(held), { suite: true, reponses: {} });
  clock.advance(60_000);
  await send({ ...answer(seance, ids[1] ?? '', '3', 0), le: clock.now().getTime() });
  t.same(Object.keys((await revision(held)).reponses), [ids[1]]);
  await send(answer(seance, ids[2] ?? '', '1', 45));
  t.match(await revision(held), { suite: false }, 'a late answer: all of them');
  const stranger = await createLearner(home);
  t.equal((await call(app, { url: `${world.base}/marques`, session: stranger.session })).statusCode, 403);
});

t.test('a session with text that cannot be stored is dropped alone: the other entries are taken', async (t) => {
  const world = await asking();
  const { ids, planned, send, answer, answers, sessions } = world;
  const [one = '', two = ''] = ids;
  for (const broken of [{ reason: 'a\0b' }, { reason: 'a\ud800b' }, { id: 'a\0b' }]) {
    const prevues = planned.map((step, index) => (index === 0 ? { ...step, ...broken } : step));
    await send(answer(begun(world, { prevues }), one, '1', 50), answer(begun(world), two, '1', 49));
  }
  t.same(await sessions(), []);
  t.ok((await answers()).some(({ question }) => question === two));
});
