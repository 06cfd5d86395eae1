import { readFileSync } from 'node:fs';
import { join } from 'node:path';
import type { Page } from 'playwright-core';
import t, { type Test } from 'tap';
import type { contact } from '../islands/offline/contact.ts';
import type { Choice, KeepProgress, keepPrepa } from '../islands/offline/keep.ts';
import type { openStore } from '../islands/offline/store/store.ts';
import { projectRoot } from '../src/platform/settings/project-root.ts';
import type { KeptItem } from '../src/shared/offline/offline-copy.ts';
import { newPage, openBrowser } from './support/browser.ts';
import { browserModules } from './support/browser-modules.ts';
import { offlineServer } from './support/offline-server.ts';

// The built service worker and what keeps a prepa, in a real browser: what is answered without network and how, what is sent when it is back, and how everything goes.

const modules = await browserModules({
  keep: 'islands/offline/keep.ts',
  contact: 'islands/offline/contact.ts',
  store: 'islands/offline/store/store.ts',
});
const start = `import { keepPrepa } from '/keep.js'; import { contact } from '/contact.js'; import { openStore } from '/store.js';
  globalThis.offline = { keepPrepa, contact, openStore };`;
const shell = (release: string) =>
  `<!DOCTYPE html><html lang="fr"><title>Gardée</title><div data-behaviour="kept-page" data-assets="[&quot;/assets/${release}.js&quot;]">${release}</div><script type="module" src="/assets/${release}.js"></script>`;
const script = (file: string): [string, string] => ['text/javascript', file];
const { state, url } = await offlineServer(t, {
  ...Object.fromEntries(Object.entries(modules).map(([path, code]) => [path, script(code)])),
  '/vide': ['text/html', '<!DOCTYPE html><html lang="fr"><title>Vide</title><script type="module" src="/start.js"></script>'],
  '/start.js': script(start),
  '/service-worker.js': script(readFileSync(join(projectRoot, 'dist/client/service-worker.js'), 'utf8')),
  '/user/hors-ligne/page': ['text/html', shell('a1')],
  '/assets/a1.js': script('document.title = "Gardée a1"'),
  '/assets/b2.js': script('document.title = "Gardée b2"'),
  '/media/content/a.webp': ['image/webp', Buffer.alloc(1000)],
  '/media/content/b.webp': ['image/webp', Buffer.alloc(1000)],
  '/documents/5/Sujet.pdf': ['application/pdf', Buffer.alloc(2000)],
  '/favicon.ico': ['image/png', ''],
});
await openBrowser(t);

declare const offline: { keepPrepa: typeof keepPrepa; contact: typeof contact; openStore: typeof openStore };

const item = (id: number, more: Partial<KeptItem> = {}): KeptItem => ({
  id,
  kind: 'course',
  titre: `Leçon ${id}`,
  annee: null,
  duree: null,
  version: 1,
  contenu: `<p>Texte ${id}</p>`,
  corrige: null,
  pictures: [],
  documents: [],
  ...more,
});
const initial = [
  item(1, { pictures: [{ name: 'a.webp', octets: 1000 }] }),
  item(2, {
    kind: 'exercise',
    corrige: '<p>Corrigé 2</p>',
    pictures: [{ name: 'b.webp', octets: 1000 }],
    documents: [{ id: 5, nom: 'Sujet', octets: 2000, url: '/documents/5/Sujet.pdf' }],
  }),
];

/** A browser of its own, on a page of the site, and a server as at first. */
async function begin(t: Test): Promise<Page> {
  const at = { network: 'there', learner: 'moi', end: Date.now() + 1e9, says: 'keep', reason: null } as const;
  Object.assign(state, at, { items: initial, earlier: [], marks: [], asked: [], refuse: new Map(), taken: new Map() });
  state.files['/user/hors-ligne/page'] = ['text/html', shell('a1')];
  const page = await newPage(t, { width: 360, baseURL: url, allow: [/Failed to load|net::ERR|status of/] });
  await open(page);
  return page;
}

async function open(page: Page): Promise<void> {
  await page.goto('/vide');
  await page.waitForFunction(() => 'offline' in globalThis);
}

const all: Choice = { prepa: 7, disciplines: null, pictures: true, documents: true };

/** Keeps the prepa as a page does: what came of it, and what was said on the way. */
const keep = (page: Page, choice: Partial<Choice> = {}) =>
  page.evaluate(
    async (choice) => {
      const said: KeepProgress[] = [];
      const outcome = await offline.keepPrepa(choice, (progress) => said.push(progress), new AbortController().signal);
      await navigator.serviceWorker.ready;
      return { outcome, said };
    },
    { ...all, ...choice },
  );

/** Without waiting for the worker. */
const tryToKeep = (page: Page) => page.evaluate((choice) => offline.keepPrepa(choice, () => {}, new AbortController().signal), all);

/** Keeps it, and goes on when the worker answers this page. */
async function kept(t: Test, choice: Partial<Choice> = {}): Promise<Page> {
  const page = await begin(t);
  t.same((await keep(page, choice)).outcome, { kept: true });
  await page.waitForFunction(() => navigator.serviceWorker.controller?.state === 'activated');
  return page;
}

const contacted = (page: Page) => page.evaluate(() => offline.contact({ forced: true }));

/** What is in the browser: databases, files, workers. */
const remains = (page: Page) =>
  page.evaluate(async () => ({
    databases: (await indexedDB.databases()).map(({ name }) => name),
    caches: await caches.keys(),
    workers: (await navigator.serviceWorker.getRegistrations()).length,
  }));
const nothing = { databases: [], caches: [], workers: 0 };

/** A call of the page: its status and text; null without network. */
const call = (page: Page, path: string, method = 'GET') =>
  page.evaluate(
    ([path, method]) =>
      fetch(path, { method }).then(
        async (response) => [response.status, await response.text()],
        () => null,
      ),
    [path, method] as const,
  );

const entries = (page: Page) =>
  page.evaluate(async () => (await (await offline.openStore()).entries()).map(({ type, item }) => `${type} ${item}`));

t.test('a prepa is kept with all that its pages need; the worker precaches nothing and is small', async (t) => {
  const page = await begin(t);
  const { outcome, said } = await keep(page);
  t.same(outcome, { kept: true });
  t.same([...new Set(said.map(({ step }) => step))], ['garder', 'textes', 'images', 'documents', 'page']);
  const { done, total } = said.at(-1) ?? {};
  t.ok(done && done > 4000 && done === total, 'bytes of texts, pictures and documents');
  const files = await page.evaluate(async () => {
    const names = await caches.keys();
    return (
      await Promise.all(names.map(async (name) => (await (await caches.open(name)).keys()).map(({ url }) => new URL(url).pathname)))
    ).flat();
  });
  t.same(files.sort(), [
    '/assets/a1.js',
    '/documents/5/Sujet.pdf',
    '/media/content/a.webp',
    '/media/content/b.webp',
    '/user/hors-ligne/page',
  ]);
  t.match(await page.evaluate(async () => (await offline.openStore()).copy(7)), {
    nom: 'École des postes',
    complete: true,
    endAt: state.end,
  });
  state.asked.length = 0;
  t.same((await keep(page)).outcome, { kept: true });
  t.notMatch(state.asked.join(), /media|documents|assets|textes/, 'once more, it fetches what differs and the page alone');
  const size = readFileSync(join(projectRoot, 'dist/client/service-worker.js')).length;
  t.ok(size <= 12 * 1024, `${size} bytes`);
});

t.test('while the network hangs a kept page is there at once', async (t) => {
  const page = await kept(t);
  state.network = 'hanging';
  for (const path of [
    '/user/prepa/7',
    '/user/prepa/7/10?type=course&item=1',
    '/user/prepa/7/10/entrainement?type=exercise&item=2',
    '/user/recherche?q=tri&prepa=7',
  ]) {
    await page.goto(path);
    t.equal(await page.title(), 'Gardée a1', path);
    const { domInteractive } = await page.evaluate(() => performance.getEntriesByType('navigation')[0] as PerformanceNavigationTiming);
    t.ok(domInteractive < 3000, `${Math.round(domInteractive)} ms`);
  }
});

t.test('without network: texts, marks, files and forms as the server answers them', async (t) => {
  const page = await kept(t);
  state.network = 'gone';
  t.same(await call(page, '/api/items/1/texte'), [200, '<p>Texte 1</p><!----><!---->{"titre":"Leçon 1"}']);
  t.same(await call(page, '/api/items/2/texte'), [
    200,
    `<p>Texte 2</p><!----><p>Corrigé 2</p><!---->${JSON.stringify({ titre: 'Leçon 2', corrige: true, documents: initial[1]?.documents })}`,
  ]);
  t.same(await call(page, '/api/items/1/termine', 'POST'), [204, '']);
  const marks = async () => JSON.parse(String((await call(page, '/api/disciplines/10/lus'))?.[1]));
  t.same(await marks(), { ouverts: [1, 2], termines: [1], aRevoir: [], dernier: { type: 'course', id: 1 } });
  t.equal((await call(page, '/media/content/a.webp?acces=7.20850.abc'))?.[0], 200, 'under the address of any page');
  t.equal((await call(page, '/documents/5/Sujet.pdf'))?.[0], 200);
  t.equal(await call(page, '/api/items/3/texte'), null, 'what is not kept is the network’s');
  t.equal(await call(page, '/api/users/verify'), null);

  await page.setContent(
    '<form method="post" action="/user/prepa/7/10/entrainement"><input name="type" value="exercise"><input name="item" value="2"><input name="verdict" value="a_revoir"><button>ok</button></form>',
  );
  await Promise.all([page.waitForURL('/user/prepa/7/10/suite?type=exercise&item=2'), page.getByRole('button').click()]);
  t.equal(await page.title(), 'Gardée a1');
  for (const path of [
    '/user/dashboard',
    '/user/prepa/7/99',
    '/user/prepa/8',
    '/user/a-revoir',
    '/user/prepa/7/hors-ligne',
    '/user/prepa/7/10?reseau=1',
  ]) {
    await page.goto(path);
    t.equal(await page.title(), 'Gardée a1', `${path}: the kept page says what can be read`);
  }
  state.network = 'there';
  for (const path of ['/user/dashboard', '/user/prepa/7/99', '/user/prepa/7/10?reseau=1']) {
    await page.goto(path);
    t.match(await page.title(), `GET ${path.split('?')[0]}`, 'with network it is the server’s');
  }
  await open(page);
  t.same(await marks(), { ouverts: [1, 2], termines: [1, 2], aRevoir: [2], dernier: { type: 'course', id: 1 } });
});

t.test("another site's form is the server's to refuse", async (t) => {
  const page = await kept(t);
  const foreign = await page.context().newPage();
  await foreign.goto(`${url.replace('127.0.0.1', 'localhost')}/ailleurs`);
  await foreign.setContent(
    `<form method="post" action="${url}/user/prepa/7/10/termine"><input name="type" value="course"><input name="item" value="1"><button>ok</button></form>`,
  );
  await Promise.all([foreign.waitForURL(`${url}/user/prepa/7/10/termine`), foreign.getByRole('button').click()]);
  t.equal(await foreign.title(), 'POST /user/prepa/7/10/termine');
  t.same(await entries(page), []);
});

t.test('what was done is sent once the network is back, each by its key', async (t) => {
  const page = await kept(t);
  state.network = 'gone';
  await call(page, '/api/items/1/lu', 'POST');
  await call(page, '/api/items/1/termine', 'POST');
  await page.goto('/user/prepa/7/10?type=exercise&item=2');
  state.refuse.set('/marques', [503, { message: 'Trop de monde' }]);
  state.network = 'there';
  await open(page);
  t.same(await entries(page), ['lu 1', 'termine 1', 'lu 2'], 'an item that a page was asked for is opened');
  await contacted(page);
  t.equal((await entries(page)).length, 3, 'dropped only when the server has said that it has them');
  state.refuse.clear();
  t.match(await contacted(page), { done: true, removed: [] });
  t.same(await entries(page), []);
  t.same(
    [...state.taken.values()].map(({ entry, times }) => `${entry.type} ${entry.item} ${times}`),
    ['lu 1 1', 'termine 1 1', 'lu 2 1'],
  );
  state.learner = 'une autre';
  await call(page, '/api/items/1/lu', 'POST');
  state.taken.clear();
  await contacted(page);
  t.equal(state.taken.size, 0, "nothing goes to somebody else's account");
});

t.test('contact brings what differs, marks, a later end and another release', async (t) => {
  const page = await kept(t);
  state.items = [item(1, { version: 2, contenu: '<p>Nouveau</p>', pictures: [{ name: 'b.webp', octets: 1000 }] })];
  state.marks = [{ item: 1, readAt: 5, finished: true, verdict: null, markedAt: null, times: 0 }];
  state.end += 1e9;
  state.asked.length = 0;
  t.match(await contacted(page), { done: true, changed: [1] });
  t.match(await page.evaluate(async () => (await offline.openStore()).copy(7)), { endAt: state.end, tag: '1.2' });
  t.same(
    await page.evaluate(async () => (await (await caches.open('prepa-hors-ligne-images')).keys()).length),
    1,
    'pictures that nothing shows are gone',
  );
  t.match(await call(page, '/api/disciplines/10/lus'), [
    200,
    '{"ouverts":[1],"termines":[1],"aRevoir":[],"dernier":{"type":"course","id":1}}',
  ]);
  t.notMatch(state.asked.join(), /textes|page/);
  t.equal((await page.evaluate(() => offline.contact())).done, false, 'once a minute is enough');
  await page.evaluate(async () => (await offline.openStore()).putNote('refresh', 0));
  t.equal((await page.evaluate(() => offline.contact())).done, true, "the worker's own contact, which brings no texts, does not count");

  state.files['/user/hors-ligne/page'] = ['text/html', shell('b2')];
  state.refuse.set('/b2.js', [404, {}]);
  t.match((await keep(page)).outcome, { kept: false, reason: 'failed' }, 'a release that does not come wholly');
  await page.goto('/user/prepa/7');
  t.equal(await page.title(), 'Gardée a1', 'leaves the one before');
  state.refuse.clear();
  await open(page);
  t.same((await keep(page)).outcome, { kept: true });
  state.network = 'gone';
  await page.goto('/user/prepa/7');
  t.equal(await page.title(), 'Gardée b2');
  t.equal((await call(page, '/assets/a1.js'))?.[0], 200, 'a tab that is still open finds its own');
});

t.test('of a text that is held only what has changed comes, or all of it where the two have parted', async (t) => {
  const page = await kept(t);
  const texts = () => page.evaluate(async () => (await (await offline.openStore()).itemsOf(7)).map(({ contenu }) => contenu));
  state.earlier = initial;
  state.items = [item(1, { version: 2, contenu: '<p>Texte tout neuf 1</p>' }), ...initial.slice(1)];
  state.asked.length = 0;
  t.match(await contacted(page), { changed: [1] });
  t.same(await texts(), ['<p>Texte tout neuf 1</p>', '<p>Texte 2</p>']);
  t.notMatch(state.asked.join(), /textes/);
  state.earlier = [item(1, { version: 2, contenu: '<p>Un autre texte que celui qui est gardé</p>' })];
  state.items = [item(1, { version: 3, contenu: '<p>Un autre texte, changé</p>' }), ...initial.slice(1)];
  t.match(await contacted(page), { done: true });
  t.same(await texts(), ['<p>Un autre texte, changé</p>', '<p>Texte 2</p>']);
  t.match(state.asked.join(), /GET \/api\/hors-ligne\/prepas\/7\/textes/);
});

t.test('the end, another account, a device that was removed: nothing is left', async (t) => {
  for (const [why, reason] of [
    ['ended', 'ended'],
    ['another account', 'other-account'],
  ] as const) {
    const page = await kept(t);
    state.says = 'remove';
    state.reason = reason;
    t.match(await contacted(page), { removed: [{ id: 7, nom: 'École des postes', reason }] }, why);
    t.same(await remains(page), nothing, why);
  }
});

t.test('after its end nothing can be read, whatever the clock says then', async (t) => {
  const page = await kept(t);
  await page.evaluate(async (end) => (await offline.openStore()).see(end + 1), state.end);
  state.network = 'gone';
  t.equal(await call(page, '/api/items/1/texte'), null);
  t.equal(await call(page, '/media/content/a.webp'), null);
  t.same((await remains(page)).caches, []);
  t.equal(await page.evaluate(async () => (await (await offline.openStore()).itemsOf(7)).length), 0);
  state.network = 'there';
  await contacted(page);
  t.ok(state.asked.includes('POST /api/hors-ligne/prepas/7/retirer'), 'the server hears of it');
  t.same(await remains(page), nothing);
});

t.test("the server's time counts also without a session, and puts a clock right that was ahead", async (t) => {
  const page = await kept(t);
  const time = () => page.evaluate(async () => (await offline.openStore()).note<number>('time'));
  const real = Date.now();
  await page.evaluate(async (ms) => (await offline.openStore()).see(ms), real + 1e8);
  await contacted(page);
  t.ok(Math.abs(Number(await time()) - Date.now()) < 60_000, 'by a signed end');
  await page.evaluate(async () => (await offline.openStore()).trust(1));
  state.says = 'sign-in';
  state.learner = null;
  t.match(await contacted(page), { signIn: [7], removed: [] });
  t.ok(Number(await time()) >= real);
  await page.evaluate(async (ms) => (await offline.openStore()).see(ms), real + 1e8);
  await contacted(page);
  t.ok(Number(await time()) >= real + 1e8, 'an answer that is not signed takes nothing back');
  t.equal((await call(page, '/api/items/1/texte'))?.[0], 200, 'it stays readable until its end');
});

t.test('removed while it comes, nothing of it stays', async (t) => {
  const page = await begin(t);
  const outcome = await page.evaluate(async (choice) => {
    const store = await offline.openStore();
    const onProgress = ({ step }: KeepProgress) => {
      if (step === 'images') store.forget(7);
    };
    return offline.keepPrepa(choice, onProgress, new AbortController().signal);
  }, all);
  t.same(outcome, { kept: false, reason: 'removed' });
  t.same(await remains(page), nothing);
});

t.test('an end that the server has not signed, or not for this copy, is none', async (t) => {
  for (const forged of ['end', 'learner', 'device'] as const) {
    const page = await kept(t);
    await page.evaluate(async (forged) => {
      const store = await offline.openStore();
      const copy = await store.copy(7);
      if (!copy) return;
      const later = { ...copy.end, said: copy.end.said.replace(/"end":\d+/, '"end":9999999999999') };
      await store.changeCopy(7, { end: { end: later }, learner: { learner: 'un autre' }, device: { device: 2 } }[forged]);
    }, forged);
    state.network = 'gone';
    t.equal(await call(page, '/api/items/1/texte'), null, forged);
    t.same((await remains(page)).caches, [], forged);
  }
});

t.test('a sign-out removes everything before the server is asked, after a last word', async (t) => {
  const page = await kept(t);
  await call(page, '/api/items/1/termine', 'POST');
  await call(page, '/api/users/logout', 'POST');
  t.equal(state.taken.size, 1);
  t.same(await remains(page), nothing);

  const other = await kept(t);
  state.network = 'gone';
  await call(other, '/api/items/1/termine', 'POST');
  t.equal(await call(other, '/api/users/logout', 'POST'), null);
  t.same((await remains(other)).caches, []);
  t.equal(await other.evaluate(async () => (await (await offline.openStore()).copies()).length), 0);
  t.same(await entries(other), ['termine 1'], 'what could not be sent waits for its learner');
  state.network = 'there';
  await contacted(other);
  t.equal(state.taken.size, 1);
  t.same(await remains(other), nothing);
});

t.test('whoever signs in is shown nothing before the server has said who it is', async (t) => {
  const page = await kept(t);
  state.learner = 'une autre';
  // Whatever hinders the contact.
  state.refuse.set('/contact', [503, { message: 'Trop de monde' }]);
  await call(page, '/api/users/login', 'POST');
  t.match(await call(page, '/api/items/1/texte'), [200, /GET \/api\/items\/1\/texte/]);
  t.equal((await call(page, '/documents/5/Sujet.pdf'))?.[0], 200, 'asked of the server');
  t.ok(state.asked.filter((line) => line.endsWith('Sujet.pdf')).length > 1);
  await page.goto('/user/prepa/7');
  t.equal(await page.title(), 'GET /user/prepa/7');
  state.network = 'gone';
  t.equal(await call(page, '/api/items/1/texte'), null, 'nor without network');
  state.network = 'there';
  state.learner = 'moi';
  state.refuse.clear();
  await open(page);
  t.match(await contacted(page), { done: true, removed: [] });
  await page.goto('/user/prepa/7');
  t.equal(await page.title(), 'Gardée a1', 'it was its own learner');
  state.learner = 'une autre';
  await open(page);
  t.match(await contacted(page), { removed: [{ id: 7 }] }, 'whatever else the server says of the copy');
});

t.test('the server hears that what it has ended here is gone, also when it had too much to do', async (t) => {
  const page = await kept(t);
  state.says = 'remove';
  state.reason = 'other-account';
  state.refuse.set('/retirer', [429, { message: 'Trop' }]);
  await contacted(page);
  state.refuse.clear();
  state.asked.length = 0;
  await contacted(page);
  t.ok(state.asked.includes('POST /api/hors-ligne/prepas/7/retirer'));
  t.same(await remains(page), nothing);
});

t.test("an administrator's sign-out, after which the browser clears all, sends what was done and gives the place up first", async (t) => {
  const page = await kept(t);
  await call(page, '/api/items/1/termine', 'POST');
  state.asked.length = 0;
  await call(page, '/api/admin/logout', 'POST');
  const said = state.asked.filter((line) => line.startsWith('POST') && !line.endsWith('contact'));
  t.same(said, ['POST /api/hors-ligne/marques', 'POST /api/hors-ligne/prepas/7/retirer', 'POST /api/admin/logout']);
  t.same(await remains(page), nothing);
});

t.test('on a device whose clock is behind, what was done keeps its order', async (t) => {
  const page = await kept(t);
  state.network = 'gone';
  await page.evaluate(async (ms) => (await offline.openStore()).see(ms), Date.now() + 1e7);
  await page.setContent('<p>x</p>');
  for (let turn = 0; turn < 6; turn += 1) await call(page, `/api/items/1/${turn % 2 ? 'lu' : 'termine'}`, 'POST');
  t.same(await entries(page), ['termine 1', 'lu 1', 'termine 1', 'lu 1', 'termine 1', 'lu 1']);
  const times = await page.evaluate(async () => (await (await offline.openStore()).entries()).map(({ le }) => le));
  t.equal(new Set(times).size, 6);
});

t.test('a clock that is ahead for a while costs nothing that was done', async (t) => {
  const page = await kept(t);
  state.network = 'gone';
  await call(page, '/api/items/1/termine', 'POST');
  state.network = 'there';
  await page.evaluate(async (ms) => (await offline.openStore()).see(ms), Date.now() + 1e11);
  await contacted(page);
  t.equal(state.taken.size, 1);
});

t.test('on a device whose clock is after the end it says so, and keeps no place', async (t) => {
  const page = await begin(t);
  const ahead = state.end + 1e6;
  await page.evaluate((ms) => {
    Date.now = () => ms;
  }, ahead);
  t.same(await tryToKeep(page), { kept: false, reason: 'clock' });
  t.ok(state.asked.includes('POST /api/hors-ligne/prepas/7/retirer'));
  t.same(await remains(page), nothing);
});

t.test('a page in place of a picture is none', async (t) => {
  const page = await begin(t);
  const picture = state.files['/media/content/a.webp'];
  t.teardown(() => Object.assign(state.files, { '/media/content/a.webp': picture }));
  state.files['/media/content/a.webp'] = ['text/html', '<!DOCTYPE html><title>Portail</title>'];
  t.match((await tryToKeep(page)) as object, { kept: false, reason: 'network' });
  Object.assign(state.files, { '/media/content/a.webp': picture });
  t.same((await keep(page)).outcome, { kept: true });
  t.equal(String((await call(page, '/media/content/a.webp'))?.[1]).length, 1000);
});

t.test('whatever fails in the worker, the network answers', async (t) => {
  const page = await kept(t);
  // What is kept is known by then; and once more when it has to be read.
  t.match(await call(page, '/api/items/1/texte'), [200, /Texte 1/]);
  const [worker] = page.context().serviceWorkers();
  await worker?.evaluate(() => {
    indexedDB.open = () => {
      throw new Error('no');
    };
    IDBDatabase.prototype.transaction = () => {
      throw new Error('no');
    };
    caches.match = () => Promise.reject(new Error('no'));
  });
  t.match(await call(page, '/api/items/1/texte'), [200, /GET \/api\/items\/1\/texte/]);
  t.match(await call(page, '/api/items/1/lu', 'POST'), [200, /POST/]);
  await page.goto('/user/prepa/7/10');
  t.equal(await page.title(), 'GET /user/prepa/7/10');
  await page.evaluate(() => new BroadcastChannel('prepa-hors-ligne').postMessage('changed'));
  t.match(await call(page, '/api/items/2/texte'), [200, /GET \/api\/items\/2\/texte/]);
});

t.test('two tabs at once, and a worker that is replaced meanwhile', async (t) => {
  const page = await begin(t);
  const tab = await page.context().newPage();
  await open(tab);
  const both = await Promise.all([keep(page), keep(tab)]);
  t.same(
    both.map(({ outcome }) => outcome),
    [{ kept: true }, { kept: true }],
  );
  t.equal(state.asked.filter((line) => line.endsWith('/a.webp')).length, 1, 'files come once');
  await page.waitForFunction(() => navigator.serviceWorker.controller?.state === 'activated');
  await Promise.all([call(page, '/api/items/1/lu', 'POST'), call(tab, '/api/items/2/lu', 'POST')]);
  await Promise.all([contacted(page), contacted(tab)]);
  t.same(await entries(page), []);
  t.same([...state.taken.values()].map(({ entry }) => entry.item).sort(), [1, 2]);

  const [, code] = state.files['/service-worker.js'] ?? [];
  t.teardown(() => {
    state.files['/service-worker.js'] = script(String(code));
  });
  state.files['/service-worker.js'] = script(`${code}\n// another release`);
  await page.evaluate(async () => {
    const changed = new Promise((resolve) => navigator.serviceWorker.addEventListener('controllerchange', resolve));
    await (await navigator.serviceWorker.ready).update();
    await changed;
  });
  state.network = 'gone';
  t.equal((await call(page, '/api/items/1/texte'))?.[0], 200, 'the new one answers the page that is open');
  t.equal((await call(tab, '/api/items/1/lu', 'POST'))?.[0], 204);
  await tab.evaluate(async () => (await offline.openStore()).forget(7));
  t.equal(await call(page, '/api/items/1/texte'), null, 'removed in one tab, it is in the other');
});

t.test('kept by a release whose texts are shaped otherwise: the network answers until they have come anew', async (t) => {
  const page = await kept(t);
  await page.evaluate(async () => (await offline.openStore()).changeCopy(7, { format: 0 }));
  state.asked.length = 0;
  await page.goto('/user/prepa/7/10');
  t.equal(await page.title(), 'GET /user/prepa/7/10');
  await open(page);
  t.match(await contacted(page), { changed: [1, 2] });
  t.ok(state.asked.includes('GET /api/hors-ligne/prepas/7/textes'), 'all of it');
  await page.goto('/user/prepa/7/10');
  t.equal(await page.title(), 'Gardée a1');
});

t.test('of a choice of disciplines: what is said of the whole prepa is the server’s', async (t) => {
  const page = await kept(t, { disciplines: [10], pictures: false, documents: false });
  t.same((await remains(page)).caches, ['prepa-hors-ligne-page-000000001']);
  for (const [path, title] of [
    ['/user/prepa/7', 'GET /user/prepa/7'],
    ['/user/recherche?q=tri&prepa=7', 'GET /user/recherche'],
    ['/user/prepa/7/10', 'Gardée a1'],
  ] as const) {
    await page.goto(path);
    t.equal(await page.title(), title);
  }
  state.network = 'gone';
  await page.goto('/user/prepa/7');
  t.equal(await page.title(), 'Gardée a1', 'and what is kept of it without network');
});

/** What each action leads to: what is kept, the server's answer, or nothing. Begins on a page of the site. */
async function whatIsShown(page: Page): Promise<Record<string, string>> {
  const shown: Record<string, string> = {};
  for (const [action, path, method] of [
    ['document', '/documents/5/Sujet.pdf', 'GET'],
    ['next', '/api/items/2/texte', 'GET'],
    ['resume', '/api/disciplines/10/lus', 'GET'],
    ['mark', '/api/items/1/termine', 'POST'],
  ] as const) {
    state.asked.length = 0;
    const answer = await call(page, path, method);
    shown[action] = !answer ? 'nothing' : state.asked.includes(`${method} ${path}`) ? 'server' : 'copy';
  }
  for (const [action, path] of Object.entries({
    open: '/user/prepa/7',
    read: '/user/prepa/7/10?type=course&item=1',
    practise: '/user/prepa/7/10/entrainement?type=exercise&item=2',
    correction: '/user/prepa/7/10/entrainement?type=exercise&item=2&corrige=oui',
    search: '/user/recherche?q=tri&prepa=7',
    again: '/user/a-revoir',
  })) {
    const came = await page.goto(path).catch((error: Error) => {
      // The browser's own error, or that of the page before, which comes late.
      if (!/net::ERR|chrome-error/.test(error.message)) throw error;
    });
    shown[action] = !came ? 'nothing' : (await page.title()) === 'Gardée a1' ? 'copy' : 'server';
  }
  return shown;
}

t.test('each state and each action: the copy, the server, or nothing', async (t) => {
  const reading = ['open', 'read', 'practise', 'correction', 'search', 'document', 'next', 'resume', 'mark'];
  const shown = (what: string, again = what) => Object.fromEntries([...reading.map((action) => [action, what]), ['again', again]]);

  /** Where something is kept, it is removed at once; the server hears of it when it can. */
  async function assertRemovable(page: Page): Promise<void> {
    const { network } = state;
    state.network = 'there';
    await open(page);
    state.network = network;
    await page.evaluate(async () => (await offline.openStore()).forget(7));
    t.same((await remains(page)).caches, []);
    t.equal(await page.evaluate(async () => (await (await offline.openStore()).itemsOf(7)).length), 0);
    state.network = 'there';
    state.asked.length = 0;
    await contacted(page);
    t.ok(state.asked.includes('POST /api/hors-ligne/prepas/7/retirer'));
  }

  await t.test('online', async (t) => {
    const page = await kept(t);
    t.same(await whatIsShown(page), shown('copy', 'server'), "of 'à revoir' the server knows more than one prepa");
    await assertRemovable(page);
    t.same(await remains(page), nothing);
  });

  await t.test('slow', async (t) => {
    const page = await kept(t);
    state.network = 'hanging';
    const paused = await page.evaluate(async (choice) => {
      const controller = new AbortController();
      return offline.keepPrepa(choice, () => setTimeout(() => controller.abort(), 50), controller.signal);
    }, all);
    t.match(paused, { reason: 'paused' }, 'a pause while the network hangs');
    t.same(await whatIsShown(page), shown('copy'));
    await assertRemovable(page);
  });

  await t.test('offline', async (t) => {
    const page = await kept(t);
    state.network = 'gone';
    t.match((await keep(page)).outcome, { kept: false, reason: 'network' });
    t.match(await contacted(page), { done: false, removed: [] });
    t.same(await whatIsShown(page), shown('copy'));
    await assertRemovable(page);
  });

  await t.test('expired', async (t) => {
    const page = await kept(t);
    await page.evaluate(async (end) => (await offline.openStore()).see(end + 1), state.end);
    state.network = 'gone';
    t.same(await whatIsShown(page), shown('nothing'));
    state.network = 'there';
    const tab = await page.context().newPage();
    await open(tab);
    t.same(await whatIsShown(tab), shown('server'), 'which says that the access has ended');
  });

  await t.test('renewed: a later end, and nothing is fetched for it', async (t) => {
    const page = await kept(t);
    const before = state.end;
    state.end += 1e9;
    state.asked.length = 0;
    t.match(await contacted(page), { done: true, changed: [] });
    t.same(state.asked, ['POST /api/hors-ligne/contact', 'GET /api/hors-ligne/prepas/7/marques'], 'neither a text nor a file');
    await page.evaluate(async (end) => (await offline.openStore()).see(end + 1), before);
    state.network = 'gone';
    t.same(await whatIsShown(page), shown('copy'), 'after the end that was first signed');
    await assertRemovable(page);
  });

  await t.test('session run out', async (t) => {
    const page = await kept(t);
    Object.assign(state, { says: 'sign-in', learner: null });
    t.match(await contacted(page), { signIn: [7], removed: [] });
    t.same(await whatIsShown(page), shown('copy', 'server'));
    await open(page);
    t.ok((await entries(page)).length > 0, 'what is done waits for its learner');
    await assertRemovable(page);
  });

  await t.test('signed out', async (t) => {
    const page = await kept(t);
    await call(page, '/api/users/logout', 'POST');
    t.same(await whatIsShown(page), shown('server'));
    t.same(await remains(page), nothing);
  });

  await t.test('revoked', async (t) => {
    for (const reason of ['session-ended', 'device-removed', 'ended'] as const) {
      const page = await kept(t);
      Object.assign(state, { says: 'remove', reason });
      t.match(await contacted(page), { removed: [{ id: 7, reason }] });
      t.same(await whatIsShown(page), shown('server'), reason);
      t.same(await remains(page), nothing);
    }
  });
});

t.test('what hinders keeping is said, and what has come stays', async (t) => {
  const page = await begin(t);
  const outcome = async () =>
    (await page.evaluate((choice) => offline.keepPrepa(choice, () => {}, new AbortController().signal), all)) as object;
  state.refuse.set('/garder', [409, { message: 'Trois autres appareils la gardent.' }]);
  t.same(await outcome(), { kept: false, reason: 'devices', message: 'Trois autres appareils la gardent.' });
  t.same(await remains(page), nothing);
  state.refuse.set('/garder', [401, { message: 'Connectez-vous' }]);
  t.match(await outcome(), { kept: false, reason: 'signed-out' });
  state.refuse.set('/garder', [403, { message: 'Réservé' }]);
  t.match(await outcome(), { kept: false, reason: 'ended' });
  state.refuse.clear();
  state.refuse.set('/b.webp', [500, {}]);
  t.match(await outcome(), { kept: false, reason: 'network' });
  t.match(await page.evaluate(async () => (await offline.openStore()).copy(7)), { complete: false });
  state.refuse.clear();
  state.asked.length = 0;
  t.same(await outcome(), { kept: true }, 'it goes on from there');
  t.notMatch(state.asked.join(), /a\.webp|textes/);

  const paused = await begin(t);
  const stopped = await paused.evaluate(async (choice) => {
    const controller = new AbortController();
    return offline.keepPrepa(choice, ({ step }) => step === 'images' && controller.abort(), controller.signal);
  }, all);
  t.match(stopped, { kept: false, reason: 'paused' });
  const refused = await paused.evaluate((choice) => {
    Object.defineProperty(globalThis, 'indexedDB', { value: undefined });
    return offline.keepPrepa(choice, () => {}, new AbortController().signal);
  }, all);
  t.same(refused, { kept: true }, 'the connection is open already');
  await paused.reload();
  await paused.waitForFunction(() => 'offline' in globalThis);
  const failed = await paused.evaluate((choice) => {
    Object.defineProperty(globalThis, 'indexedDB', { value: undefined });
    return offline.keepPrepa(choice, () => {}, new AbortController().signal);
  }, all);
  t.same(failed, { kept: false, reason: 'refused' });
  const old = await paused.evaluate((choice) => {
    Object.defineProperty(navigator, 'serviceWorker', { value: undefined });
    return offline.keepPrepa(choice, () => {}, new AbortController().signal);
  }, all);
  t.same(old, { kept: false, reason: 'no-worker' });

  const small = await begin(t);
  const session = await small.context().newCDPSession(small);
  await session.send('Storage.overrideQuotaForOrigin', { origin: url, quotaSize: 5_000_000 });
  state.files['/media/content/a.webp'] = ['image/webp', Buffer.alloc(6_000_000)];
  t.same((await small.evaluate((choice) => offline.keepPrepa(choice, () => {}, new AbortController().signal), all)) as object, {
    kept: false,
    reason: 'quota',
  });
});
