import t from 'tap';
import { createTestApp } from '../../../test/support/app.ts';
import { createLearner } from '../../../test/support/factories.ts';
import { meantAddress, pagesOf } from './mistyped-address.ts';

const home = await createTestApp(t);
const { app } = home;
type Method = 'GET' | 'HEAD' | 'POST' | 'PUT' | 'DELETE';
const ask = async (url: string, method: Method = 'GET', accept = 'text/html') => {
  const { statusCode, headers } = await app.inject({ method, url, headers: { accept, 'sec-fetch-site': 'same-origin' } });
  return { status: statusCode, location: headers.location, cache: headers['cache-control'] };
};

/** Mistyped addresses and the pages to which they redirect. */
const leads: Record<string, string> = {
  '/login/': '/login',
  '/LOGIN': '/login',
  '/Login//': '/login',
  '/user/dashboard/': '/user/dashboard',
  '/User/Dashboard': '/user/dashboard',
  '/inscription)': '/inscription',
  '/inscription).': '/inscription',
  '/inscription/,': '/inscription',
  '/inscription%C2%BB': '/inscription',
  '/inscription%E2%80%A6': '/inscription',
  '/inscription%29': '/inscription',
  '/inscription%E2%80%8B': '/inscription',
  '/inscription%3E': '/inscription',
  "/inscription'": '/inscription',
  '/inscription*': '/inscription',
  '/)': '/',
  '/login/?suite=%2Fuser%2Fdashboard&x=A)': '/login?suite=%2Fuser%2Fdashboard&x=A)',
  '/Nouveau-Mot-De-Passe?jeton=AbC-_)': '/nouveau-mot-de-passe?jeton=AbC-_)',
  '/User/Prepa/12/': '/user/prepa/12',
  '/user/prepa/Consultation/12': '/user/prepa/consultation/12',
  '/user/prepa/12/34/Entrainement!': '/user/prepa/12/34/entrainement',
  '/user/paiements/ZTaBc17/': '/user/paiements/ZTaBc17',
  '/ADMIN/Connexion': '/admin/connexion',
};

t.test('redirects addresses with extra slashes, capitals or punctuation, for any client', async (t) => {
  for (const [from, to] of Object.entries(leads)) {
    for (const method of ['GET', 'HEAD'] as const)
      t.same(await ask(from, method), { status: 301, location: to, cache: 'no-store' }, `${method} ${from}`);
    const next = await ask(to);
    t.ok(next.status !== 301, `${to} does not redirect again: ${next.status}`);
  }
  t.same(await ask('/login/', 'GET', '*/*'), { status: 301, location: '/login', cache: 'no-store' }, 'a program is redirected too');
});

t.test('does not redirect addresses that may mean something else', async (t) => {
  for (const url of [
    // Unknown words
    '/absente/',
    '/login/autre/',
    '/log%69n2/',
    // Ids, tokens and file names
    '/user/prepa/12)',
    '/user/prepa/12/)',
    '/user/paiements/ZTaBc17).',
    '/user/prepa//34/',
    '/media/content/0123456789ABCDEF.png/',
    '/assets/Main.js/',
    '/documents/12/Sujet.pdf)',
    '/Robots.txt',
    '/admin/paiements.csv/',
    // Calls
    '/api/users/verify/',
    '/users/verify/',
    '/API/prepas',
    '/Prepas/published',
    '/healthz/',
    '/Metrics',
  ]) {
    const { status, location } = await ask(url);
    t.equal(location, undefined, url);
    t.ok(status >= 400 && status < 500, `${url}: ${status}`);
  }
  for (const method of ['POST', 'PUT', 'DELETE'] as const) t.equal((await ask('/login/', method)).status, 404, method);
});

t.test('never redirects to another site or to a parent folder', async (t) => {
  const pages = pagesOf(app);
  for (const url of [
    '//evil.example/login/',
    '//login/',
    '///login/',
    '/\\evil.example/login/',
    '/%2Fevil.example/',
    '/%5Cevil.example/login/',
    '/https://evil.example/',
    'http://evil.example/login/',
    '/login/..',
    '/login/%2E%2E',
    '/login%',
    '/',
    '/login',
    '',
  ])
    t.equal(meantAddress(pages, url), null, url);
  t.equal(meantAddress(pages, '/user/prepa/%2F%2Fevil.example/'), '/user/prepa/%2F%2Fevil.example', 'a parameter stays encoded');
});

t.test('redirects to every page, also with a session', async (t) => {
  const { session } = await createLearner(home);
  const pages = app.routeTable.filter(({ method, url }) => method === 'GET' && /^\/(user|admin|login|inscription)\b[a-z/-]*$/.test(url));
  t.ok(pages.length > 20);
  for (const { url } of pages) {
    const answer = await app.inject({ url: `${url.toUpperCase()}/`, headers: { accept: 'text/html', cookie: session } });
    t.same([answer.statusCode, answer.headers.location], [301, url]);
    t.equal(answer.body, '', 'the redirect has no content');
  }
});
