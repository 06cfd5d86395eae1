import { createHash } from 'node:crypto';
import t from 'tap';
import { call, createTestApp, submit, visit } from '../../../../test/support/app.ts';
import { createAdministrator, createLearner } from '../../../../test/support/factories.ts';
import { sql } from '../../../../test/support/sql.ts';
import { actorOf } from '../accounts/actor.ts';
import { disableAdministrator, enableAdministrator, ensureDemoAdministrator } from '../administrators/administrator.service.ts';

const home = await createTestApp(t);
const { app, kernel, clock, databaseUrl } = home;
const hour = 3_600_000;
const account = { username: 'directrice', email: 'Directrice@prepa.example', password: ' Espace-2026 ', role: 'super_admin' as const };
const credentials = { email: account.email, password: account.password };
await ensureDemoAdministrator(kernel.fork(), kernel.context, account);

const signIn = (payload: object, session?: string, url = '/api/admin/login') =>
  call(app, { method: 'POST', url, payload, ...(session ? { session } : {}) });
/** Returns whether the session is valid: the sign-in page redirects signed-in administrators to the dashboard. */
const isSignedIn = async (headers: Record<string, string>) => {
  const { statusCode, headers: answer } = await app.inject({ url: '/admin/connexion', headers: { accept: 'text/html', ...headers } });
  return statusCode === 303 && answer.location === '/admin/dashboard';
};
const isLearner = async (headers: Record<string, string>) => (await app.inject({ url: '/api/users/verify', headers })).statusCode === 200;
const forms = [
  (token: string) => ({ authorization: `Bearer ${token}` }),
  (token: string) => ({ cookie: `adminToken=${token}` }),
  (token: string) => ({ cookie: `userToken=${token}` }),
];

t.test('a sign-in returns token, administrator and role, and sets the cookie', async (t) => {
  for (const url of ['/api/admin/login', '/admin/login']) {
    const answer = await signIn({ ...credentials, email: ' directrice@PREPA.example ' }, undefined, url);
    t.equal(answer.statusCode, 200);
    const [row] = await sql<{ id: string }>(databaseUrl, "select id from administrator where username = 'directrice'");
    const { token, ...rest } = answer.json();
    t.same(rest, { message: 'Connexion réussie !', adminId: row?.id, role: 'super_admin' });
    t.match(
      answer.cookies.find(({ name }) => name === 'adminToken'),
      { value: token, httpOnly: true, sameSite: 'Strict', path: '/' },
    );
    t.ok(await isSignedIn({ cookie: `adminToken=${token}` }));
    t.ok(await isSignedIn({ authorization: `Bearer ${token}` }));
    const stored = await sql<{ id: string }>(databaseUrl, 'select id from administrator_session where id = $1', [token]);
    t.equal(stored.length, 0, 'the token itself is not in the database');
  }
});

t.test("a learner's bearer token on administrators' calls is not reported as expired", async (t) => {
  const [learner, administrator] = [await createLearner(home), await createAdministrator(home)];
  const refused = async (url: string, token: string) => {
    const answer = await app.inject({ url, headers: { authorization: `Bearer ${token}` } });
    t.equal(answer.statusCode, 401, url);
    return answer.json().expired;
  };
  t.equal(await refused('/api/prepas', learner.token), undefined, "a learner's token is not expired on an administrator's route");
  t.equal(
    await refused('/api/users/notifications', administrator.token),
    undefined,
    "an administrator's token is not expired on a learner's route",
  );
  for (const url of ['/api/prepas', '/api/users/notifications'])
    t.equal(await refused(url, 'inconnu'), true, `an unknown token is reported as expired on ${url}`);
});

t.test("all faults of a sign-in are reported at once, in the specification's words", async (t) => {
  const refused = async (payload: object) => {
    const answer = await signIn(payload);
    t.equal(answer.statusCode, 400);
    return Object.fromEntries(answer.json().errors.map(({ field, message }: { field: string; message: string }) => [field, message]));
  };
  t.same(await refused({}), { email: "L'email est requis", password: 'Le mot de passe est requis' });
  t.same(await refused({ email: 'directrice', password: 'x'.repeat(101) }), {
    email: "Format d'email invalide",
    password: 'Le mot de passe ne doit pas dépasser 100 caractères',
  });
  t.same(await refused({ email: `${'d'.repeat(250)}@prepa.example`, password: 'x' }), {
    email: "L'email ne doit pas dépasser 255 caractères",
  });
});

t.test('an unknown e-mail, a wrong password and a trimmed one get the same response', async (t) => {
  const answers = [
    await signIn({ ...credentials, password: 'Faux-12345' }),
    await signIn({ ...credentials, email: 'personne@prepa.example' }),
    await signIn({ ...credentials, password: account.password.trim() }),
  ];
  t.same(
    new Set(answers.map(({ statusCode, body }) => `${statusCode} ${body}`)),
    new Set(['401 {"message":"Email ou mot de passe incorrect"}']),
  );
});

t.test('a session lasts 8 hours, however much it is used', async (t) => {
  const { token } = (await signIn(credentials)).json();
  for (let used = 0; used < 5; used += 1) {
    clock.advance(1.58 * hour);
    t.ok(await isSignedIn({ cookie: `adminToken=${token}` }));
  }
  clock.advance(0.2 * hour);
  t.notOk(await isSignedIn({ cookie: `adminToken=${token}` }));
  const page = await visit(app, '/admin/connexion', `adminToken=${token}`);
  clock.advance(-8.1 * hour);
  t.match(
    page.cookies.find(({ name }) => name === 'adminToken'),
    { value: '' },
    'the sign-in page clears the cookie of an ended session',
  );
});

t.test('an unused session ends after 2 hours, and uses are recorded at most every 5 minutes', async (t) => {
  const { token } = await createAdministrator(home);
  const id = createHash('sha256').update(token).digest('hex');
  const row = async () =>
    (
      await sql<{ used_at: Date; expires_at: Date }>(databaseUrl, 'select used_at, expires_at from administrator_session where id = $1', [
        id,
      ])
    )[0];
  const use = () => isSignedIn({ cookie: `adminToken=${token}` });
  t.ok(await use());
  const first = clock.now();
  t.same(await row(), { used_at: first, expires_at: new Date(first.getTime() + 2 * hour) });
  clock.advance(hour / 13);
  t.ok(await use());
  t.same((await row())?.used_at, first, 'a use within 5 minutes is not recorded');
  clock.advance(hour / 60);
  t.ok(await use());
  t.same((await row())?.used_at, clock.now());
  clock.advance(hour / 10);
  const atLearners = await app.inject({ url: '/api/users/verify', headers: { authorization: `Bearer ${token}` } });
  t.equal(atLearners.statusCode, 401);
  clock.advance(2 * hour);
  t.notOk(await use(), "a refused call on a learners' route does not extend the session");
});

t.test('a session that was never used ends after 2 hours too', async (t) => {
  const answer = await signIn(credentials);
  const { token } = answer.json();
  const cookie = answer.cookies.find(({ name }) => name === 'adminToken');
  t.equal(cookie?.expires?.getTime(), Math.floor((clock.now().getTime() + 2 * hour) / 1_000) * 1_000);
  clock.advance(2 * hour);
  t.notOk(await isSignedIn({ cookie: `adminToken=${token}` }));
});

t.test("signing in again ends the browser's earlier session", async (t) => {
  const { token } = (await signIn(credentials)).json();
  const { token: next } = (await signIn(credentials, `adminToken=${token}`)).json();
  t.notOk(await isSignedIn({ cookie: `adminToken=${token}` }));
  t.ok(await isSignedIn({ cookie: `adminToken=${next}` }));
});

t.test('no token is accepted for the other kind of account, in any form', async (t) => {
  const learner = await createLearner(home);
  const administrator = await createAdministrator(home);
  for (const form of forms) {
    t.notOk(await isSignedIn(form(learner.token)), `learner's ${Object.keys(form('x'))}`);
    t.notOk(await isLearner(form(administrator.token)), `administrator's ${Object.keys(form('x'))}`);
  }
});

t.test('a learner and an administrator sign in and out in one browser independently', async (t) => {
  const learner = await createLearner(home);
  const answer = await signIn(credentials, learner.session);
  const { token } = answer.json();
  t.notOk(
    answer.cookies.some(({ name }) => name === 'userToken'),
    "the learner's cookie stays",
  );
  const cookie = `${learner.session}; adminToken=${token}`;
  t.ok((await isSignedIn({ cookie })) && (await isLearner({ cookie })));
  t.match((await visit(app, '/', cookie)).body, `Bienvenue <strong>${learner.username}</strong>`);

  const out = await submit(app, '/api/admin/logout', {}, cookie);
  t.equal(out.statusCode, 303);
  t.equal(out.headers.location, '/');
  t.match(
    out.cookies.find(({ name }) => name === 'adminToken'),
    { value: '', path: '/' },
  );
  t.notOk(out.cookies.some(({ name }) => name === 'userToken'));
  t.notOk(await isSignedIn({ cookie }), 'the token is no longer valid');
  t.ok(await isLearner({ cookie }));
  const flash = out.cookies.find(({ name }) => name === 'flash');
  t.match((await visit(app, '/', `flash=${flash?.value}`)).body, 'Déconnexion réussie');

  const administrator = await createAdministrator(home);
  await submit(app, '/api/users/logout', {}, `${learner.session}; ${administrator.session}`);
  t.notOk(await isLearner({ cookie: learner.session }));
  t.ok(await isSignedIn({ cookie: administrator.session }));
});

t.test('a program signs out with its bearer', async (t) => {
  const { token } = await createAdministrator(home);
  const headers = { authorization: `Bearer ${token}` };
  const out = await app.inject({ method: 'POST', url: '/admin/logout', headers });
  t.same(out.json(), { message: 'Déconnexion réussie' });
  t.notOk(await isSignedIn(headers));
});

t.test('a disabled account: its sessions end, and only the right password reveals why', async (t) => {
  const disabled = { ...account, username: 'partie', email: 'partie@prepa.example' };
  await ensureDemoAdministrator(kernel.fork(), kernel.context, disabled);
  const { token, adminId } = (await signIn({ email: disabled.email, password: disabled.password })).json();
  const actor = actorOf(await createAdministrator(home, 'super_admin'));
  await disableAdministrator(kernel.fork(), kernel.context, actor, adminId);
  t.notOk(await isSignedIn({ cookie: `adminToken=${token}` }));
  const right = await signIn({ email: disabled.email, password: disabled.password });
  t.equal(right.statusCode, 403);
  t.same(right.json(), { message: 'Ce compte administrateur est désactivé. Adressez-vous à un super administrateur.' });
  t.notOk(right.cookies.some(({ name }) => name === 'adminToken'));
  t.equal((await signIn({ email: disabled.email, password: 'Faux-12345' })).statusCode, 401);
});

t.test('two administrators disable each other concurrently: one stays active', async (t) => {
  const [one, two] = [await createAdministrator(home, 'super_admin'), await createAdministrator(home, 'super_admin')];
  const disable = (by: typeof one, whom: typeof one) => disableAdministrator(kernel.fork(), kernel.context, actorOf(by), whom.id);
  const outcomes = await Promise.allSettled([disable(one, two), disable(two, one)]);
  t.equal(outcomes.filter(({ status }) => status === 'fulfilled').length, 1);
  const active = await sql(databaseUrl, 'select id from administrator where id = any($1) and disabled_at is null', [[one.id, two.id]]);
  t.equal(active.length, 1);
});

t.test('an administrator has to sign in again after being disabled and enabled again', async (t) => {
  const editor = await createAdministrator(home);
  const boss = actorOf(await createAdministrator(home, 'super_admin'));
  await disableAdministrator(kernel.fork(), kernel.context, boss, editor.id);
  // The row that a sign-in concurrent with the disabling leaves.
  await sql(databaseUrl, "insert into administrator_session values (encode(sha256($1::bytea), 'hex'), $2, $3, $3)", [
    editor.token,
    editor.id,
    new Date(clock.now().getTime() + hour),
  ]);
  t.notOk(await isSignedIn({ cookie: editor.session }), 'a disabled administrator is signed out');
  await enableAdministrator(kernel.fork(), kernel.context, boss, editor.id);
  t.notOk(await isSignedIn({ cookie: editor.session }));
});

t.test("ten failures block an administrator's account for a while, and no other account", async (t) => {
  const strict = await createTestApp(t, { SIGN_IN_FAILURES_PER_ACCOUNT: '2' });
  await ensureDemoAdministrator(strict.kernel.fork(), strict.kernel.context, account);
  const attempt = (url: string, payload: object) => call(strict.app, { method: 'POST', url, payload });
  const wrong = { ...credentials, password: 'Faux-12345' };
  for (let time = 0; time < 2; time += 1) t.equal((await attempt('/api/users/login', wrong)).statusCode, 401);
  for (let time = 0; time < 3; time += 1)
    t.equal((await attempt('/api/admin/login', credentials)).statusCode, 200, "a learner's failures and good sign-ins do not count");
  const failures = await Promise.all([attempt('/api/admin/login', wrong), attempt('/admin/login', wrong)]);
  t.ok(failures.every(({ statusCode }) => statusCode === 401));
  const refused = await attempt('/api/admin/login', credentials);
  t.equal(refused.statusCode, 429);
  t.ok(Number(refused.headers['retry-after']) > 0);
  t.match(refused.json().message, /^Trop de tentatives\. Réessayez dans \d+ min, /);
});

t.test('a state change from another site is refused', async (t) => {
  const { session } = await createAdministrator(home);
  for (const url of ['/api/admin/login', '/api/admin/register', '/admin/logout']) {
    const answer = await call(app, { method: 'POST', url, session, headers: { 'sec-fetch-site': 'cross-site' }, payload: {} });
    t.equal(answer.statusCode, 403, url);
  }
  t.ok(await isSignedIn({ cookie: session }));
});

t.test('a link from another site, sent without the strict cookie: the page reloads itself once', async (t) => {
  const { session } = await createAdministrator(home);
  const come = (url: string, headers: Record<string, string>) => app.inject({ url, headers: { accept: 'text/html', ...headers } });
  const foreign = { 'sec-fetch-site': 'cross-site' };
  for (const url of ['/admin/dashboard?a=1&b=2', '/admin/connexion']) {
    const answer = await come(url, foreign);
    t.equal(answer.statusCode, 200, url);
    t.match(answer.body, `<meta http-equiv="refresh" content="0;url=${url.replace('&', '&amp;')}">`);
    t.equal(answer.cookies.length, 0);
    t.match(answer.headers['cache-control'], 'no-store');
  }
  t.equal(
    (await come('/admin/dashboard', { ...foreign, cookie: session })).statusCode,
    200,
    "with the session's cookie the page is served directly",
  );
  t.notMatch((await come('/admin/dashboard', { ...foreign, cookie: session })).body, 'http-equiv="refresh"');
  t.equal(
    (await come('/admin/dashboard', { ...foreign, host: 'prepa.example', referer: 'http://prepa.example/admin/dashboard' })).statusCode,
    303,
    'the reloaded page does not reload again',
  );
  t.equal((await come('/admin/dashboard', { 'sec-fetch-site': 'same-origin' })).statusCode, 303);
  t.equal((await come('/admin/dashboard', { 'sec-fetch-site': 'none' })).statusCode, 303);
  t.equal((await app.inject({ url: '/api/openapi.json', headers: foreign })).statusCode, 401);
});

t.test("administrators' pages, and every response with a token, are not cached", async (t) => {
  const { session } = await createAdministrator(home, 'super_admin');
  const learner = await createLearner(home);
  const control = async (url: string, cookie = session) => (await visit(app, url, cookie)).headers['cache-control'];
  for (const url of ['/admin/dashboard', '/admin/journal', '/admin/connexion', '/admin/rien', '/api/prepas', '/api/openapi.json'])
    t.match(await control(url), 'no-store', url);
  t.equal(await control('/user/profil', learner.session), 'private, no-cache');
  t.equal((await signIn(credentials)).headers['cache-control'], 'private, no-store');
  const registered = { username: 'gardee', email: 'gardee@gmail.com', password: 'Concours-2026', confirmPassword: 'Concours-2026' };
  for (const [url, payload] of [
    ['/api/users/register', registered],
    ['/api/users/login', registered],
  ] as const)
    t.equal((await call(app, { method: 'POST', url, payload })).headers['cache-control'], 'no-store', url);
});

t.test('a sign-out clears browser storage: all of it for an administrator, by key for a learner', async (t) => {
  const { session } = await createAdministrator(home);
  const learner = await createLearner(home);
  const left = await submit(app, '/api/admin/logout', {}, `${session}; ${learner.session}`);
  t.equal(left.headers['clear-site-data'], '"storage"');
  t.match(
    left.cookies.find(({ name }) => name === 'sortie'),
    { value: 'administrateur', httpOnly: undefined, path: '/' },
  );
  const gone = await submit(app, '/api/users/logout', {}, learner.session);
  t.equal(gone.headers['clear-site-data'], undefined);
  t.match(
    gone.cookies.find(({ name }) => name === 'sortie'),
    { value: 'candidat' },
  );
});
