import { createHash } from 'node:crypto';
import t from 'tap';
import { createTestApp, visit } from '../../../test/support/app.ts';
import { createAdministrator, createDiscipline, createLearner, createPrepa } from '../../../test/support/factories.ts';

const home = await createTestApp(t, { PUBLIC_URL: 'https://prepa.example', ZITOPAY_BASE_URL: 'https://pay.example' });
const { app } = home;

t.test('accepts state changes only from our own pages', async (t) => {
  const signOut = async (headers: Record<string, string>) =>
    (await app.inject({ method: 'POST', url: '/api/users/logout', headers })).statusCode;
  const own: Record<string, string>[] = [
    { 'sec-fetch-site': 'same-origin' },
    { origin: 'https://prepa.example' },
    { referer: 'https://prepa.example/user/dashboard' },
    { authorization: 'Bearer abc' },
  ];
  for (const headers of own) t.equal(await signOut(headers), 200, JSON.stringify(headers));
  const foreign: Record<string, string>[] = [
    {},
    { 'sec-fetch-site': 'cross-site', origin: 'https://prepa.example' },
    { 'sec-fetch-site': 'same-site' },
    { 'sec-fetch-site': 'none' },
    { origin: 'https://prepa.example.evil.cm' },
    { origin: 'https://evil.cm', referer: 'https://prepa.example/' },
    { origin: 'null' },
    { referer: 'https://evil.cm/?https://prepa.example' },
    // The origin is that of PUBLIC_URL, whatever the Host header says.
    { host: 'evil.cm', origin: 'https://evil.cm' },
    { 'x-forwarded-host': 'evil.cm', origin: 'https://evil.cm' },
    { authorization: 'Basic abc' },
  ];
  for (const headers of foreign) t.equal(await signOut(headers), 403, JSON.stringify(headers));
  const refused = await app.inject({ method: 'POST', url: '/api/users/logout' });
  t.same(refused.json(), { message: "Cette action doit venir d'une page du site. Rechargez la page et réessayez." });
});

t.test("every route that changes something checks the origin, except the provider's", async (t) => {
  const open = [];
  for (const { method, url } of app.routeTable.filter((route) => !['GET', 'HEAD', 'OPTIONS'].includes(route.method))) {
    const { statusCode } = await app.inject({
      method: method as 'POST',
      url: url.replace(':provider', 'zitopay').replaceAll(/:\w+/g, '1'),
      headers: { 'sec-fetch-site': 'cross-site' },
    });
    if (statusCode !== 403) open.push(url);
  }
  // Mail providers post to the address of an unsubscription, which its token authorises (RFC 8058).
  t.same(open.sort(), ['/api/payment/:provider/notification', '/cancel', '/lettres/:token', '/payment/:provider/notification', '/success']);
});

t.test('refuses a state change with an invalid Host header, without an error', async (t) => {
  const plain = await createTestApp(t);
  for (const host of ['a b', '[', '%', 'x'.repeat(5000)]) {
    const answer = await plain.app.inject({ method: 'POST', url: '/api/users/logout', headers: { host, origin: 'https://evil.cm' } });
    t.equal(answer.statusCode, 403, host.slice(0, 10));
  }
});

t.test('a strict policy: nothing inline except one style by its hash, and no framing by other sites', async (t) => {
  const { headers, body } = await visit(app, '/');
  const style = /<style>([^<]*)<\/style>/.exec(body)?.[1] ?? '';
  const policy = Object.fromEntries(
    String(headers['content-security-policy'])
      .split('; ')
      .map((part) => part.split(/ (.*)/s).slice(0, 2)),
  );
  t.match(policy, {
    'default-src': "'none'",
    'script-src': "'self'",
    'style-src': `'self' 'sha256-${createHash('sha256').update(style).digest('base64')}'`,
    'base-uri': "'none'",
    'frame-ancestors': "'none'",
    'form-action': "'self'",
  });
  t.notMatch(String(headers['content-security-policy']), 'unsafe');
  t.notMatch(body.replace('<style>', ''), /<script(?![^>]* src=)|<style|style=|javascript:| on[a-z]+="/);
  t.match(headers, {
    'x-content-type-options': 'nosniff',
    'referrer-policy': 'same-origin',
    'strict-transport-security': 'max-age=31536000',
    'cross-origin-opener-policy': 'same-origin',
  });
});

t.test("the provider's script and frame are allowed on payment pages only", async (t) => {
  const { session } = await createLearner(home);
  const prepa = await createPrepa(home);
  for (const url of ['/user/dashboard', `/user/prepa/consultation/${prepa.id}`]) {
    const policy = String((await visit(app, url, session)).headers['content-security-policy']);
    t.match(policy, /script-src 'self' https:\/\/pay\.example/, url);
    t.match(policy, 'frame-src https://pay.example', url);
  }
  for (const url of ['/', '/login', '/absente'])
    t.notMatch(String((await visit(app, url)).headers['content-security-policy']), 'pay.example', url);
});

t.test('the policy depends on the providers: one with its own checkout page gets no script', async (t) => {
  const origins = { ZITOPAY_BASE_URL: 'https://zito.example', NOTCHPAY_CHECKOUT_ORIGIN: 'https://notch.example' };
  const policyWith = async (providers: string) => {
    const chosen = await createTestApp(t, { ...origins, PAYMENT_PROVIDERS: providers });
    const { session } = await createLearner(chosen);
    const policy = String((await visit(chosen.app, '/user/dashboard', session)).headers['content-security-policy']);
    return (directive: string) => policy.split('; ').find((part) => part.startsWith(`${directive} `));
  };
  const both = await policyWith('zitopay,notchpay');
  t.equal(both('script-src'), "script-src 'self' https://zito.example");
  t.equal(both('frame-src'), 'frame-src https://zito.example');
  t.equal(both('form-action'), "form-action 'self' https://zito.example https://notch.example");
  const notchpay = await policyWith('notchpay');
  t.equal(notchpay('script-src'), "script-src 'self'");
  t.equal(notchpay('frame-src'), undefined);
  t.equal(notchpay('form-action'), "form-action 'self' https://notch.example");
});

t.test("allows authors' pictures and videos only on pages that show their texts", async (t) => {
  const discipline = await createDiscipline(home);
  const administrator = await createAdministrator(home);
  const policyOf = async (url: string, session?: string) => String((await visit(app, url, session)).headers['content-security-policy']);
  for (const url of [`/user/prepa/consultation/${discipline.prepaId}/${discipline.id}`, `/admin/discipline/${discipline.id}`]) {
    const policy = await policyOf(url, administrator.session);
    t.match(policy, /frame-src [^;]*https:\/\/www\.youtube-nocookie\.com https:\/\/player\.vimeo\.com/, url);
    t.match(policy, /img-src [^;]* http:/, url);
    t.match(policy, 'media-src https:', url);
  }
  t.notMatch(await policyOf('/'), /youtube|vimeo|media-src|http:/);
});

t.test('cookies are Secure behind HTTPS, but not on plain HTTP', async (t) => {
  const form = { email: 'cookie@gmail.com', username: 'cookie', password: 'Concours-2026', confirmPassword: 'Concours-2026' };
  const register = (target: typeof app) =>
    target.inject({ method: 'POST', url: '/api/users/register', headers: { 'sec-fetch-site': 'same-origin' }, payload: form });
  t.match(
    (await register(app)).cookies.find(({ name }) => name === '__Host-userToken'),
    { secure: true, httpOnly: true, sameSite: 'Lax' },
  );
  const plain = await createTestApp(t);
  const answer = await register(plain.app);
  t.notOk(answer.cookies.find(({ name }) => name === 'userToken')?.secure);
  t.notOk('strict-transport-security' in answer.headers);
  t.equal((await visit(app, '/')).headers['strict-transport-security'], 'max-age=31536000');
  const below = await createTestApp(t, { PUBLIC_URL: 'https://prepa.example', HSTS_SUBDOMAINS: 'on' });
  t.equal((await visit(below.app, '/')).headers['strict-transport-security'], 'max-age=31536000; includeSubDomains');
});
