import type { FastifyInstance } from 'fastify';
import t, { type Test } from 'tap';
import { call, createTestApp, submit, visit } from '../../../../test/support/app.ts';
import { holding, sql, untilBlocked } from '../../../../test/support/sql.ts';

const password = 'Concours-2026';
const next = { currentPassword: password, password: 'Nouveau-2027!', confirmPassword: 'Nouveau-2027!' };
const phone = 'Mozilla/5.0 (Linux; Android 10; K) AppleWebKit/537.36 (KHTML, like Gecko) Chrome/130.0.0.0 Mobile Safari/537.36';

interface ShownSession {
  id: string;
  device: string | null;
  createdAt: string;
  current: boolean;
}

const shared = await createTestApp(t);
let accounts = 0;

async function register(app: FastifyInstance) {
  accounts += 1;
  const account = { username: `aicha_${accounts}`, email: `aicha${accounts}@gmail.com` };
  const payload = { ...account, password, confirmPassword: password };
  const { token, user } = (await call(app, { method: 'POST', url: '/api/users/register', payload })).json();
  return { ...account, id: user.id as string, token: token as string, session: `userToken=${token}` };
}

/** Registers a new learner, on a separate site if the settings differ. */
async function open(t: Test, env?: Record<string, string>) {
  const site = env ? await createTestApp(t, env) : shared;
  return { ...site, ...(await register(site.app)) };
}

const signIn = (app: FastifyInstance, { email }: { email: string }, typed = password, userAgent = phone) =>
  call(app, { method: 'POST', url: '/api/users/login', payload: { email, password: typed }, headers: { 'user-agent': userAgent } });
const isOpen = async (app: FastifyInstance, token: string) =>
  (await app.inject({ url: '/api/users/verify', headers: { authorization: `Bearer ${token}` } })).statusCode === 200;
const sessionsOf = async (app: FastifyInstance, session: string) =>
  (await call(app, { url: '/api/users/sessions', session })).json<ShownSession[]>();
const faultsOf = (answer: { json(): { errors: { field: string; message: string }[] } }) =>
  Object.fromEntries(answer.json().errors.map(({ field, message }) => [field, message]));

t.test('a new username follows the rules of a registration, is unique ignoring case, and may change its own case', async (t) => {
  const { app, session, username, email } = await open(t);
  const other = await register(app);
  const rename = (username: unknown) => call(app, { method: 'PUT', url: '/api/users/profile', payload: { username }, session });
  t.match(await rename('ab'), { statusCode: 400 });
  t.same(faultsOf(await rename('')), { username: "Le nom d'utilisateur est requis" });
  t.same(faultsOf(await rename('ab')), { username: "Le nom d'utilisateur doit contenir au moins 3 caractères" });
  t.same(faultsOf(await rename('a'.repeat(31))), { username: "Le nom d'utilisateur ne doit pas dépasser 30 caractères" });
  t.same(faultsOf(await rename('a b c')), {
    username: "Le nom d'utilisateur ne peut contenir que des lettres, des chiffres et des underscores",
  });
  const taken = await rename(other.username.toUpperCase());
  t.equal(taken.statusCode, 409);
  t.same(faultsOf(taken), { username: "Ce nom d'utilisateur est déjà utilisé" });
  const larger = username.toUpperCase();
  t.match((await rename(larger)).json(), { user: { username: larger, email } }, 'a learner can change the case of the own name');
  t.match((await rename('aicha_ngo')).json(), { message: "Nom d'utilisateur enregistré", user: { username: 'aicha_ngo' } });
  t.match((await call(app, { url: '/api/users/verify', session })).json(), { username: 'aicha_ngo' });
});

t.test('two learners take a name concurrently: one gets it, the other a 409', async (t) => {
  const { app, session } = await open(t);
  const other = await register(app);
  const answers = await Promise.all(
    [session, other.session].map((cookie) =>
      call(app, { method: 'PUT', url: '/api/users/profile', payload: { username: 'voulu' }, session: cookie }),
    ),
  );
  t.same(answers.map(({ statusCode }) => statusCode).sort(), [200, 409]);
});

t.test('a new password reports all faults at once, then ends all sessions except a new session for this device', async (t) => {
  const learner = await open(t);
  const { app, session, token, databaseUrl } = learner;
  const elsewhere = (await signIn(app, learner)).json().token;
  const change = (payload: object) => call(app, { method: 'PUT', url: '/api/users/password', payload, session });
  t.same(faultsOf(await change({})), {
    currentPassword: 'Le mot de passe actuel est requis',
    password: 'Le mot de passe est requis',
    confirmPassword: 'La confirmation du mot de passe est requise',
  });
  t.same(faultsOf(await change({ ...next, password: 'court', confirmPassword: 'autre' })), {
    password: 'Le mot de passe doit contenir au moins 8 caractères',
    confirmPassword: 'Les mots de passe doivent correspondre',
  });
  t.same(faultsOf(await change({ ...next, password: 'sansmajuscule1!', confirmPassword: 'sansmajuscule1!' })), {
    password: 'Le mot de passe doit contenir au moins une majuscule, une minuscule, un chiffre et un caractère spécial',
  });
  t.same(faultsOf(await change({ ...next, currentPassword: 'Faux-12345' })), { currentPassword: 'Le mot de passe actuel est incorrect' });
  t.ok(await isOpen(app, elsewhere), 'a refused form ends no session');

  await sql(databaseUrl, `insert into password_reset (id, user_id, created_at, expires_at) select 'x', $1, now(), now()`, [learner.id]);
  const changed = await change(next);
  t.equal(changed.statusCode, 200);
  const fresh = changed.json().token;
  t.match(
    changed.cookies.find(({ name }) => name === 'userToken'),
    { value: fresh, httpOnly: true, sameSite: 'Lax' },
  );
  t.same(await Promise.all([token, elsewhere, fresh].map((one) => isOpen(app, one))), [false, false, true]);
  t.same(await sql(databaseUrl, 'select id from password_reset'), [], 'pending password resets are no longer valid');
  t.equal((await signIn(app, learner)).statusCode, 401);
  t.equal((await signIn(app, learner, next.password)).statusCode, 200);
});

t.test('of two concurrent changes only one succeeds', async (t) => {
  const learner = await open(t);
  const { app, session } = learner;
  const answers = await Promise.all(
    ['Premier-2027!', 'Second-2027!'].map((password) =>
      call(app, { method: 'PUT', url: '/api/users/password', payload: { ...next, password, confirmPassword: password }, session }),
    ),
  );
  t.same(answers.map(({ statusCode }) => statusCode).sort(), [200, 400]);
  const won = answers[0]?.statusCode === 200 ? 'Premier-2027!' : 'Second-2027!';
  t.equal((await signIn(app, learner, won)).statusCode, 200);
});

t.test('a late call of another tab, after the change, leaves the new session in the browser', async (t) => {
  const { app, session } = await open(t);
  await submit(app, '/user/profil/mot-de-passe', next, session);
  const late = await call(app, { url: '/api/users/notifications/unread', session });
  t.equal(late.statusCode, 401);
  t.notOk(late.cookies.some(({ name }) => name === 'userToken'));
  t.equal(late.json().expired, true);
  t.match((await visit(app, '/user/profil', session)).cookies.map(({ name, value }) => [name, value])[0], ['userToken', '']);
});

t.test('guesses of the current password are limited like sign-ins, and sign-ins stay possible', async (t) => {
  const learner = await open(t, { SIGN_IN_FAILURES_PER_ACCOUNT: '3' });
  const { app, session } = learner;
  const guess = (currentPassword: string) =>
    call(app, { method: 'PUT', url: '/api/users/password', payload: { ...next, currentPassword }, session });
  for (let time = 0; time < 3; time += 1) t.equal((await guess('Faux-12345')).statusCode, 400);
  const refused = await guess(password);
  t.equal(refused.statusCode, 429);
  t.match(refused.json().message, /^Trop de tentatives\. Réessayez dans \d+ min\.$/);
  t.ok(Number(refused.headers['retry-after']) > 0);
  const page = await submit(app, '/user/profil/mot-de-passe', next, session);
  t.match(page, { statusCode: 429, body: /role="alert".+Trop de tentatives/ });
  t.equal((await signIn(app, learner)).statusCode, 200);
});

t.test('a sign-in with a concurrently changed password opens no session', async (t) => {
  const learner = await open(t);
  const { app, databaseUrl } = learner;
  const { answer } = await holding(databaseUrl, `update app_user set password_hash = 'another' where id = '${learner.id}'`, async () => {
    let answered = false;
    const answer = signIn(app, learner).finally(() => {
      answered = true;
    });
    await untilBlocked(databaseUrl, 1, () => answered);
    return { answer };
  });
  t.equal((await answer).statusCode, 401);
  t.equal(
    (await sql(databaseUrl, 'select id from session where user_id = $1', [learner.id])).length,
    1,
    'the learner has only the session of the registration',
  );
});

t.test('sessions are listed with device and time, without tokens, and end one by one or all other sessions at once', async (t) => {
  const learner = await open(t);
  const { app, session, token, databaseUrl, clock } = learner;
  const [one, two] = [(await signIn(app, learner)).json().token, (await signIn(app, learner, password, 'curl/8')).json().token];
  const other = await register(app);

  const shown = await sessionsOf(app, session);
  t.same(
    shown
      .map(({ device, current }) => [device, current])
      .sort((a, b) => Number(b[1]) - Number(a[1]) || String(a[0]).localeCompare(String(b[0]))),
    [
      [null, true],
      ['Chrome, Android', false],
      [null, false],
    ],
  );
  t.equal(shown[0]?.current, true);
  t.ok(shown.every(({ createdAt }) => createdAt === clock.now().toISOString()));
  const stored = await sql<{ id: string }>(databaseUrl, 'select id from session where user_id = $1', [learner.id]);
  const text = JSON.stringify(shown) + (await visit(app, '/user/profil', session)).body;
  for (const secret of [token, one, two, ...stored.map(({ id }) => id)]) t.notMatch(text, secret.slice(0, 12));

  const [foreign] = await sessionsOf(app, other.session);
  const end = (id: string) => call(app, { method: 'DELETE', url: `/api/users/sessions/${id}`, session });
  t.equal((await end(foreign?.id ?? '')).statusCode, 404, 'the session of another learner cannot be ended');
  t.ok(await isOpen(app, other.token));
  t.equal((await end(stored[0]?.id ?? '')).statusCode, 404, 'the stored hash is not accepted as an id');
  const android = shown.find(({ device }) => device)?.id ?? '';
  t.equal((await end(android)).statusCode, 200);
  t.equal((await end(android)).statusCode, 404, 'an ended session is not found');
  t.same(await Promise.all([token, one, two].map((each) => isOpen(app, each))), [true, false, true]);

  t.equal((await call(app, { method: 'DELETE', url: '/api/users/sessions', session })).statusCode, 200);
  t.same(await Promise.all([token, two, other.token].map((each) => isOpen(app, each))), [true, false, true]);
  await sql(databaseUrl, 'update session set expires_at = $1 where user_id = $2', [clock.now(), learner.id]);
  t.equal((await call(app, { url: '/api/users/sessions', session })).statusCode, 401);
});

t.test('the page works with plain forms', async (t) => {
  const learner = await open(t);
  const { app, session } = learner;
  const elsewhere = (await signIn(app, learner)).json().token;
  const page = await visit(app, '/user/profil', session);
  t.match(page.body, learner.email);
  t.match(page.body, `value="${learner.username}"`);
  t.match(page.body, 'Chrome, Android');
  t.match(page.body, 'Cet appareil');
  t.match(page.body, /<a class="menu__item" href="\/user\/profil">/, 'the menu has a link to the profile');

  const refused = await submit(app, '/user/profil/nom', { username: 'a"b' }, session);
  t.equal(refused.statusCode, 400);
  t.match(refused.body, 'value="a&quot;b"');
  t.match(refused.body, /aria-invalid="true" aria-describedby="profile-username-hint profile-username-error" autofocus/);
  t.match(refused.body, 'ne peut contenir que des lettres, des chiffres et des underscores');
  const wrong = await submit(app, '/user/profil/mot-de-passe', { ...next, currentPassword: 'Faux-12345' }, session);
  t.match(wrong.body, 'Le mot de passe actuel est incorrect');
  t.notMatch(wrong.body, /Faux-12345|Nouveau-2027/);

  const renamed = await submit(app, '/user/profil/nom', { username: 'aicha_belinga' }, session);
  t.match(renamed, { statusCode: 303, headers: { location: '/user/profil' } });
  const flash = renamed.cookies.find(({ name }) => name === 'flash')?.value;
  const after = await visit(app, '/user/profil', `${session}; flash=${flash}`);
  t.match(after.body, /toast--success.+Nom d&#39;utilisateur enregistré|toast--success.+Nom d'utilisateur enregistré/);
  t.match(after.body, 'value="aicha_belinga"');

  const id = /sessions\/([0-9a-f]{16})\/terminer/.exec(after.body)?.[1];
  t.match(await submit(app, `/user/profil/sessions/${id}/terminer`, {}, session), { statusCode: 303 });
  t.notOk(await isOpen(app, elsewhere));
  const again = await submit(app, `/user/profil/sessions/${id}/terminer`, {}, session);
  t.match(again, { statusCode: 303, headers: { location: '/user/profil' } }, 'a second tap redirects to the page too');
  const told = again.cookies.find(({ name }) => name === 'flash')?.value;
  t.match(
    (await visit(app, '/user/profil', `${session}; flash=${told}`)).body,
    /toast--info.+Cette session n(&#39;|')existe pas, ou s(&#39;|')est déjà terminée\./,
  );
  const another = (await signIn(app, learner)).json().token;
  t.match(await submit(app, '/user/profil/sessions/terminer-les-autres', {}, session), { statusCode: 303 });
  t.notOk(await isOpen(app, another));

  const changed = await submit(app, '/user/profil/mot-de-passe', next, session);
  t.match(changed, { statusCode: 303, headers: { location: '/user/profil' } });
  const fresh = changed.cookies.find(({ name }) => name === 'userToken')?.value ?? '';
  t.same(await Promise.all([session.slice('userToken='.length), fresh].map((each) => isOpen(app, each))), [false, true]);
});
