// Slow: a prepa is kept in a browser for each test.
import t from 'tap';
import { call, contacted, entries, initial, keep, keepingBrowser, open, remains, script } from './support/keeping-browser.ts';

// The built service worker, in a real browser: the requests that it serves from the kept copy, and those that it leaves to the network.

const { state, url, begin, kept } = await keepingBrowser(t);

t.test('while the network hangs, a kept page is shown at once', async (t) => {
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

t.test('without network: responses for texts, marks, files and forms are like the server’s', async (t) => {
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
  t.equal((await call(page, '/media/content/a.webp?acces=7.20850.abc'))?.[0], 200, 'with the signature of any page');
  t.equal((await call(page, '/documents/5/Sujet.pdf'))?.[0], 200);
  t.equal(await call(page, '/api/items/3/texte'), null, 'an item that is not kept is left to the network');
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
    t.equal(await page.title(), 'Gardée a1', `${path}: the stored page lists the kept prepas`);
  }
  state.network = 'there';
  for (const path of ['/user/dashboard', '/user/prepa/7/99', '/user/prepa/7/10?reseau=1']) {
    await page.goto(path);
    t.match(await page.title(), `GET ${path.split('?')[0]}`, 'with network the page is the server’s');
  }
  await open(page);
  t.same(await marks(), { ouverts: [1, 2], termines: [1, 2], aRevoir: [2], dernier: { type: 'course', id: 1 } });
});

t.test('a form of another site is left to the server, which refuses it', async (t) => {
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

t.test('if anything fails in the worker, the request goes to the network', async (t) => {
  const page = await kept(t);
  // The worker has cached its index here; the message below makes it read the index again.
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
  t.equal(state.asked.filter((line) => line.endsWith('/a.webp')).length, 1, 'each file is fetched once');
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
  t.equal((await call(page, '/api/items/1/texte'))?.[0], 200, 'the new worker serves the open page');
  t.equal((await call(tab, '/api/items/1/lu', 'POST'))?.[0], 204);
  await tab.evaluate(async () => (await offline.openStore()).forget(7));
  t.equal(await call(page, '/api/items/1/texte'), null, 'a copy removed in one tab is removed in the other');
});

t.test('a copy in the format of another release: pages come from the network until the texts are fetched again', async (t) => {
  const page = await kept(t);
  await page.evaluate(async () => (await offline.openStore()).changeCopy(7, { format: 0 }));
  state.asked.length = 0;
  await page.goto('/user/prepa/7/10');
  t.equal(await page.title(), 'GET /user/prepa/7/10');
  await open(page);
  t.match(await contacted(page), { changed: [1, 2] });
  t.ok(state.asked.includes('GET /api/hors-ligne/prepas/7/textes'), 'all texts');
  await page.goto('/user/prepa/7/10');
  t.equal(await page.title(), 'Gardée a1');
});

t.test('with some disciplines kept: pages about the whole prepa come from the server', async (t) => {
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
  t.equal(await page.title(), 'Gardée a1', 'and the kept part of it without network');
});
