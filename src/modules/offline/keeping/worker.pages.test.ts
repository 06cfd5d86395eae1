import { runInNewContext } from 'node:vm';
import t from 'tap';
import { call, createTestApp, visit } from '../../../../test/support/app.ts';
import { createEnrolment, createLearner, createPrepa } from '../../../../test/support/factories.ts';
import { buildApp } from '../../../app.ts';
import { loadAssets } from '../../../platform/pages/assets.ts';

const script = `self.addEventListener('fetch', () => {});${' '.repeat(2000)}`;

t.test('the built worker with its ETag; the web app manifest with its icons', async (t) => {
  const home = await createTestApp(t, { SITE_NAME: 'Mon site' });
  const manifest = {
    'islands/loader.ts': { file: 'assets/loader.js' },
    'islands/offline/page/pages/kept-page.ts': { file: 'assets/kept-page.js' },
    'islands/styles/main.css': { file: 'assets/main.css', assets: ['assets/common-1.woff2'] },
    'islands/styles/learner.css': { file: 'assets/learner.css' },
    'islands/styles/exam.css': { file: 'assets/exam.css' },
    'islands/styles/admin.css': { file: 'assets/admin.css' },
  };
  const folder = t.testdir({
    '.vite': { 'manifest.json': JSON.stringify(manifest) },
    'favicon.svg': '<svg xmlns="http://www.w3.org/2000/svg"/>',
    'service-worker.js': script,
    assets: { 'main.css': 'body{}', 'learner.css': '', 'exam.css': '', 'admin.css': '', 'loader.js': '' },
  });
  const app = await buildApp(home.kernel, { assets: loadAssets(folder) });
  t.teardown(() => app.close());
  const answer = await app.inject({ url: '/service-worker.js', headers: { 'accept-encoding': 'br', cookie: 'userToken=x' } });
  t.match([answer.statusCode, answer.headers['content-encoding'], answer.headers['cache-control']], [200, 'br', 'no-cache']);
  t.match(answer.headers['content-type'], /^text\/javascript/);
  t.match(answer.headers['content-security-policy'], "connect-src 'self'");
  t.notOk(answer.headers['set-cookie']);
  const etag = String(answer.headers.etag);
  const again = await app.inject({ url: '/service-worker.js', headers: { 'if-none-match': etag } });
  t.match([again.statusCode, again.body], [304, '']);

  const { headers, body } = await home.app.inject('/manifest.webmanifest');
  t.match(headers['content-type'], 'application/manifest+json');
  const said = JSON.parse(body);
  t.match(said, { name: 'Mon site', start_url: '/user/dashboard', display: 'standalone', scope: '/' });
  for (const { src, type, sizes } of said.icons) {
    const icon = await home.app.inject(src);
    t.match([icon.statusCode, icon.headers['content-type']], [200, type], src);
    // A PNG has its width and height at bytes 16 and 20.
    if (type === 'image/png') t.equal([16, 20].map((at) => icon.rawPayload.readUInt32BE(at)).join('x'), sizes);
  }
  const { session } = await createLearner(home);
  const page = await visit(home.app, '/user/dashboard', session);
  t.match(page.body, '<link rel="manifest" href="/manifest.webmanifest">');
  t.match((await home.app.inject('/apple-touch-icon.png')).statusCode, 200);
  t.notMatch((await visit(home.app, '/')).body, 'manifest');
});

t.test('OFFLINE=off: no prepa can be kept, the worker removes itself, and entries are still accepted', async (t) => {
  const home = await createTestApp(t, { OFFLINE: 'off' });
  const { app } = home;
  const answer = await app.inject('/service-worker.js');
  t.match([answer.statusCode, answer.headers['cache-control']], [200, 'no-cache']);
  const listeners = new Map<string, (event: object) => void>();
  const done: string[] = [];
  const waiting: Promise<unknown>[] = [];
  // Like a browser without a database; the journeys test one with copies.
  const indexedDB = {
    open() {
      const asked = { onerror: () => {} };
      queueMicrotask(() => asked.onerror());
      return asked;
    },
  };
  const caches = {
    keys: async () => ['pages', 'images'],
    delete: async (name: string) => done.push(`delete ${name}`),
  };
  const self = {
    addEventListener: (name: string, listener: () => void) => listeners.set(name, listener),
    skipWaiting: () => done.push('skip waiting'),
    registration: { unregister: async () => done.push('unregister') },
  };
  runInNewContext(answer.body, { self, caches, indexedDB });
  t.same([...listeners.keys()], ['install', 'activate'], 'the worker does not handle requests');
  for (const listener of listeners.values()) listener({ waitUntil: (work: Promise<unknown>) => waiting.push(work) });
  await Promise.all(waiting);
  t.same(done, ['skip waiting', 'delete pages', 'delete images', 'unregister']);

  const learner = await createLearner(home);
  const prepa = await createPrepa(home);
  await createEnrolment(home, learner, prepa);
  const base = `/api/hors-ligne/prepas/${prepa.id}`;
  const statusOf = async (options: Parameters<typeof call>[1]) => (await call(app, { session: learner.session, ...options })).statusCode;
  for (const name of ['tailles', 'textes']) t.equal(await statusOf({ url: `${base}/${name}` }), 404);
  t.equal(await statusOf({ method: 'POST', url: `${base}/garder`, payload: { appareil: crypto.randomUUID(), disciplines: null } }), 404);
  const said = await call(app, {
    method: 'POST',
    url: '/api/hors-ligne/contact',
    session: learner.session,
    payload: { appareil: crypto.randomUUID(), prepas: [] },
  });
  const payload = { learner: said.json().learner, entrees: [] };
  t.equal(await statusOf({ method: 'POST', url: '/api/hors-ligne/marques', payload }), 200);
});
