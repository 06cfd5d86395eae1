import { hashSync } from '@node-rs/argon2';
import t from 'tap';
import { call, createTestApp, type TestApp } from '../../../../test/support/app.ts';
import { sql } from '../../../../test/support/sql.ts';
import { issueKeys } from '../administrators/administration-keys.service.ts';
import { terminal } from './actor.ts';
import { comparisons } from './password.ts';

// The same password and e-mail, as different keyboards, programs and clipboards write them.

const home = await createTestApp(t, { SIGN_IN_FAILURES_PER_ACCOUNT: '100' });
const { app, databaseUrl } = home;
const composed = 'Réussite-2026!';
const decomposed = composed.normalize('NFD');
let people = 0;

interface Kind {
  table: string;
  login: string;
  register(password: string, confirmPassword: string, email?: string): ReturnType<typeof call>;
}

async function register(url: string, more: object, password: string, confirmPassword: string, email = `aicha${people}@gmail.com`) {
  people += 1;
  return call(app, { method: 'POST', url, payload: { username: `aicha_${people}`, email, password, confirmPassword, ...more } });
}

const keys = ({ kernel }: TestApp) => issueKeys(kernel.fork(), kernel.context, terminal, { role: 'admin' });
const kinds: Kind[] = [
  {
    table: 'app_user',
    login: '/api/users/login',
    register: (...form) => register('/api/users/register', {}, ...form),
  },
  {
    table: 'administrator',
    login: '/api/admin/login',
    register: async (...form) => register('/api/admin/register', { ...(await keys(home)), role: 'admin' }, ...form),
  },
];

for (const { table, login, register } of kinds) {
  const signIn = async (email: string, password: string) =>
    (await call(app, { method: 'POST', url: login, payload: { email, password } })).statusCode;

  t.test(`${table}: a password matches in composed and decomposed form`, async (t) => {
    for (const [set, confirmed] of [
      [composed, decomposed],
      [decomposed, composed],
    ] as const) {
      const email = `aicha${people}@gmail.com`;
      t.equal((await register(set, confirmed, email)).statusCode, 201);
      for (const typed of [composed, decomposed]) t.equal(await signIn(email, typed), 200);
      t.equal(await signIn(email, 'Reussite-2026!'), 401);
    }
  });

  t.test(`${table}: a password hashed as typed by an earlier release works, with as much work as a wrong password`, async (t) => {
    const email = `aicha${people}@gmail.com`;
    await register(composed, composed, email);
    await sql(databaseUrl, `update ${table} set password_hash = $1 where email = $2`, [hashSync(decomposed), email]);
    t.equal(await signIn(email, decomposed), 200);
    t.equal(await signIn(email, composed), 401, 'another Unicode form of the password is still refused');
    const cost = async (of: string, typed: string) => {
      const before = comparisons();
      t.equal(await signIn(of, typed), 401);
      return comparisons() - before;
    };
    const wrong = 'Échec-2026!'.normalize('NFD');
    t.equal(await cost(email, wrong), await cost('personne@gmail.com', wrong));
  });

  t.test(`${table}: at most 100 visible characters, and no NUL`, async (t) => {
    const long = `Aa1!${'é'.repeat(96)}`.normalize('NFD');
    const email = `aicha${people}@gmail.com`;
    t.equal((await register(long, long, email)).statusCode, 201);
    t.equal(await signIn(email, long), 200);
    const refused = await register('Concours\0-2026!', 'Concours\0-2026!');
    t.equal(refused.statusCode, 400);
    t.same(refused.json().errors, [
      { field: 'password', message: 'Le mot de passe contient un caractère qui ne peut pas être enregistré' },
    ]);
  });

  t.test(`${table}: blanks around a pasted e-mail are ignored`, async (t) => {
    for (const [before, after] of [
      ['\u200b', '\u200b'],
      ['\ufeff', '\u2060'],
      ['\u202a', '\u202c'],
      ['\u00a0\u200e ', ' \u00ad\u202f'],
    ]) {
      const email = `aicha${people}@gmail.com`;
      t.equal((await register(composed, composed, `${before}${email}${after}`)).statusCode, 201);
      t.same(await sql(databaseUrl, `select email from ${table} where email = $1`, [email]), [{ email }]);
      t.equal(await signIn(`${after}${email}${before}`, composed), 200);
    }
    t.equal((await register(composed, composed, 'aicha\u200b.x@gmail.com')).statusCode, 400, 'a blank inside the e-mail is a fault');
  });
}

t.test("administrators' confirmations and both password changes accept composed and decomposed passwords", async (t) => {
  const other = 'Épreuve-2027!';
  for (const { table, login, register } of kinds) {
    const email = `aicha${people}@gmail.com`;
    await register(composed, composed, email);
    const signedIn = (await call(app, { method: 'POST', url: login, payload: { email, password: composed } })).json();
    const session = table === 'app_user' ? `userToken=${signedIn.token}` : `adminToken=${signedIn.token}`;
    const change = (currentPassword: string) => {
      const payload = { currentPassword, password: other.normalize('NFD'), confirmPassword: other };
      return table === 'app_user'
        ? call(app, { method: 'PUT', url: '/api/users/password', payload, session })
        : call(app, { method: 'POST', url: '/admin/compte/mot-de-passe', payload, session });
    };
    t.ok((await change(decomposed)).statusCode < 400, table);
    const again = await call(app, { method: 'POST', url: login, payload: { email, password: other } });
    t.equal(again.statusCode, 200, table);
  }
});

t.test('the scheme name Bearer is case-insensitive', async (t) => {
  const { token } = (await register('/api/users/register', {}, composed, composed)).json();
  for (const scheme of ['Bearer', 'bearer', 'BEARER']) {
    const headers = { authorization: `${scheme} ${token}` };
    t.equal((await app.inject({ url: '/api/users/verify', headers })).statusCode, 200, scheme);
    const changed = await app.inject({ method: 'PUT', url: '/api/users/profile', headers, payload: { username: 'a' } });
    t.equal(changed.statusCode, 400, `${scheme}: a change is judged, not refused as a foreign page's`);
  }
  t.equal((await app.inject({ url: '/api/users/verify', headers: { authorization: `bearer${token}` } })).statusCode, 401);
});
