import type { LightMyRequestResponse } from 'fastify';
import t from 'tap';
import { asWritten, call, createTestApp, submit, visit } from '../../../../test/support/app.ts';
import { createDiscipline, createItem, createLearner } from '../../../../test/support/factories.ts';
import { sql } from '../../../../test/support/sql.ts';
import { dayMs } from '../../../shared/dates.ts';
import { hashToken } from '../accounts/token.ts';

// The ends of learners' sessions, and the reasons shown on their devices.

const home = await createTestApp(t, { SESSIONS_PER_LEARNER: '5' });
const { app, clock, databaseUrl } = home;
const password = 'Concours-2026';
let accounts = 0;

async function register() {
  accounts += 1;
  const account = { username: `bella_${accounts}`, email: `bella${accounts}@gmail.com` };
  const answer = await call(app, {
    method: 'POST',
    url: '/api/users/register',
    payload: { ...account, password, confirmPassword: password },
  });
  return { ...account, id: answer.json().user.id as string, token: answer.json().token as string };
}
const signIn = async (email: string): Promise<string> =>
  (await call(app, { method: 'POST', url: '/api/users/login', payload: { email, password } })).json().token;
const verify = (token: string) => app.inject({ url: '/api/users/verify', headers: { authorization: `Bearer ${token}` } });
const areOpen = async (tokens: string[]) => Promise.all(tokens.map(async (token) => (await verify(token)).statusCode === 200));
const openCount = async (id: string) =>
  (await sql(databaseUrl, 'select id from session where user_id = $1 and expires_at > $2', [id, clock.now()])).length;
const flashOf = (answer: LightMyRequestResponse) => answer.cookies.find(({ name }) => name === 'flash')?.value ?? '';

const crowded =
  "Votre session a été fermée parce que votre compte a été utilisé sur un autre appareil : le nombre d'appareils connectés est limité.";

t.test('a sixth device ends the session used least recently', async (t) => {
  const { email, id, token } = await register();
  const tokens = [token];
  for (let device = 2; device <= 5; device += 1) {
    clock.advance(1_000);
    tokens.push(await signIn(email));
  }
  clock.advance(2 * dayMs);
  t.same(await areOpen([token]), [true], 'the first session is open and is used now');
  tokens.push(await signIn(email));
  t.same(await areOpen(tokens), [true, false, true, true, true, true]);
  t.equal(await openCount(id), 5);

  const ended = tokens[1] ?? '';
  const refused = await verify(ended);
  t.match(refused, { statusCode: 401 });
  t.match(refused.json(), { expired: true });
  t.ok(refused.json().message.startsWith(crowded));
  t.equal((await verify('inconnu')).json().message, 'Session expirée. Veuillez vous reconnecter.');
});

t.test("signing in again on a signed-in device does not end another device's session", async (t) => {
  const { email, token } = await register();
  const tokens = [token];
  for (let device = 2; device <= 5; device += 1) {
    clock.advance(1_000);
    tokens.push(await signIn(email));
  }
  const again = { method: 'POST', url: '/api/users/login', payload: { email, password }, session: `userToken=${tokens[4]}` } as const;
  tokens.push((await call(app, again)).json().token);
  t.same(await areOpen(tokens), [true, true, true, true, false, true]);
});

t.test('concurrent sign-ins never leave more sessions than allowed', async (t) => {
  const { email, id } = await register();
  for (let device = 2; device <= 4; device += 1) await signIn(email);
  await Promise.all([1, 2, 3].map(() => signIn(email)));
  t.equal(await openCount(id), 5);
});

t.test('a device shows the reason once, on any page', async (t) => {
  for (const url of ['/', '/user/dashboard', '/user/profil']) {
    const { token, email } = await register();
    clock.advance(1_000);
    const others = [await signIn(email), await signIn(email), await signIn(email), await signIn(email), await signIn(email)];
    t.equal(others.length, 5);
    const first = await visit(app, url, `userToken=${token}`);
    t.match(
      first.cookies.find(({ name }) => name === 'userToken'),
      { value: '' },
      url,
    );
    // A guarded page redirects to the sign-in, which shows the reason.
    const told = first.statusCode === 303 ? await visit(app, first.headers.location ?? '', `flash=${flashOf(first)}`) : first;
    t.match(asWritten(told.body).replaceAll('&#39;', "'"), crowded, url);
    t.notMatch((await visit(app, '/')).body, 'Votre session a été fermée');
  }
});

t.test('a session ended from another device: only that session ends, and its device shows the reason', async (t) => {
  const { email, token } = await register();
  const stolen = await signIn(email);
  const page = (await visit(app, '/user/profil', `userToken=${token}`)).body;
  t.match(asWritten(page), 'Dernière utilisation : aujourd&#39;hui');
  const [, id] = /sessions\/([0-9a-f]{16})\/terminer/.exec(page) ?? [];
  t.equal((await submit(app, `/user/profil/sessions/${id}/terminer`, {}, `userToken=${token}`)).statusCode, 303);
  t.same(await areOpen([token, stolen]), [true, false]);
  t.match((await verify(stolen)).json(), { expired: true, message: /^Votre session a été fermée depuis un autre appareil/ });
  // A concurrent use of the session does not revive it.
  await sql(databaseUrl, "update session set created_at = created_at - interval '2 days' where ended is not null");
  t.same(await areOpen([stolen]), [false]);
});

t.test('a call on a shared route returns the reason too, and the sign-in shows no other message', async (t) => {
  const { email, token } = await register();
  const elsewhere = await signIn(email);
  await call(app, { method: 'DELETE', url: '/api/users/sessions', session: `userToken=${token}` });
  const discipline = await createDiscipline(home);
  const paid = await createItem(home, discipline.id, { numeroPage: 2 });
  const refused = await call(app, { url: `/api/lecons/${paid.id}`, session: `userToken=${elsewhere}` });
  t.equal(refused.statusCode, 401);
  t.match(refused.json(), { expired: true, message: /^Votre session a été fermée depuis un autre appareil/ });
  const told = await visit(app, '/login', `userToken=${elsewhere}; flash=${flashOf(refused)}`);
  t.notMatch(told.body, 'Session expirée');
});

t.test('after a password change the other devices show the reason', async (t) => {
  const { email, token } = await register();
  const elsewhere = await signIn(email);
  const payload = { currentPassword: password, password: 'Nouveau-2027!', confirmPassword: 'Nouveau-2027!' };
  t.equal((await call(app, { method: 'PUT', url: '/api/users/password', payload, session: `userToken=${token}` })).statusCode, 200);
  t.match((await verify(elsewhere)).json().message, 'le mot de passe de votre compte a été changé');
});

t.test('a session ends 180 days after the sign-in despite use, and uses are recorded once a day', async (t) => {
  const { token, session } = await createLearner(home);
  const started = clock.now().getTime();
  const row = async () =>
    (
      await sql<{ used_at: Date | null; expires_at: Date }>(databaseUrl, 'select used_at, expires_at from session where id = $1', [
        hashToken(token),
      ])
    )[0];
  t.equal((await verify(token)).statusCode, 200);
  t.equal((await row())?.used_at, null, 'a use on the first day is not recorded');
  for (let day = 25; day < 180; day += 25) {
    clock.advance(25 * dayMs);
    const page = await visit(app, '/', session);
    t.ok(
      page.cookies.some(({ name }) => name === 'userToken'),
      `day ${day}`,
    );
    t.equal(Number((await row())?.used_at), clock.now().getTime());
    t.equal(Number((await row())?.expires_at), Math.min(started + 180 * dayMs, clock.now().getTime() + 30 * dayMs));
    t.notOk(
      (await visit(app, '/', session)).cookies.some(({ name }) => name === 'userToken'),
      'the cookie is not renewed twice a day',
    );
  }
  clock.advance(started + 180 * dayMs - clock.now().getTime());
  t.match((await verify(token)).json(), { expired: true, message: 'Session expirée. Veuillez vous reconnecter.' });
});

t.test('a session older than the longest lifetime ends at its next use', async (t) => {
  const { token } = await createLearner(home);
  await sql(databaseUrl, "update session set created_at = created_at - interval '200 days' where id = $1", [hashToken(token)]);
  t.same(await areOpen([token, token]), [false, false]);
});

t.test("over TLS cookies have the __Host- prefix, and only a learner's cookie with the old name is renamed", async (t) => {
  const secure = await createTestApp(t, { PUBLIC_URL: 'https://prepa.example' });
  const { token } = await createLearner(secure);
  const moved = await visit(secure.app, '/user/dashboard', `userToken=${token}`);
  t.equal(moved.statusCode, 200);
  t.match(
    moved.cookies.filter(({ name }) => name.endsWith('userToken') || name.endsWith('Token')),
    [
      { name: '__Host-userToken', value: token, secure: true, httpOnly: true, sameSite: 'Lax', path: '/', domain: undefined },
      { name: 'userToken', value: '' },
    ],
  );
  const after = await visit(secure.app, '/user/dashboard', `__Host-userToken=${token}`);
  t.equal(after.statusCode, 200);
  t.notOk(after.cookies.some(({ name }) => name.endsWith('userToken')));
  const planted = await visit(secure.app, '/user/dashboard', `userToken=autre; __Host-userToken=${token}`);
  t.equal(planted.statusCode, 200, 'a planted cookie is ignored');
  const out = await submit(secure.app, '/api/users/logout', {}, `userToken=autre; __Host-userToken=${token}`);
  t.same(
    out.cookies.filter(({ name }) => name.endsWith('userToken')).map(({ name, value, secure }) => [name, value, secure]),
    [
      ['__Host-userToken', '', true],
      ['userToken', '', true],
    ],
  );
});

t.test('a read-only database cannot record a use, but refuses no request', async (t) => {
  const readOnly = await createTestApp(t);
  const { session } = await createLearner(readOnly);
  readOnly.clock.advance(2 * dayMs);
  const database = new URL(readOnly.databaseUrl).pathname.slice(1);
  const disconnect =
    'select pg_terminate_backend(pid) from pg_stat_activity where datname = current_database() and pid <> pg_backend_pid()';
  await sql(readOnly.databaseUrl, `alter database ${database} set default_transaction_read_only = on`);
  await sql(readOnly.databaseUrl, disconnect);
  const answers = [];
  for (let time = 0; time < 3; time += 1) answers.push(await call(readOnly.app, { url: '/api/users/verify', session }));
  t.equal(answers.at(-1)?.statusCode, 200);
  t.notOk(answers.at(-1)?.cookies.some(({ name }) => name === 'userToken'));
});
