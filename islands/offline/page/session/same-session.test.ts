import t from 'tap';
import { dayMs } from '../../../../src/shared/dates.ts';
import type { KeptRevision, KeptSession, TextsAnswer } from '../../../../src/shared/offline/offline-copy.ts';
import type { PlannedQuestion } from '../../../../src/shared/recall/plan.ts';
import { latestOf, packAnswers, tagOfAnswers, unpackAnswers } from '../../../../src/shared/revision/packed-answers.ts';
import { planPart } from '../../../../src/shared/revision/session-plan.ts';
import { call, createTestApp, submit } from '../../../../test/support/app.ts';
import { createDiscipline, createEnrolment, createItem, createLearner, createPrepa } from '../../../../test/support/factories.ts';
import { keptPrepa } from '../../../../test/support/kept-prepa.ts';
import { numberQuestion } from '../../../../test/support/questions.ts';
import { sql } from '../../../../test/support/sql.ts';
import type { DeviceSession, StoredEntry } from '../../both/store/records.ts';
import type { KeptPrepa } from '../pages/kept-prepa.ts';
import { currentSession, presentSessionCard, weekOf } from './current.ts';
import { renewed } from './keep-revision.ts';
import { studiedOf } from './kept-session.ts';

// A device plans the session that the site would plan, from what the site sends for a kept prepa.

const home = await createTestApp(t);
const { app, clock, databaseUrl } = home;

let made = 0;
/** Creates a learner who has answered the questions of two disciplines on several days, and marked an exercise. */
async function studied() {
  const prepa = await createPrepa(home);
  const disciplines = [await createDiscipline(home, prepa.id), await createDiscipline(home, prepa.id)];
  const ids: string[] = [];
  for (const { id } of disciplines)
    for (const numeroPage of [1, 2]) {
      const own = Array.from({ length: 12 }, () => {
        made += 1;
        return `same${String(made).padStart(8, '0')}`;
      });
      ids.push(...own);
      await createItem(home, id, { numeroPage, contenu: own.map((one) => numberQuestion(one, '1')).join('') });
    }
  const exercise = await createItem(home, disciplines[0]?.id ?? 0, { kind: 'exercise', duree: 8, corrige: '<p>Oui.</p>' });
  const learner = await createLearner(home);
  await createEnrolment(home, learner, prepa, 29);
  const { session } = learner;
  const practise = `/user/prepa/${prepa.id}/${disciplines[0]?.id}/entrainement`;
  await submit(app, practise, { type: 'exercise', item: String(exercise.id), verdict: 'a_revoir' }, session);
  for (let day = 0; day < 4; day += 1) {
    const url = String((await submit(app, '/user/seance', { prepa: String(prepa.id) }, session)).headers.location);
    const [row] = await sql<{ asked: PlannedQuestion[] }>(databaseUrl, 'select asked from daily_session where id = $1', [url.slice(-36)]);
    for (const [index, { id, item }] of (row?.asked ?? []).entries())
      if (item === undefined)
        await call(app, {
          method: 'POST',
          url: `/api/seances/${url.slice(-36)}/questions/${id}`,
          payload: { texte: index % 3 === 0 ? '2' : '1', secondes: 5 + index },
          session,
        });
    clock.advance((day + 1) * dayMs);
  }
  return { prepa, learner, ids, session };
}

async function keptOf({ prepa, learner, session }: Awaited<ReturnType<typeof studied>>): Promise<KeptPrepa> {
  const base = `/api/hors-ligne/prepas/${prepa.id}`;
  const kept = await keptPrepa(home, prepa, learner.id);
  const texts: TextsAnswer = (await call(app, { url: `${base}/textes`, session })).json();
  const revision: KeptRevision = (await call(app, { url: `${base}/marques`, session })).json().revision;
  const items = new Map([...kept.items].map(([id, item]) => [id, { ...item, ...texts.items.find((one) => one.id === id) }] as const));
  return { ...kept, items, copy: { ...kept.copy, ...renewed(kept.copy, revision, new Set(), '2026-01-01') } };
}

t.test('the same questions and exercise, for the same reasons, with a date and without', async (t) => {
  const world = await studied();
  const { prepa, learner, session } = world;
  for (const [choice, days, minutes] of [
    ['none', null, 15],
    ['own', 12, 15],
    ['own', 1, 30],
  ] as const) {
    await sql(
      databaseUrl,
      `insert into study_plan (user_id, prepa_id, choice, day, minutes) values ($1, $2, $3, $4::date, $5)
       on conflict (user_id, prepa_id) do update set choice = excluded.choice, day = excluded.day, minutes = excluded.minutes`,
      [learner.id, prepa.id, choice, days && new Date(clock.now().getTime() + days * dayMs).toISOString().slice(0, 10), minutes],
    );
    const kept = await keptOf(world);
    const planned = planPart(studiedOf(kept, []), kept.copy.revision ?? { day: null, minutes: 0 }, clock.now(), 1);
    const url = String((await submit(app, '/user/seance', { prepa: String(prepa.id) }, session)).headers.location);
    const [row] = await sql<{ asked: PlannedQuestion[] }>(databaseUrl, 'delete from daily_session where id = $1 returning asked', [
      url.slice(-36),
    ]);
    t.ok(planned.length > 5, `${planned.length} questions`);
    t.same(planned, row?.asked, `${choice} ${days}`);
  }
});

t.test('answers that wait to be sent, and those of this device, count as those of the site; known twice, they count once', async (t) => {
  const world = await studied();
  const kept = await keptOf(world);
  const [id = ''] = Object.keys(kept.copy.revision?.reponses ?? {}).filter((one) => one.startsWith('same'));
  const at = clock.now().getTime();
  const sent = unpackAnswers(kept.copy.revision?.reponses[id]);
  const waiting = {
    cle: 'x',
    type: 'lu',
    item: 1,
    le: at,
    reponse: { question: id, texte: '2' },
    prepa: 1,
    learner: '',
  } satisfies StoredEntry;
  const found = (more: StoredEntry[], sessions?: DeviceSession[]) =>
    studiedOf({ ...kept, copy: { ...kept.copy, ...(sessions && { sessions }) } }, more).questions.find((one) => one.id === id)?.answers ??
    [];
  t.equal(found([]).length, sent.length);
  t.match(found([waiting]).at(-1), [`${Math.floor(at / 1000)}`, at, false, null]);
  const own = { answers: { [id]: { given: { typed: '1' }, isRight: true, at, seconds: 9 } } } as unknown as DeviceSession;
  const both = found([waiting], [own]);
  t.same(
    both.slice(-2).map(([key]) => key),
    [`${Math.floor(at / 1000)}`, `${Math.floor(at / 1000)}`],
    'one key, so that the memory takes one of them',
  );
});

const day = '2026-11-27';
const at = new Date('2026-11-27T18:00:00Z');
const session = (more: Partial<KeptSession> = {}): KeptSession => ({
  id: 's1',
  day,
  part: 1,
  startedAt: at.getTime(),
  finishedAt: null,
  asked: [{ id: 'a', discipline: 1, isNew: true, seconds: 30, reason: '' }],
  answers: {},
  ...more,
});
const revisionWith = (more: Partial<KeptRevision> = {}): KeptRevision => {
  const reponses = packAnswers([['a', [[10_000, true, null]]]]);
  return { day: null, minutes: 15, week: [], session: null, reponses, suite: false, tag: tagOfAnswers(reponses), ...more };
};
const stored = (more: Partial<KeptRevision> = {}) => {
  const { suite, ...revision } = revisionWith(more);
  return { ...revision, latest: latestOf(revision.reponses) };
};

t.test('what the site sends joins what the device holds; a sum that differs fetches everything the next time', async (t) => {
  const late = packAnswers([['b', [[20_000, false, 5]]]]);
  const all = packAnswers([
    ['a', [[10_000, true, null]]],
    ['b', [[20_000, false, 5]]],
  ]);
  const joined = renewed({ revision: stored() }, revisionWith({ suite: true, reponses: late, tag: tagOfAnswers(all) }), new Set(), day);
  t.same(joined.revision, { ...stored({ reponses: all, tag: tagOfAnswers(all) }) });
  t.equal(renewed({ revision: stored() }, revisionWith({ suite: true, reponses: {}, tag: '9.9' }), new Set(), day).revision?.tag, '');
  t.equal(renewed({ revision: stored() }, null, new Set(), day).revision, undefined, 'no questions any more');
  t.same(renewed({ revision: stored() }, undefined, new Set(), day).revision, stored(), 'a response of an earlier release');
});

t.test("the site's session replaces that of the device once nothing of it waits", async (t) => {
  const own = session({ id: 'own' });
  const kept = (waiting: string[], sent: KeptSession | null, sessions = [own]) =>
    renewed({ sessions }, revisionWith({ session: sent }), new Set(waiting), day).sessions?.map(({ id }) => id);
  t.same(kept([], null), ['own'], 'the site has none of today');
  t.same(kept(['own'], session()), ['own']);
  t.same(kept([], session()), []);
  t.same(kept([], session(), [session({ id: 'next', part: 2 })]), ['next']);
  t.same(kept([], null, [session({ day: '2026-11-26' })]), [], 'of yesterday');
  t.same(kept(['s1'], null, [session({ day: '2026-11-26' })]), ['s1']);
});

t.test('the present session, its days and its card', async (t) => {
  const answer = { given: { typed: '1' }, isRight: true };
  t.equal(currentSession({ revision: stored({ session: session({ day: '2026-11-26' }) }) }, at), null, "yesterday's is over");
  const both = currentSession(
    { revision: stored({ session: session() }), sessions: [session({ finishedAt: 5, answers: { a: answer } })] },
    at,
  );
  t.match(both, { id: 's1', finishedAt: 5, answers: { a: answer } });
  t.match(currentSession({ revision: stored({ session: session() }), sessions: [session({ id: 'own' })] }, at), { id: 'own' });
  const dots = (copy: Parameters<typeof weekOf>[0]) =>
    weekOf(copy, at)
      .dots.map(({ isStudied }) => Number(isStudied))
      .join('');
  t.equal(dots({ revision: stored({ week: ['2026-11-24'] }), sessions: [session({ answers: { a: answer } })] }), '0100100');
  t.equal(dots({ revision: stored({ week: ['2026-11-20'] }) }), '0000000', "last week's days");
  const card = (more: object) => presentSessionCard([{ id: 7, ...more } as never], null, at);
  t.match(card({ revision: stored() }), { href: '/user/seance?prepa=7', label: 'Commencer (15 min)' });
  t.match(card({ revision: stored({ session: session() }) }), { said: 'Encore 1 question', label: 'Reprendre la séance' });
  t.match(card({ revision: stored({ session: session({ finishedAt: 5 }) }) }), { label: 'Voir le bilan' });
  t.match(card({ revision: stored({ day: '2026-12-21' }) }), { concours: { countdown: 'J-24', date: '21 décembre 2026' } });
  t.match(card({ revision: stored({ day: '2026-11-24' }) }), { concours: null }, 'a date that has passed');
  t.equal(card({}), null);
});
