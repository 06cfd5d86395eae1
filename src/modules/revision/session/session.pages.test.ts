import { createHash } from 'node:crypto';
import t from 'tap';
import { call, createTestApp, submit, visit } from '../../../../test/support/app.ts';
import { createDiscipline, createEnrolment, createItem, createLearner, createPrepa } from '../../../../test/support/factories.ts';
import { numberQuestion } from '../../../../test/support/questions.ts';
import { sql } from '../../../../test/support/sql.ts';
import { dayMs } from '../../../shared/dates.ts';

const home = await createTestApp(t);
const { app, clock, databaseUrl } = home;

let made = 0;
/** Creates a prepa whose two disciplines ask `count` questions each; the answer to each is its number. */
async function world(count: number, { days = 60 } = {}) {
  const prepa = await createPrepa(home);
  const values = new Map<string, string>();
  for (const _ of [1, 2]) {
    const discipline = await createDiscipline(home, prepa.id);
    const ids = Array.from({ length: count }, () => {
      made += 1;
      const id = `asked${String(made).padStart(7, '0')}`;
      values.set(id, String(made));
      return id;
    });
    await createItem(home, discipline.id, { contenu: ids.map((id) => numberQuestion(id, values.get(id) ?? '')).join('') });
  }
  const learner = await createLearner(home);
  await createEnrolment(home, learner, prepa, days);
  const { session } = learner;
  return {
    prepa,
    learner,
    values,
    page: async (url: string) => (await visit(app, url, session)).body.replaceAll(/<span class="nobreak">([^<]*)<\/span>/g, '$1'),
    /** Begins a session and returns its address. */
    begin: async (more: Record<string, string> = {}) =>
      String((await submit(app, '/user/seance', { prepa: String(prepa.id), ...more }, session)).headers.location),
    answer: (url: string, id: string, typed: string) => submit(app, `${url}/questions/${id}`, { texte: typed }, session),
  };
}

const asked = (html: string) => Array.from(html.matchAll(/<form class="question" id="q-(\w+)"/g), ([, id]) => id ?? '');
const answersOf = (learner: { id: string }) =>
  sql<{ question: string; right: boolean; context: string }>(
    databaseUrl,
    'select question_id as question, is_right as right, context from answer where user_id = $1 order by question_id',
    [learner.id],
  );

t.test('a first session asks new questions of both disciplines within its minutes, and resumes where it was left', async (t) => {
  const { page, begin, answer, values, learner } = await world(40);
  t.match(await page('/user/dashboard'), 'Séance du jour');
  t.match(await page('/user/seance'), /\d+ questions, environ 1[345] minutes : \d+ nouvelles\./);
  const url = await begin();
  const first = await page(url);
  const ids = asked(first);
  t.ok(ids.length >= 8 && ids.length <= 20, `${ids.length} questions in 15 minutes`);
  t.equal(new Set(ids).size, ids.length, 'no question twice');
  const half = [...values.keys()].slice(0, 40);
  t.ok(ids.some((id) => half.includes(id)) && ids.some((id) => !half.includes(id)), 'both disciplines');
  t.match(first, 'Nouvelle');
  t.notMatch(first, 'Par le calcul');
  t.equal(await begin(), url, 'a second request to begin leads to the same session');

  const [one = '', two = ''] = ids;
  await answer(url, one, values.get(one) ?? '');
  await answer(url, two, '-1');
  const resumed = await page(url);
  t.match(resumed, 'Bonne réponse');
  t.match(resumed, 'Réponse fausse');
  t.same(asked(resumed), ids.slice(2));
  t.match(await page('/user/dashboard'), `Encore ${ids.length - 2} questions`);
  t.same(await answersOf(learner), [
    { question: one, right: true, context: 'session' },
    { question: two, right: false, context: 'session' },
  ]);
});

t.test('two starts at once begin one session', async (t) => {
  const { begin } = await world(3);
  const begun = new Set(await Promise.all(Array.from({ length: 6 }, () => begin())));
  t.equal(begun.size, 1, [...begun].join());
  t.match([...begun][0], /^\/user\/seance\/[0-9a-f-]{36}$/);
});

t.test('an answer from a second tab counts once, and the first one stays', async (t) => {
  const { page, begin, answer, values, learner } = await world(3);
  const url = await begin();
  const [id = ''] = asked(await page(url));
  await Promise.all([answer(url, id, '-1'), answer(url, id, '-1'), answer(url, id, '-1')]);
  await answer(url, id, values.get(id) ?? '');
  t.same(await answersOf(learner), [{ question: id, right: false, context: 'session' }]);
});

t.test('an answer elsewhere under a key of the session does not answer its question, and a finished session takes no answer', async (t) => {
  const { page, begin, answer, learner, values } = await world(6);
  const url = await begin();
  const [one = '', two = '', three = ''] = asked(await page(url));
  const key = createHash('md5')
    .update(JSON.stringify([url.slice(url.lastIndexOf('/') + 1), one]))
    .digest('hex');
  await sql(
    databaseUrl,
    `insert into answer (user_id, cle, question_id, key_version, item_version, context, given, is_right, points, answered_at)
     values ($1, $2, $3, 1, 1, 'text', '{"typed": "1"}', false, 0, now())`,
    [learner.id, key, two],
  );
  t.ok(asked(await page(url)).includes(one));
  t.notMatch(await page(url), 'Par le calcul');
  t.equal((await answer(url, one, values.get(one) ?? '')).statusCode, 409);
  await answer(url, three, values.get(three) ?? '');
  await submit(app, `${url}/fin`, {}, learner.session);
  await answer(url, two, values.get(two) ?? '');
  t.equal((await answersOf(learner)).length, 2, 'that of the other page, and the one before the end');
});

t.test('the time of an answer is stored in whole seconds', async (t) => {
  const { page, begin, learner } = await world(2);
  const url = await begin();
  const ids = asked(await page(url));
  for (const [index, secondes] of [12, 12.5, -1, 9_999].entries()) {
    const reply = await call(app, {
      method: 'POST',
      url: `/api/seances/${url.slice(url.lastIndexOf('/') + 1)}/questions/${ids[index]}`,
      payload: { passe: true, secondes },
      session: learner.session,
    });
    t.equal(reply.statusCode, 200, String(secondes));
  }
  const stored = await sql<{ seconds: number | null }>(databaseUrl, 'select seconds from answer where user_id = $1', [learner.id]);
  t.same(
    stored.map(({ seconds }) => seconds).sort((one, other) => Number(one) - Number(other)),
    [null, null, 12, 600],
  );
});

t.test('at the end: what was right, what to read again, tomorrow, the days of the week, and five minutes more', async (t) => {
  const { page, begin, answer, values } = await world(30);
  const url = await begin();
  const ids = asked(await page(url));
  for (const [index, id] of ids.entries()) await answer(url, id, index === 0 ? '-1' : (values.get(id) ?? ''));
  const end = await page(url);
  t.match(end, "C'est fait pour aujourd'hui. À demain.");
  t.match(end, `${ids.length - 1} justes sur ${ids.length}`);
  t.match(end, 'À relire : ');
  t.match(end, /Demain : \d+ questions?, environ \d+ min/);
  t.match(end, 'week__day--done week__day--today');
  t.match(await page('/user/dashboard'), 'Voir le bilan');
  t.equal(await begin(), url, 'the finished session is shown');

  const more = await begin({ suite: '1' });
  t.not(more, url);
  const again = asked(await page(more));
  t.ok(again.length > 0 && again.length < ids.length);
  t.same(
    again.filter((id) => ids.slice(1).includes(id)),
    [],
    'no question that was right today',
  );

  clock.advance(86_400_000);
  const later = await page(url);
  t.match(later, /<h1>Séance du \d+ \S+ \d{4}, terminée<\/h1>/);
  t.notMatch(later, /Encore 5 minutes|Demain :/, 'only a session of today goes on');
  t.match(later, `href="/user/seance?prepa=`);
});

t.test("the end of a session leads to the other prepas' sessions", async (t) => {
  const { learner, begin, page, answer, prepa } = await world(3);
  const url = await begin();
  await answer(url, asked(await page(url))[0] ?? '', '-1');
  const end = async () => {
    await submit(app, `${url}/fin`, {}, learner.session);
    return page(url);
  };
  t.notMatch(await end(), 'Une autre préparation');
  const other = await world(3);
  await createEnrolment(home, learner, other.prepa, 30);
  const offered = await page(url);
  t.match(offered, `Une autre préparation : <a href="/user/seance?prepa=${other.prepa.id}">${other.prepa.nom}</a>`);
  t.notMatch(offered, `/user/seance?prepa=${prepa.id}"`);
});

t.test('ended without an answer, a session stays open and the day is not done', async (t) => {
  const { page, begin, answer, learner } = await world(3);
  const url = await begin();
  const end = async () => (await submit(app, `${url}/fin`, {}, learner.session)).headers.location;
  t.equal(await end(), '/user/dashboard');
  t.match(await page('/user/dashboard'), 'Encore 6 questions');
  const [id = ''] = asked(await page(url));
  await answer(url, id, '-1');
  t.equal(await end(), url);
  t.match(await page(url), '0 juste sur 1');
  t.match(await page('/user/dashboard'), 'Voir le bilan');
});

t.test('the next day asks what was wrong, with its reason', async (t) => {
  const { page, begin, answer, values } = await world(4);
  const url = await begin();
  const ids = asked(await page(url));
  t.equal(ids.length, 8);
  for (const id of ids) await answer(url, id, id === ids[3] ? '-1' : (values.get(id) ?? ''));
  clock.advance(dayMs);
  const next = await page(await begin());
  t.ok(asked(next).includes(ids[3] ?? ''));
  t.match(next, 'Ratée hier');
});

t.test('without access: no session begins, and an answer is refused with its reason', async (t) => {
  const { page, begin, answer, learner } = await world(3, { days: 2 });
  const url = await begin();
  const [id = ''] = asked(await page(url));
  clock.advance(3 * dayMs);
  const refused = await answer(url, id, '1');
  t.equal(refused.statusCode, 403);
  t.match(refused.body, 'votre réponse n&#39;a pas été gardée');
  t.same(await answersOf(learner), []);
  t.equal(await begin(), '/user/dashboard');
  t.notMatch(await page('/user/dashboard'), 'Séance du jour');
});

t.test('the sessions of others do not exist', async (t) => {
  const { begin } = await world(2);
  const url = await begin();
  const other = await world(2);
  t.equal((await visit(app, url, other.learner.session)).statusCode, 404);
  t.equal((await submit(app, `${url}/fin`, {}, other.learner.session)).statusCode, 404);
});

t.test('an empty answer is asked for again', async (t) => {
  const { page, begin, answer, learner } = await world(2);
  const url = await begin();
  const [id = ''] = asked(await page(url));
  t.equal((await answer(url, id, ' ')).headers.location, `${url}#q-${id}`);
  t.same(await answersOf(learner), []);
});

t.test('an answer to a question that is gone leads back to the session, and so do the addresses of its forms', async (t) => {
  const { page, begin, answer, learner } = await world(2);
  const url = await begin();
  const [id = ''] = asked(await page(url));
  await sql(databaseUrl, 'update question set usable = false where id = $1', [id]);
  const gone = await answer(url, id, '1');
  t.equal(gone.headers.location, `${url}#q-${id}`);
  t.match(Buffer.from(gone.cookies.find(({ name }) => name === 'flash')?.value ?? '', 'base64url').toString(), 'existe plus');
  for (const form of ['fin', 'passer', `questions/${id}`])
    t.equal((await visit(app, `${url}/${form}`, learner.session)).headers.location, url, form);
});

t.test('a learner without any enrolment is told to choose a prepa', async (t) => {
  const reply = await visit(app, '/user/seance', (await createLearner(home)).session);
  t.equal(reply.headers.location, '/user/dashboard');
  const flash = reply.cookies.find(({ name }) => name === 'flash')?.value ?? '';
  t.match(Buffer.from(flash, 'base64url').toString(), 'pas de préparation ouverte');
});

t.test('a prepa without questions has no session', async (t) => {
  const { page, learner } = await world(0);
  t.notMatch(await page('/user/dashboard'), 'Séance du jour');
  t.equal((await visit(app, '/user/seance', learner.session)).headers.location, '/user/dashboard');
});

t.test('an answered question can be shared; the installation is offered from the second finished session on', async (t) => {
  const { page, begin, answer, values, learner } = await world(4);
  const end = (url: string) => submit(app, `${url}/fin`, {}, learner.session);
  const first = await begin();
  const [id = ''] = asked(await page(first));
  t.notMatch(await page(first), 'wa.me');
  await answer(first, id, values.get(id) ?? '');
  t.match(await page(first), /href="https:\/\/wa\.me\/\?text=[^"]*consultation[^"]*"/);
  await end(first);
  t.notMatch(await page(first), 'data-behaviour="install"');
  clock.advance(dayMs);
  const second = await begin();
  t.not(second, first);
  const [next = ''] = asked(await page(second));
  await answer(second, next, values.get(next) ?? '');
  await end(second);
  t.match(await page(second), 'data-behaviour="install"');
  t.notMatch(await page(first), 'data-behaviour="install"', 'not on the page of the first one');
});

t.test('an answer counts once, however its session is written; the last of simultaneous answers ends the session', async (t) => {
  const { page, begin, learner, values } = await world(3);
  const url = await begin();
  const [first = '', ...others] = asked(await page(url));
  const id = url.slice(url.lastIndexOf('/') + 1);
  const answer = (session: string, question: string) =>
    call(app, {
      method: 'POST',
      url: `/api/seances/${session}/questions/${question}`,
      session: learner.session,
      payload: { texte: values.get(question) },
    });
  for (const written of [id.toUpperCase(), id]) t.equal((await answer(written, first)).statusCode, 200);
  t.equal((await answersOf(learner)).length, 1);
  const sent = await Promise.all(others.map((question) => answer(id, question)));
  t.same([...new Set(sent.map(({ statusCode }) => statusCode))], [200]);
  const [row] = await sql<{ done: boolean }>(databaseUrl, 'select finished_at is not null as done from daily_session where id = $1', [id]);
  t.ok(row?.done);
});

t.test('the dashboard counts the questions that can still be asked', async (t) => {
  const { page, begin, prepa } = await world(3);
  await begin();
  t.match(await page('/user/dashboard'), 'Encore 6 questions');
  await sql(
    databaseUrl,
    `update question set position = null where id = (select q.id from question q join item i on i.id = q.item_id
       join discipline d on d.id = i.discipline_id where d.prepa_id = $1 order by q.id limit 1)`,
    [prepa.id],
  );
  t.match(await page('/user/dashboard'), 'Encore 5 questions');
});
