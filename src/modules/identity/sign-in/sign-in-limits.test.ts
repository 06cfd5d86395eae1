// Slow: each test opens a site and signs in until it is refused.
import type { LightMyRequestResponse } from 'fastify';
import t, { type Test } from 'tap';
import { call, createTestApp, type TestApp } from '../../../../test/support/app.ts';
import { onlyLong } from '../../../../test/support/long-form.ts';
import { sql } from '../../../../test/support/sql.ts';
import { ensureDemoAdministrator } from '../administrators/administrator.service.ts';

// A stranger's wrong passwords are limited, and do not lock owners out of their own accounts.

const password = 'Concours-2026!';
const wrong = 'Faux-12345';
const email = 'aicha@gmail.com';
const signInPaths = { learner: '/api/users/login', administrator: '/api/admin/login' };

async function open(t: Test, env: Record<string, string> = {}) {
  const home = await createTestApp(t, env);
  const registered = { username: 'aicha', email, password, confirmPassword: password, connexion: false };
  t.equal((await call(home.app, { method: 'POST', url: '/api/users/register', payload: registered })).statusCode, 201);
  await ensureDemoAdministrator(home.kernel.fork(), home.kernel.context, { username: 'aicha', email, password, role: 'super_admin' });
  return home;
}

interface From {
  address?: string;
  /** The request's Cookie header. */
  device?: string;
  account?: string;
}

const attempt = ({ app }: Pick<TestApp, 'app'>, url: string, password: string, { address = '192.0.2.1', device, account = email }: From) =>
  call(app, { method: 'POST', url, payload: { email: account, password }, remoteAddress: address, ...(device ? { session: device } : {}) });

async function statuses(count: number, ask: () => Promise<LightMyRequestResponse>): Promise<number[]> {
  const found: number[] = [];
  for (let time = 0; time < count; time += 1) found.push((await ask()).statusCode);
  return found;
}

/** Returns the known device's cookie from a sign-in, as the browser sends it back; '' when there is none. */
function deviceOf(answer: LightMyRequestResponse): string {
  const cookie = answer.cookies.find(({ name }) => name === 'deviceToken');
  return cookie ? `deviceToken=${cookie.value}` : '';
}

for (const [kind, url] of Object.entries(signInPaths)) {
  // Both sign-ins use the same limits code: the learners' tests cover all of it, the administrators' tests only the differences.
  const skip = kind === 'administrator' && onlyLong;
  t.test(`${kind}: ten wrong passwords from one network refuse that network, and no other network`, async (t) => {
    const home = await open(t);
    t.strictSame(new Set(await statuses(10, () => attempt(home, url, wrong, {}))), new Set([401]));
    const refused = await attempt(home, url, password, {});
    t.equal(refused.statusCode, 429);
    t.ok(Number(refused.headers['retry-after']) > 0);
    t.equal(
      (await attempt(home, url, password, { address: '198.51.100.7' })).statusCode,
      200,
      'the owner can sign in from another network',
    );
  });

  t.test(`${kind}: a device that has signed in to the account before passes, on the stranger's network too`, async (t) => {
    const home = await open(t, { SIGN_IN_FAILURES_PER_ACCOUNT: '3', SIGN_IN_ATTEMPTS_PER_ADDRESS: '6' });
    const device = deviceOf(await attempt(home, url, password, {}));
    t.same(await statuses(6, () => attempt(home, url, wrong, {})), [401, 401, 401, 429, 429, 429]);
    const known = await attempt(home, url, password, { device });
    t.equal(known.statusCode, 200, 'a known device can sign in despite failures from its network');
    t.equal((await attempt(home, url, password, {})).statusCode, 429, 'the owner is refused without the cookie of the device');
  });

  t.test(`${kind}: guesses from everywhere are bounded for the account, and its known devices pass`, { skip }, async (t) => {
    const home = await open(t, { SIGN_IN_FAILURES_PER_ACCOUNT: '2', SIGN_IN_FAILURES_PER_ACCOUNT_HOUR: '5' });
    const device = deviceOf(await attempt(home, url, password, {}));
    let network = 0;
    const elsewhere = () => {
      network += 1;
      return attempt(home, url, wrong, { address: `198.51.100.${network}` });
    };
    t.same(await statuses(7, elsewhere), [401, 401, 401, 401, 401, 429, 429]);
    t.equal((await attempt(home, url, password, { address: '203.0.113.9' })).statusCode, 429, 'an unknown device is refused');
    t.equal((await attempt(home, url, password, { address: '203.0.113.9', device })).statusCode, 200);
  });

  t.test(`${kind}: more concurrent right sign-ins than allowed failures all succeed`, { skip }, async (t) => {
    const home = await open(t, { SIGN_IN_FAILURES_PER_ACCOUNT: '2' });
    const answers = await Promise.all(Array.from({ length: 12 }, () => attempt(home, url, password, {})));
    t.strictSame(new Set(answers.map(({ statusCode }) => statusCode)), new Set([200]));
  });

  t.test(`${kind}: a refusal gives the time to wait and advice`, async (t) => {
    const home = await open(t, { SIGN_IN_FAILURES_PER_ACCOUNT: '1' });
    const device = deviceOf(await attempt(home, url, password, {}));
    await attempt(home, url, wrong, {});
    const said = async (from: From) => (await attempt(home, url, wrong, from)).json<{ message: string }>().message;
    const unlock = "L'administrateur principal peut débloquer votre compte.";
    const learner = kind === 'learner';
    t.equal(
      await said({}),
      `Trop de tentatives. Réessayez dans 15 min, ou tout de suite depuis votre appareil habituel${learner ? ' ou avec « Mot de passe oublié ».' : `. ${unlock}`}`,
    );
    await said({ device });
    t.equal(
      await said({ device }),
      `Trop de tentatives. Réessayez dans 15 min${learner ? ', ou tout de suite avec « Mot de passe oublié ».' : `. ${unlock}`}`,
    );
  });
}

t.test('all sign-ins of one network are limited, across accounts', async (t) => {
  const home = await open(t, { SIGN_IN_ATTEMPTS_PER_ADDRESS: '3' });
  let account = 0;
  const another = () => {
    account += 1;
    return attempt(home, signInPaths.learner, wrong, { account: `personne${account}@gmail.com` });
  };
  t.same(await statuses(5, another), [401, 401, 401, 429, 429]);
  t.equal(
    (await attempt(home, signInPaths.learner, password, { address: '198.51.100.7' })).statusCode,
    200,
    'another network is not limited',
  );
});

t.test('all addresses of one IPv6 /64 count as one network', async (t) => {
  const home = await open(t, { SIGN_IN_FAILURES_PER_ACCOUNT: '2' });
  const from = (address: string) => attempt(home, signInPaths.learner, wrong, { address });
  t.same([(await from('2001:db8:1:2::1')).statusCode, (await from('2001:db8:1:2:ffff::9')).statusCode], [401, 401]);
  t.equal((await from('2001:db8:1:2:3:4:5:6')).statusCode, 429);
  t.equal((await from('2001:db8:1:3::1')).statusCode, 401, 'the next /64 network is not limited');
});

t.test('an unknown e-mail is refused like a known one', async (t) => {
  const home = await open(t, { SIGN_IN_FAILURES_PER_ACCOUNT: '2' });
  const [known, unknown] = [email, 'personne@gmail.com'];
  for (const account of [known, unknown])
    t.same(await statuses(3, () => attempt(home, signInPaths.learner, wrong, { account })), [401, 401, 429], account);
});

t.test('a known device has its own failure count, with the same limit as a network', async (t) => {
  const home = await open(t, { SIGN_IN_FAILURES_PER_ACCOUNT: '2' });
  const device = deviceOf(await attempt(home, signInPaths.learner, password, {}));
  t.same(await statuses(3, () => attempt(home, signInPaths.learner, wrong, { device })), [401, 401, 429]);
  t.equal(
    (await attempt(home, signInPaths.learner, password, {})).statusCode,
    200,
    'failures of a known device do not count for its network',
  );
});

t.test('a device is known to each account that it has signed in to, learner and administrator separately', async (t) => {
  const home = await open(t, { SIGN_IN_FAILURES_PER_ACCOUNT: '1' });
  const device = deviceOf(await attempt(home, signInPaths.learner, password, {}));
  const other = { username: 'autre', email: 'autre@gmail.com', password, confirmPassword: password };
  await call(home.app, { method: 'POST', url: '/api/users/register', payload: other });
  for (const [url, account] of [
    [signInPaths.learner, other.email],
    [signInPaths.administrator, email],
  ] as const) {
    t.equal((await attempt(home, url, wrong, { account })).statusCode, 401);
    t.equal((await attempt(home, url, password, { account, device })).statusCode, 429, url);
  }
  // Two people share one telephone: each sign-in renews the cookie, and the device stays known to both accounts.
  const elsewhere = { address: '203.0.113.1' };
  const shared = deviceOf(await attempt(home, signInPaths.learner, password, { ...elsewhere, account: other.email, device }));
  t.not(shared, device);
  for (const account of [email, other.email]) await attempt(home, signInPaths.learner, wrong, { ...elsewhere, account });
  const again = deviceOf(await attempt(home, signInPaths.learner, password, { ...elsewhere, device: shared }));
  t.equal((await attempt(home, signInPaths.learner, password, { ...elsewhere, account: other.email, device: again })).statusCode, 200);
  t.equal(
    (await attempt(home, signInPaths.learner, password, { ...elsewhere, device })).statusCode,
    429,
    'the replaced token is no longer known',
  );
});

t.test('the device cookie: HttpOnly, long-lived, random, hashed at rest, kept at sign-out, ten per account', async (t) => {
  const home = await open(t, { PUBLIC_URL: 'https://prepa.example' });
  const { app, databaseUrl } = home;
  const first = await attempt(home, signInPaths.learner, password, {});
  const cookie = first.cookies.find(({ name }) => name === '__Host-deviceToken');
  t.match(cookie, { httpOnly: true, secure: true, sameSite: 'Lax', path: '/' });
  t.ok(Number(cookie?.maxAge) > 300 * 86_400);
  t.match(cookie?.value, /^[\w-]{43}$/);
  const rows = () => sql<{ device: string }>(databaseUrl, 'select device from known_device order by id');
  t.match(await rows(), [{ device: /^[0-9a-f]{64}$/ }]);
  const session = first.cookies.map(({ name, value }) => `${name}=${value}`).join('; ');
  const out = await call(app, { method: 'POST', url: '/api/users/logout', session });
  t.notOk(out.cookies.some(({ name }) => name.endsWith('deviceToken')));
  for (let time = 0; time < 12; time += 1) await attempt(home, signInPaths.learner, password, {});
  t.equal((await rows()).length, 10);
});

t.test('a password change forgets every other device', async (t) => {
  const home = await open(t, { SIGN_IN_FAILURES_PER_ACCOUNT: '1' });
  const { app } = home;
  const thief = deviceOf(await attempt(home, signInPaths.learner, password, {}));
  const signedIn = await attempt(home, signInPaths.learner, password, {});
  const session = signedIn.cookies.map(({ name, value }) => `${name}=${value}`).join('; ');
  const next = 'Nouveau-2027!';
  const payload = { currentPassword: password, password: next, confirmPassword: next };
  const own = deviceOf(await call(app, { method: 'PUT', url: '/api/users/password', payload, session }));
  await attempt(home, signInPaths.learner, wrong, {});
  t.equal((await attempt(home, signInPaths.learner, next, { device: thief })).statusCode, 429);
  t.equal((await attempt(home, signInPaths.learner, next, { device: own })).statusCode, 200);
});

t.test("guesses of the current password in one session do not block the owner's session", async (t) => {
  const home = await open(t, { SIGN_IN_FAILURES_PER_ACCOUNT: '2' });
  const [thief, owner] = [await attempt(home, signInPaths.learner, password, {}), await attempt(home, signInPaths.learner, password, {})];
  const change = (answer: LightMyRequestResponse, currentPassword: string) =>
    call(home.app, {
      method: 'PUT',
      url: '/api/users/password',
      payload: { currentPassword, password: 'Nouveau-2027!', confirmPassword: 'Nouveau-2027!' },
      headers: { authorization: `Bearer ${answer.json().token}` },
    });
  t.same(await statuses(3, () => change(thief, wrong)), [400, 400, 429]);
  t.equal((await change(owner, password)).statusCode, 200);
});
