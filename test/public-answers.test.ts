// Slow: every route is requested in several formats.
import { mkdtempSync, readdirSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import t from 'tap';
import { Session } from '../src/modules/identity/index.ts';
import { createTestApp } from './support/app.ts';
import {
  createAdministrator,
  createDiscipline,
  createDocument,
  createEnrolment,
  createItem,
  createLearner,
  createPrepa,
} from './support/factories.ts';
import { isLongForm } from './support/long-form.ts';
import { addressOf } from './support/route-address.ts';
import { statementsDuring } from './support/statements.ts';

// Responses that a shared cache may store are served to other visitors: they must have no cookie, and must not depend on a session.

const dataDir = mkdtempSync(join(tmpdir(), 'prepa-public-'));
const site = await createTestApp(t, {
  DATA_DIR: dataDir,
  ZITOPAY_BASE_URL: 'http://127.0.0.1:9',
  METRICS_TOKEN: 'a-token-of-this-test',
  SIGN_IN_ATTEMPTS_PER_ADDRESS: '1000000',
  REGISTRATIONS_PER_ADDRESS_HOUR: '1000000',
  ADMIN_KEY_FAILURES_PER_ADDRESS: '100000',
});
const { app, kernel, clock } = site;

const image = `${'a'.repeat(64)}.webp`;
await kernel.context.files.write(`covers/${image}`, Buffer.from('a picture'));
const script = readdirSync(join(dataDir, 'assets')).find((name) => name.endsWith('.js'));
const files = [`/media/covers/${image}`, `/assets/${script}`, '/favicon.svg'];
const sameForAll = [
  ...files,
  '/robots.txt',
  '/sitemap.xml',
  '/.well-known/security.txt',
  '/healthz',
  '/readyz',
  '/metrics',
  '/prepas/published',
  '/api/prepas/published',
];

const prepa = await createPrepa(site);
const discipline = await createDiscipline(site, prepa.id);
const item = await createItem(site, discipline.id);
const document = await createDocument(site, item.id);
const [learner, administrator] = [await createLearner(site), await createAdministrator(site, 'super_admin')];
await createEnrolment(site, learner, prepa);
const ids = { prepa: prepa.id, discipline: discipline.id, item: item.id, document: document.id, administrator: administrator.id };

/** Makes the session due for renewal: the next page that reads it extends it to 30 days and sends a new cookie. */
const dueForRenewal = () =>
  kernel.fork().nativeUpdate(Session, { user: learner.id }, { expiresAt: new Date(clock.now().getTime() + 5 * 86_400_000) });

const flash = `flash=${Buffer.from(JSON.stringify([{ kind: 'info', message: 'Bonjour' }])).toString('base64url')}`;
const viewers = {
  learner: `${learner.session}; ${flash}`,
  administrator: `${administrator.session}; ${flash}`,
  both: `${learner.session}; ${administrator.session}; ${flash}`,
  stranger: `userToken=${'f'.repeat(40)}; adminToken=${'f'.repeat(40)}; ${flash}`,
};

async function ask(method: string, url: string, cookie: string, headers: Record<string, string> = {}) {
  await dueForRenewal();
  const { headers: answered, statusCode } = await app.inject({
    method: method as 'GET',
    url,
    headers: { 'sec-fetch-site': 'same-origin', cookie, ...headers },
  });
  const control = String(answered['cache-control'] ?? '');
  return { statusCode, cookies: [answered['set-cookie'] ?? []].flat(), control, kept: !/\b(private|no-store)\b/.test(control) };
}

t.test('no cacheable response of any route has a cookie', async (t) => {
  const answers = { kept: 0, withCookie: 0 };
  const addresses = app.routeTable
    // A logout would end the fixture's sessions.
    .filter(({ url }) => !url.endsWith('/logout'))
    .map(({ method, url }) => ({ method, url: addressOf(method, url, ids) }));
  const all = [...addresses, ...files.map((file) => ({ method: 'GET', url: file }))];
  for (const [place, { method, url }] of all.entries()) {
    for (const [turn, [viewer, cookie]] of Object.entries(viewers).entries()) {
      const kinds = ['text/html', 'application/json'] as const;
      // Each viewer requests one of the two formats, and the other one on the next route; the long form requests both.
      for (const accept of isLongForm ? kinds : [kinds[(place + turn) % 2] as string]) {
        const { cookies, control, kept } = await ask(method, url, cookie, { accept });
        if (kept) answers.kept += 1;
        if (cookies.length > 0) answers.withCookie += 1;
        t.notOk(kept && cookies.length > 0, `${method} ${url} as ${viewer}, ${accept}: « ${control} » with ${cookies.length} cookie(s)`);
      }
    }
  }
  t.ok(answers.kept > 20, `${answers.kept} responses may be stored by shared caches`);
  t.ok(answers.withCookie > 20, `${answers.withCookie} responses set a cookie`);
});

t.test('every response has a content type and is closed to pages of other sites', async (t) => {
  const types = new Set<string>();
  for (const { method, url } of app.routeTable.filter((route) => !route.url.endsWith('/logout'))) {
    const { headers, body } = await app.inject({
      method: method as 'GET',
      url: addressOf(method, url, ids),
      headers: { 'sec-fetch-site': 'same-origin', origin: 'https://ailleurs.example', cookie: viewers.both, accept: 'text/html' },
    });
    const type = String(headers['content-type'] ?? '');
    const shared = Object.keys(headers).filter((name) => name.startsWith('access-control-'));
    if (body && (!type || (/^text\/|json|xml/.test(type) && !/^application\/json$|charset=utf-8/i.test(type))))
      t.fail(`${method} ${url}: ${type}`);
    if (shared.length > 0) t.fail(`${method} ${url}: ${shared}`);
    if (headers['x-content-type-options'] !== 'nosniff') t.fail(`${method} ${url}: a browser may guess`);
    const isForAll = sameForAll.includes(url) || /^\/(assets|media)\/|\/contenu$/.test(url);
    if (headers['cache-control'] === undefined && !isForAll) t.fail(`${method} ${url}: a shared cache may keep it`);
    types.add(type);
  }
  t.ok(types.size >= 5, [...types].join(', '));
});

t.test('immutable files come without a cookie, also as 304 and as a range', async (t) => {
  for (const file of files) {
    for (const headers of [{}, { range: 'bytes=0-3' }, { 'if-none-match': '*' }] as Record<string, string>[]) {
      const { statusCode, cookies, control } = await ask('GET', file, viewers.both, headers);
      t.ok(statusCode < 400, `${file} ${JSON.stringify(headers)}: ${statusCode}`);
      t.match(control, /^public, max-age=\d+/);
      t.same(cookies, [], `${file} ${JSON.stringify(headers)}`);
    }
    t.same((await ask('HEAD', file, viewers.both)).cookies, [], `HEAD ${file}`);
  }
});

t.test('no session is looked up where the response is the same for all', async (t) => {
  const missing = ['/media/covers/nothing.webp', '/assets/nothing.js'];
  for (const url of [...sameForAll, ...missing]) {
    for (const headers of [{ cookie: viewers.both }, { authorization: `Bearer ${learner.token}` }]) {
      await dueForRenewal();
      const sent = await statementsDuring(() => app.inject({ url, headers }));
      const about = sent.filter(({ text }) => /session/.test(text));
      t.same(about, [], `${url} with ${Object.keys(headers)}`);
    }
  }
});
