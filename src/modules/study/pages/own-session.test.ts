import { createHash } from 'node:crypto';
import t from 'tap';
import { createTestApp, visit } from '../../../../test/support/app.ts';
import {
  createAdministrator,
  createDiscipline,
  createEnrolment,
  createItem,
  createLearner,
  createPrepa,
} from '../../../../test/support/factories.ts';
import { sql } from '../../../../test/support/sql.ts';

// The study page and the discipline list of a prepa look up the session within their own statement. Responses must equal those of
// pages that look it up first.

const home = await createTestApp(t);
const { app, databaseUrl } = home;
const prepa = await createPrepa(home);
const discipline = await createDiscipline(home, prepa.id);
await createItem(home, discipline.id);
const learner = await createLearner(home);
await createEnrolment(home, learner, prepa);
const administrator = await createAdministrator(home);
const disciplines = `/user/prepa/${prepa.id}`;
const study = `${disciplines}/${discipline.id}`;
const ordinary = '/user/profil';

const ask = (url: string, headers: Record<string, string>) => app.inject({ url, headers: { accept: 'text/html', ...headers } });

t.test('the same response as on a page that looks up the session first, for every kind of credential', async (t) => {
  const bearer = (token: string) => ({ authorization: `Bearer ${token}` });
  const presented: [string, Record<string, string>, number][] = [
    ['no credentials', {}, 303],
    ['a cookie', { cookie: learner.session }, 200],
    ['a bearer', bearer(learner.token), 200],
    ['an unknown cookie', { cookie: 'userToken=inconnu' }, 303],
    ['a cookie that is too long', { cookie: `userToken=${'x'.repeat(300)}` }, 303],
    ['an unknown bearer token with a valid cookie', { cookie: learner.session, ...bearer('inconnu') }, 303],
    ["an administrator's cookie", { cookie: administrator.session }, 303],
    ["an administrator's token in the learner's cookie", { cookie: `userToken=${administrator.token}` }, 303],
    ['a call with an unknown cookie', { cookie: 'userToken=inconnu', accept: 'application/json' }, 401],
    ['a call without credentials', { accept: 'application/json' }, 401],
  ];
  for (const page of [study, disciplines]) {
    for (const [what, headers, status] of presented) {
      const [own, other] = [await ask(page, headers), await ask(ordinary, headers)];
      t.equal(own.statusCode, status, `${page}: ${what}`);
      t.equal(other.statusCode, status);
      // The style sheets of the two pages differ.
      const sessions = ({ cookies }: typeof own) => cookies.filter(({ name }) => name !== 'css');
      t.same(sessions(own), sessions(other), `${what}: the same cookies`);
      t.equal(own.headers.location, other.headers.location?.replace(encodeURIComponent(ordinary), encodeURIComponent(page)));
      if (status === 401) t.same(own.json(), other.json());
    }
  }
});

t.test('using a session on another day renews its lifetime', async (t) => {
  const { token, session } = await createLearner(home);
  const id = createHash('sha256').update(token).digest('hex');
  await sql(
    databaseUrl,
    `update session set expires_at = now() + interval '3 days', created_at = now() - interval '27 days' where id = $1`,
    [id],
  );
  // The learner is not enrolled, so the response redirects to the trial. It renews the session all the same.
  const answer = await visit(app, study, session);
  t.equal(answer.statusCode, 303);
  t.match(
    answer.cookies.find(({ name }) => name === 'userToken'),
    { value: token, httpOnly: true },
  );
  const [row] = await sql<{ days: number }>(databaseUrl, 'select (expires_at::date - now()::date) as days from session where id = $1', [
    id,
  ]);
  t.ok((row?.days ?? 0) >= 29);
});

t.test("a page refused before its own session lookup still shows the learner's header", async (t) => {
  for (const [url, status] of [
    ['/user/prepa/abc', 404],
    [`/user/prepa/abc/${discipline.id}`, 404],
    [`${study}?type=course&item=abc`, 400],
    [`${study}?type=inconnu`, 400],
    [`/user/prepa/${prepa.id}/2147483647`, 404],
    [`${study}?type=course&item=2147483647`, 404],
  ] as const) {
    const answer = await visit(app, url, learner.session);
    t.equal(answer.statusCode, status, url);
    t.match(answer.body, `Bienvenue <strong>${learner.username}</strong>`, url);
  }
  t.equal((await visit(app, `${study}?type=inconnu`)).statusCode, 303, 'a visitor is sent to the sign-in first');
});
