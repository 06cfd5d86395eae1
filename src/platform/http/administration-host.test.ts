import t from 'tap';
import { createTestApp } from '../../../test/support/app.ts';
import {
  createAdministrator,
  createDiscipline,
  createEnrolment,
  createItem,
  createLearner,
  createPrepa,
} from '../../../test/support/factories.ts';
import { sql } from '../../../test/support/sql.ts';

// Tests the two hosts: which host serves a page, and which pages may run the provider's script.

const provider = 'https://pay.example';
const env = { PUBLIC_URL: 'https://prepa.example', ZITOPAY_BASE_URL: provider };
const hosts = { learners: 'prepa.example', administration: 'admin.prepa.example' } as const;
const site = await createTestApp(t, { ...env, ADMIN_URL: 'https://admin.prepa.example' });
const { app } = site;
const prepa = await createPrepa(site);
const discipline = await createDiscipline(site, prepa.id);
const item = await createItem(site, discipline.id);
const [learner, administrator] = [await createLearner(site), await createAdministrator(site, 'super_admin')];
await createEnrolment(site, learner, prepa);

// Over HTTPS, cookie names have a prefix.
const cookies = { administration: `__Host-${administrator.session}`, learners: learner.session };

const ask = (host: keyof typeof hosts, url: string, { cookie = '', accept = 'text/html', ...rest }: Record<string, string> = {}) =>
  app.inject({ url, headers: { host: hosts[host], accept, ...(cookie && { cookie }), ...rest } });

t.test('each page is served on its host, and the other host redirects to it', async (t) => {
  const pages = {
    administration: ['/admin/dashboard', '/admin/paiements?etat=pending', '/api/docs'],
    learners: ['/user/dashboard', `/user/prepa/${prepa.id}`, '/login?suite=%2F'],
  };
  for (const [side, other] of [
    ['administration', 'learners'],
    ['learners', 'administration'],
  ] as const) {
    for (const url of pages[side]) {
      t.ok([200, 303].includes((await ask(side, url, { cookie: cookies[side] })).statusCode), url);
      const sentOn = await ask(other, url, { cookie: cookies[side] });
      t.match([sentOn.statusCode, sentOn.headers.location], [302, `https://${hosts[side]}${url}`], `the other host redirects ${url}`);
      t.match(sentOn.headers['cache-control'], 'no-store');
    }
  }
  const signIn = await ask('administration', '/admin/connexion');
  t.equal(signIn.statusCode, 200);
  t.match(signIn.body, 'href="https://prepa.example/"', 'the sign-in page links to the site');
  t.equal((await ask('administration', '/')).headers.location, 'https://admin.prepa.example/admin/dashboard');
  t.equal((await ask('learners', '/')).statusCode, 200);
  t.equal((await ask('learners', '/', { host: '[not a host' })).statusCode, 200, 'an invalid Host header causes no error');
});

t.test('API calls give 404 on the other host, and shared routes are served on both hosts', async (t) => {
  const post = (host: keyof typeof hosts, url: string, headers: Record<string, string> = {}) =>
    app.inject({
      method: 'POST',
      url,
      headers: { host: hosts[host], accept: 'application/json', 'sec-fetch-site': 'same-origin', ...headers },
      payload: {},
    });
  const admin = { cookie: cookies.administration };
  t.equal((await post('administration', '/api/lecons', admin)).statusCode, 400, 'the API call reaches its handler');
  t.equal((await post('learners', '/api/lecons', admin)).statusCode, 404);
  t.equal((await post('learners', '/lecons', admin)).statusCode, 404);
  t.equal((await post('learners', '/api/admin/login')).statusCode, 404);
  t.equal((await post('administration', '/api/admin/login')).statusCode, 400);
  t.equal((await post('learners', '/api/users/login')).statusCode, 400);
  t.equal((await post('administration', '/api/users/login')).statusCode, 404);
  const json = { accept: 'application/json' };
  t.equal((await ask('learners', '/api/prepas', { ...json, ...admin })).statusCode, 404);
  for (const host of ['learners', 'administration'] as const) {
    t.equal((await ask(host, `/api/lecons/${item.id}`, json)).statusCode, 200);
    t.equal((await ask(host, '/healthz')).statusCode, 200);
    t.equal((await ask(host, '/favicon.svg')).statusCode, 200);
    t.equal((await ask(host, '/nulle-part')).statusCode, 404);
  }
});

t.test("accepts changes only from the same host's pages", async (t) => {
  const change = async (host: keyof typeof hosts, headers: Record<string, string>) => {
    const url = host === 'learners' ? '/api/users/logout' : '/api/admin/logout';
    return (await app.inject({ method: 'POST', url, headers: { host: hosts[host], ...headers } })).statusCode;
  };
  t.equal(await change('administration', { origin: 'https://admin.prepa.example' }), 200);
  t.equal(
    await change('administration', { origin: 'https://prepa.example' }),
    403,
    "a change from the host with the provider's script is refused",
  );
  t.equal(await change('administration', { 'sec-fetch-site': 'same-site', origin: 'https://prepa.example' }), 403);
  t.equal(await change('learners', { origin: 'https://prepa.example' }), 200);
  t.equal(await change('learners', { origin: 'https://admin.prepa.example' }), 403);
});

t.test('cookies are limited to the host that sets them', async (t) => {
  const headers = { host: hosts.administration, 'sec-fetch-site': 'same-origin', cookie: cookies.administration };
  const answer = await app.inject({ method: 'POST', url: '/api/admin/logout', headers });
  const set = [answer.headers['set-cookie'] ?? []].flat();
  t.ok(set.some((cookie) => cookie.startsWith('__Host-adminToken=')));
  for (const cookie of set) t.notMatch(cookie, /domain=/i);
});

t.test('a sign-out leads to the sign-in page without a request to sign in', async (t) => {
  const { session } = await createAdministrator(site);
  const leaving = { 'content-type': 'application/x-www-form-urlencoded', 'sec-fetch-site': 'same-origin', cookie: `__Host-${session}` };
  const headers = { host: hosts.administration, accept: 'text/html', ...leaving };
  const left = await app.inject({ method: 'POST', url: '/api/admin/logout', headers, payload: '' });
  t.match([left.statusCode, left.headers.location], [303, '/admin/connexion']);
  const flash = left.cookies.find(({ name }) => name === '__Host-flash')?.value;
  const { body } = await ask('administration', '/admin/connexion', { cookie: `__Host-flash=${flash}` });
  t.match(body, 'Déconnexion réussie');
  t.notMatch(body, 'Veuillez vous connecter');
});

t.test('a confirmation returns to the previous page, on this host too', async (t) => {
  const boss = await createAdministrator(site, 'super_admin');
  await sql(site.databaseUrl, "update administrator_session set created_at = now() - interval '1 hour' where administrator_id = $1", [
    boss.id,
  ]);
  const referer = 'https://admin.prepa.example/admin/paiements?etat=pending';
  const held = await ask('administration', '/admin/paiements.csv', { cookie: `__Host-${boss.session}`, referer });
  const back = encodeURIComponent('/admin/paiements?etat=pending');
  t.match([held.statusCode, held.headers.location], [303, `/admin/confirmation?suite=${back}`]);
});

t.test("no page of the administration may run the provider's script, not even with one origin", async (t) => {
  const shared = await createTestApp(t, env);
  const policies = async ({ app: asked }: typeof site, host: string, url: string) =>
    String((await asked.inject({ url, headers: { host, accept: 'text/html' } })).headers['content-security-policy']);
  for (const [name, target, host] of [
    ['one origin', shared, hosts.learners],
    ['its own host', site, hosts.administration],
  ] as const) {
    const pages = target.app.routeTable.filter(({ method, url }) => method === 'GET' && /^\/(api\/)?(admin|docs)(\/|$)/.test(url));
    t.ok(pages.length > 10, `at least 11 pages of the administration, but found ${pages.length}`);
    for (const { url } of pages) {
      const policy = await policies(target, host, url.replaceAll(/:\w+/g, '1'));
      t.match(policy, /script-src 'self';/, `${name}: ${url}`);
      t.notMatch(policy, provider, `${name}: ${url}`);
    }
  }
  t.match(
    await policies(site, hosts.learners, '/user/dashboard'),
    `script-src 'self' ${provider}`,
    "learners' pages may run the provider's script",
  );
});

t.test("with the provider's own checkout page, no page runs its script", async (t) => {
  const page = await createTestApp(t, { ...env, ZITOPAY_CHECKOUT: 'page' });
  const { id } = await createPrepa(page);
  const payer = await createLearner(page);
  const dashboard = await page.app.inject({ url: '/user/dashboard', headers: { accept: 'text/html', cookie: payer.session } });
  const policy = String(dashboard.headers['content-security-policy']);
  t.match(policy, /script-src 'self';/);
  t.match(policy, `form-action 'self' ${provider}`);
  t.notMatch(dashboard.body, 'payment.js');
  const started = await page.app.inject({
    method: 'POST',
    url: '/api/payment/start',
    headers: { 'sec-fetch-site': 'same-origin', accept: 'application/json', cookie: payer.session },
    payload: { prepaId: id },
  });
  t.equal(started.statusCode, 200, started.body);
  t.match(started.json(), { redirectUrl: new RegExp(`^${provider}/sci\\?`) });
  t.equal(started.json().widget, undefined);
});
