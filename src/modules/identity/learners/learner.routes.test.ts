import t from 'tap';
import { call, createTestApp, submit, visit } from '../../../../test/support/app.ts';
import { sql } from '../../../../test/support/sql.ts';
import { dayMs } from '../../../shared/dates.ts';

const good = { username: 'aicha_237', email: 'aicha@gmail.com', password: 'Concours-2026', confirmPassword: 'Concours-2026' };

t.test('registration signs in, and the session gives access to guarded pages', async (t) => {
  const { app } = await createTestApp(t);
  const answer = await call(app, { method: 'POST', url: '/api/users/register', payload: good });
  t.equal(answer.statusCode, 201);
  const { token, user } = answer.json();
  t.match(user, { username: 'aicha_237', email: 'aicha@gmail.com' });
  t.same(Object.keys(user).sort(), ['email', 'id', 'username']);
  const cookie = answer.cookies.find(({ name }) => name === 'userToken');
  t.match(cookie, { httpOnly: true, sameSite: 'Lax', path: '/', value: token });

  for (const headers of [{ cookie: `userToken=${token}` }, { authorization: `Bearer ${token}` }]) {
    const verified = await app.inject({ url: '/api/users/verify', headers });
    t.same(verified.json(), user);
  }
  t.equal((await visit(app, '/user/dashboard', `userToken=${token}`)).statusCode, 200);
});

t.test('the API returns only id, username and e-mail of a learner, and accepts no other fields', async (t) => {
  const { app } = await createTestApp(t);
  const registered = await call(app, { method: 'POST', url: '/api/users/register', payload: good });
  const signedIn = await call(app, { method: 'POST', url: '/api/users/login', payload: { email: good.email, password: good.password } });
  const session = `userToken=${signedIn.json().token}`;
  const payload = { username: 'aicha_238', email: 'autre@gmail.com', isDemo: true };
  const renamed = await call(app, { method: 'PUT', url: '/api/users/profile', payload, session });
  const verified = await call(app, { url: '/api/users/verify', session });
  t.match(verified.json(), { username: 'aicha_238', email: good.email }, 'unknown fields are ignored');
  for (const user of [registered.json().user, signedIn.json().user, renamed.json().user, verified.json()])
    t.same(Object.keys(user).sort(), ['email', 'id', 'username']);
});

t.test('registrations per network and hour are limited, and the 429 gives the time to wait', async (t) => {
  const { app } = await createTestApp(t, { REGISTRATIONS_PER_ADDRESS_HOUR: '2' });
  const register = (number: number, remoteAddress: string) =>
    call(app, {
      method: 'POST',
      url: '/api/users/register',
      payload: { ...good, username: `aicha_${number}`, email: `aicha${number}@gmail.com` },
      remoteAddress,
    });
  for (const number of [1, 2]) t.equal((await register(number, '192.0.2.1')).statusCode, 201);
  const refused = await register(3, '192.0.2.1');
  t.equal(refused.statusCode, 429);
  t.ok(Number(refused.headers['retry-after']) > 0);
  t.equal((await register(3, '198.51.100.7')).statusCode, 201, 'another network can register');
});

t.test(
  "where the settings say no more, the specification's rule for passwords is the only one, and a learner has any number of sessions",
  async (t) => {
    const { app } = await createTestApp(t);
    const plain = { ...good, password: 'Password1!', confirmPassword: 'Password1!' };
    const registered = await call(app, { method: 'POST', url: '/api/users/register', payload: plain });
    t.equal(registered.statusCode, 201);
    const tokens = [registered.json().token];
    const credentials = { email: plain.email, password: plain.password };
    while (tokens.length < 8)
      tokens.push((await call(app, { method: 'POST', url: '/api/users/login', payload: credentials })).json().token);
    const answers = await Promise.all(
      tokens.map((token) => app.inject({ url: '/api/users/verify', headers: { authorization: `Bearer ${token}` } })),
    );
    t.same(new Set(answers.map(({ statusCode }) => statusCode)), new Set([200]));
  },
);

t.test('the navigation bar creates the account without signing in', async (t) => {
  const { app } = await createTestApp(t);
  const answer = await call(app, { method: 'POST', url: '/api/users/register', payload: { ...good, connexion: false } });
  t.equal(answer.statusCode, 201);
  t.notOk('token' in answer.json());
  t.equal(
    answer.cookies.find(({ name }) => name === 'userToken'),
    undefined,
  );

  const form = await submit(app, '/api/users/register', { ...good, username: 'bruno', email: 'bruno@yahoo.fr', connexion: 'non' });
  t.equal(form.statusCode, 303);
  t.equal(
    form.cookies.find(({ name }) => name === 'userToken'),
    undefined,
  );
  t.equal(form.headers.location, '/login', 'no personal data in addresses');
  const left = form.cookies.find(({ name }) => name === 'inscription');
  t.match(left, { path: '/login', httpOnly: true, maxAge: 60 });
  const signIn = async (email: string) => app.inject({ url: '/login', headers: { accept: 'text/html' }, cookies: { inscription: email } });
  const begun = await signIn(String(left?.value));
  t.match(begun.body, /name="email"[^>]* value="bruno@yahoo.fr"/, 'the sign-in form is filled in with the e-mail');
  t.match(
    begun.cookies.find(({ name }) => name === 'inscription'),
    { value: '' },
    'the cookie with the e-mail is cleared after its use',
  );
  t.notMatch((await signIn('<b>')).body, '&lt;b');
});

t.test("all faults of a registration are reported at once, in the specification's words", async (t) => {
  const { app } = await createTestApp(t);
  const refused = async (payload: Record<string, unknown>) => {
    const answer = await call(app, { method: 'POST', url: '/api/users/register', payload });
    t.equal(answer.statusCode, 400);
    return Object.fromEntries(answer.json().errors.map(({ field, message }: { field: string; message: string }) => [field, message]));
  };
  t.same(await refused({}), {
    username: "Le nom d'utilisateur est requis",
    email: "L'email est requis",
    password: 'Le mot de passe est requis',
    confirmPassword: 'La confirmation du mot de passe est requise',
  });
  t.same(await refused({ username: 'ab', email: 'pas-un-email', password: 'court', confirmPassword: 'autre' }), {
    username: "Le nom d'utilisateur doit contenir au moins 3 caractères",
    email: 'Email invalide',
    password: 'Le mot de passe doit contenir au moins 8 caractères',
    confirmPassword: 'Les mots de passe doivent correspondre',
  });
  t.same(
    await refused({ username: 'a'.repeat(31), email: 'a@exemple.cm', password: 'sansmajuscule1!', confirmPassword: 'sansmajuscule1!' }),
    {
      username: "Le nom d'utilisateur ne doit pas dépasser 30 caractères",
      email: "Domaine d'email non autorisé",
      password: 'Le mot de passe doit contenir au moins une majuscule, une minuscule, un chiffre et un caractère spécial',
    },
  );
  t.same(await refused({ ...good, username: 'aïcha !' }), {
    username: "Le nom d'utilisateur ne peut contenir que des lettres, des chiffres et des underscores",
  });
});

t.test('a taken username or e-mail gives a 409 at its field, ignoring case', async (t) => {
  const { app } = await createTestApp(t);
  await call(app, { method: 'POST', url: '/api/users/register', payload: good });
  const again = { ...good, username: 'AICHA_237', email: 'Aicha@Gmail.com' };
  const answer = await call(app, { method: 'POST', url: '/api/users/register', payload: again });
  t.equal(answer.statusCode, 409);
  t.same(
    answer
      .json()
      .errors.map(({ field }: { field: string }) => field)
      .sort(),
    ['email', 'username'],
  );

  const racing = { ...good, username: 'course', email: 'course@gmail.com' };
  const answers = await Promise.all(
    Array.from({ length: 5 }, () => call(app, { method: 'POST', url: '/api/users/register', payload: racing })),
  );
  t.same(answers.map(({ statusCode }) => statusCode).sort(), [201, 409, 409, 409, 409]);
});

t.test('an unknown e-mail and a wrong password get the same response', async (t) => {
  const { app } = await createTestApp(t);
  await call(app, { method: 'POST', url: '/api/users/register', payload: good });
  const signIn = (payload: Record<string, string>) => call(app, { method: 'POST', url: '/api/users/login', payload });
  const wrong = await signIn({ email: good.email, password: 'Concours-2025' });
  const unknown = await signIn({ email: 'personne@gmail.com', password: 'Concours-2025' });
  t.equal(wrong.statusCode, 401);
  t.equal(unknown.statusCode, 401);
  t.same(wrong.json(), unknown.json());
  t.equal((await signIn({ email: 'AICHA@gmail.com', password: good.password })).statusCode, 200);
});

t.test('ten failures block an account for their network for a while, with a clear 429, and other accounts can sign in', async (t) => {
  const { app } = await createTestApp(t);
  const other = { ...good, username: 'autre', email: 'autre@gmail.com' };
  for (const payload of [good, other]) await call(app, { method: 'POST', url: '/api/users/register', payload });
  const signIn = (email: string, password: string) => call(app, { method: 'POST', url: '/api/users/login', payload: { email, password } });
  // Concurrent guesses are counted too.
  const failures = await Promise.all(Array.from({ length: 10 }, () => signIn(good.email, 'Faux-12345')));
  t.ok(failures.every(({ statusCode }) => statusCode === 401));
  const refused = await signIn(good.email, good.password);
  t.equal(refused.statusCode, 429);
  t.ok(Number(refused.headers['retry-after']) > 0);
  t.match(refused.json().message, /^Trop de tentatives\. Réessayez dans \d+ min, /);
  t.equal((await signIn(other.email, other.password)).statusCode, 200);
});

t.test('successful sign-ins do not count as failures', async (t) => {
  const { app } = await createTestApp(t, { SIGN_IN_FAILURES_PER_ACCOUNT: '2' });
  await call(app, { method: 'POST', url: '/api/users/register', payload: good });
  for (let time = 0; time < 5; time += 1) {
    const answer = await call(app, { method: 'POST', url: '/api/users/login', payload: { email: good.email, password: good.password } });
    t.equal(answer.statusCode, 200);
  }
});

t.test('a session lasts 30 days, is extended by use, and ends with sign-out', async (t) => {
  const { app, databaseUrl, clock } = await createTestApp(t);
  const { token } = (await call(app, { method: 'POST', url: '/api/users/register', payload: good })).json();
  const headers = { authorization: `Bearer ${token}` };
  const sessions = () => sql<{ id: string; expires_at: Date }>(databaseUrl, 'select id, expires_at from session');
  const [stored, ...others] = await sessions();
  t.equal(others.length, 0);
  t.not(stored?.id, token, 'the token itself is not in the database');
  t.ok(Math.abs(Number(stored?.expires_at) - Date.now() - 30 * dayMs) < 60_000);

  clock.advance(20 * dayMs);
  t.equal((await app.inject({ url: '/api/users/verify', headers })).statusCode, 200);
  const [extended] = await sessions();
  t.equal(Number(extended?.expires_at), clock.now().getTime() + 30 * dayMs, 'used on another day, it is extended');

  const out = await call(app, { method: 'POST', url: '/api/users/logout', headers });
  t.equal(out.json().message, 'Déconnexion réussie');
  const after = await app.inject({ url: '/api/users/verify', headers });
  t.equal(after.statusCode, 401);
  t.equal(after.json().expired, true);
});

t.test("signing in again ends the browser's earlier session", async (t) => {
  const { app } = await createTestApp(t);
  const first = (await call(app, { method: 'POST', url: '/api/users/register', payload: good })).json().token;
  const credentials = { email: good.email, password: good.password };
  await call(app, { method: 'POST', url: '/api/users/login', payload: credentials, session: `userToken=${first}` });
  t.equal((await app.inject({ url: '/api/users/verify', headers: { authorization: `Bearer ${first}` } })).statusCode, 401);
});

t.test('the stored hash of a token is not accepted as a token', async (t) => {
  const { app, databaseUrl } = await createTestApp(t);
  await call(app, { method: 'POST', url: '/api/users/register', payload: good });
  const [stored] = await sql<{ id: string }>(databaseUrl, 'select id from session');
  t.equal((await app.inject({ url: '/api/users/verify', headers: { authorization: `Bearer ${stored?.id}` } })).statusCode, 401);
});

t.test('a state change from another site is refused', async (t) => {
  const { app } = await createTestApp(t);
  const post = (headers: Record<string, string>) =>
    app.inject({ method: 'POST', url: '/api/users/login', headers, payload: { email: 'x@gmail.com', password: 'x' } });
  const foreign: Record<string, string>[] = [
    {},
    { origin: 'https://ailleurs.example' },
    { referer: 'https://ailleurs.example/page' },
    { 'sec-fetch-site': 'cross-site' },
    { 'sec-fetch-site': 'same-site', origin: 'http://localhost' },
  ];
  for (const headers of foreign) t.equal((await post(headers)).statusCode, 403, JSON.stringify(headers));
  const own: Record<string, string>[] = [
    { 'sec-fetch-site': 'same-origin' },
    { origin: 'http://localhost:80' },
    { referer: 'http://localhost:80/login' },
  ];
  for (const headers of own) t.equal((await post(headers)).statusCode, 401, JSON.stringify(headers));
});

t.test('without JavaScript the forms show the same faults, keep the typed values, and redirect', async (t) => {
  const { app } = await createTestApp(t);
  const refused = await submit(app, '/api/users/register', { ...good, username: 'ab', suite: '/user/prepa/3' });
  t.equal(refused.statusCode, 400);
  t.match(refused.headers['content-type'], 'text/html');
  t.match(refused.body, 'Le nom d&#x27;utilisateur doit contenir au moins 3 caractères');
  t.match(refused.body, 'value="aicha@gmail.com"');
  t.notMatch(refused.body, 'Concours-2026');

  const registered = await submit(app, '/api/users/register', { ...good, suite: '/user/prepa/3' });
  t.equal(registered.statusCode, 303);
  t.equal(registered.headers.location, '/user/prepa/3');

  const wrong = await submit(app, '/api/users/login', { email: good.email, password: 'Faux-12345' });
  t.equal(wrong.statusCode, 401);
  t.match(wrong.body, 'Email ou mot de passe incorrect');

  const foreign = await submit(app, '/api/users/login', { email: good.email, password: good.password, suite: '//ailleurs.example/' });
  t.equal(foreign.headers.location, '/user/dashboard');
});

t.test('a guarded page redirects a visitor to the sign-in and back, and an ended session to /login', async (t) => {
  const { app } = await createTestApp(t);
  const visitor = await visit(app, '/user/prepa/7?x=1');
  t.equal(visitor.statusCode, 303);
  t.equal(visitor.headers.location, `/?connexion=1&suite=${encodeURIComponent('/user/prepa/7?x=1')}`);

  const ended = await visit(app, '/user/dashboard', 'userToken=inconnu');
  t.equal(ended.statusCode, 303);
  t.match(ended.headers.location, /^\/login\?suite=/);
  t.match(
    ended.cookies.find(({ name }) => name === 'userToken'),
    { value: '' },
  );

  const list = await app.inject({ url: '/inscriptions/user/inscriptions' });
  t.equal(list.statusCode, 401);
  t.equal(list.json().message, 'Veuillez vous connecter pour accéder à vos préparations.');
  const said = list.cookies.map(({ name, value }) => `${name}=${encodeURIComponent(value)}`).join('; ');
  const signIn = await visit(app, '/login', said);
  t.match(signIn.body, 'Veuillez vous connecter pour accéder à vos préparations.', 'the sign-in page shows the reason');
});
