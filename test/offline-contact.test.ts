// Slow: a prepa is kept in a browser for each contact.
import t from 'tap';
import { call, contacted, entries, initial, item, keep, keepingBrowser, open, shell } from './support/keeping-browser.ts';

// Synchronisation of a device with the server, in a real browser: sent marks, received changes, and which clock counts.

const { state, kept } = await keepingBrowser(t);

t.test('marks are sent once the network is back, each with its key', async (t) => {
  const page = await kept(t);
  state.network = 'gone';
  await call(page, '/api/items/1/lu', 'POST');
  await call(page, '/api/items/1/termine', 'POST');
  await page.goto('/user/prepa/7/10?type=exercise&item=2');
  state.refuse.set('/marques', [503, { message: 'Trop de monde' }]);
  state.network = 'there';
  await open(page);
  t.same(await entries(page), ['lu 1', 'termine 1', 'lu 2'], 'a URL with an item opens this item');
  await contacted(page);
  t.equal((await entries(page)).length, 3, 'entries stay until the server has confirmed them');
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
  t.equal(state.taken.size, 0, "entries are not sent to another learner's account");
});

t.test('a mark is stored once, even when the first worker is stopped before its response and another one is asked', async (t) => {
  const page = await kept(t);
  state.network = 'gone';
  const [worker] = page.context().serviceWorkers();
  await worker?.evaluate(() => {
    // The worker's last action before its response.
    BroadcastChannel.prototype.postMessage = () => {
      for (;;);
    };
  });
  const marked = page.evaluate(() => offline.sayMark('/api/items/1/lu'));
  await page.waitForFunction(async () => (await (await offline.openStore()).entries()).length > 0);
  const protocol = await page.context().newCDPSession(page);
  await protocol.send('ServiceWorker.enable');
  await protocol.send('ServiceWorker.stopAllWorkers');
  t.equal(await marked, true);
  t.same(await entries(page), ['lu 1']);
});

t.test('files that the browser has evicted are fetched again at a contact, even if no text has changed', async (t) => {
  const page = await kept(t, { pictures: true, documents: true });
  const files = () =>
    page.evaluate(async () => {
      const paths: string[] = [];
      for (const name of await caches.keys())
        if (/-(?:images|documents)$/.test(name))
          for (const { url } of await (await caches.open(name)).keys()) paths.push(new URL(url).pathname);
      return paths.sort();
    });
  const all = ['/documents/5/Sujet.pdf', '/media/content/a.webp', '/media/content/b.webp'];
  t.same(await files(), all);
  t.same(await page.evaluate(() => offline.missingFiles([7])), { pictures: 0, documents: 0 });
  await page.evaluate(async () => {
    for (const name of await caches.keys()) if (/-(?:images|documents)$/.test(name)) await caches.delete(name);
  });
  t.same(await page.evaluate(() => offline.missingFiles([7])), { pictures: 2, documents: 1 });
  state.network = 'gone';
  await contacted(page);
  t.same(await files(), []);
  state.network = 'there';
  state.asked.length = 0;
  t.match(await contacted(page), { done: true, changed: [] });
  t.same(await files(), all);
  t.same(await page.evaluate(() => offline.missingFiles([7])), { pictures: 0, documents: 0 });
  t.notMatch(state.asked.join(), /textes|differences/);
  state.asked.length = 0;
  await contacted(page);
  t.notMatch(state.asked.join(), /media|documents/, 'files already here are not fetched again');
});

t.test('a contact fetches changed texts, marks, a later end and another release', async (t) => {
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
    'pictures that no text shows are deleted',
  );
  t.match(await call(page, '/api/disciplines/10/lus'), [
    200,
    '{"ouverts":[1],"termines":[1],"aRevoir":[],"dernier":{"type":"course","id":1}}',
  ]);
  t.notMatch(state.asked.join(), /textes|page/);
  t.equal((await page.evaluate(() => offline.contact())).done, false, 'no second contact takes place within a minute');
  await page.evaluate(async () => (await offline.openStore()).putNote('refresh', 0));
  t.equal((await page.evaluate(() => offline.contact())).done, true, "the worker's own contact, which brings no texts, does not count");

  state.files['/user/hors-ligne/page'] = ['text/html', shell('b2')];
  state.refuse.set('/b2.js', [404, {}]);
  t.match((await keep(page)).outcome, { kept: false, reason: 'failed' }, 'a release with a missing file is not kept');
  await page.goto('/user/prepa/7');
  t.equal(await page.title(), 'Gardée a1', 'the previous release stays');
  state.refuse.clear();
  await open(page);
  t.same((await keep(page)).outcome, { kept: true });
  state.network = 'gone';
  await page.goto('/user/prepa/7');
  t.equal(await page.title(), 'Gardée b2');
  t.equal((await call(page, '/assets/a1.js'))?.[0], 200, 'an open tab still finds the files of its release');
});

t.test('only the changes of a kept text are fetched, or all of it when the versions are not related', async (t) => {
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

t.test("the server's time counts also without a session, and puts a clock right that was ahead", async (t) => {
  const page = await kept(t);
  const time = () => page.evaluate(async () => (await offline.openStore()).note<number>('time'));
  const real = Date.now();
  await page.evaluate(async (ms) => (await offline.openStore()).see(ms), real + 1e8);
  await contacted(page);
  t.ok(Math.abs(Number(await time()) - Date.now()) < 60_000, 'a signed end corrects the stored time');
  await page.evaluate(async () => (await offline.openStore()).trust(1));
  state.says = 'sign-in';
  state.learner = null;
  t.match(await contacted(page), { signIn: [7], removed: [] });
  t.ok(Number(await time()) >= real);
  await page.evaluate(async (ms) => (await offline.openStore()).see(ms), real + 1e8);
  await contacted(page);
  t.ok(Number(await time()) >= real + 1e8, 'an unsigned response does not lower the time');
  t.equal((await call(page, '/api/items/1/texte'))?.[0], 200, 'it stays readable until its end');
});

t.test('on a device with a slow clock, marks keep their order', async (t) => {
  const page = await kept(t);
  state.network = 'gone';
  await page.evaluate(async (ms) => (await offline.openStore()).see(ms), Date.now() + 1e7);
  await page.setContent('<p>x</p>');
  for (let turn = 0; turn < 6; turn += 1) await call(page, `/api/items/1/${turn % 2 ? 'lu' : 'termine'}`, 'POST');
  t.same(await entries(page), ['termine 1', 'lu 1', 'termine 1', 'lu 1', 'termine 1', 'lu 1']);
  const times = await page.evaluate(async () => (await (await offline.openStore()).entries()).map(({ le }) => le));
  t.equal(new Set(times).size, 6);
});

t.test('a clock that is ahead for a while loses no marks', async (t) => {
  const page = await kept(t);
  state.network = 'gone';
  await call(page, '/api/items/1/termine', 'POST');
  state.network = 'there';
  await page.evaluate(async (ms) => (await offline.openStore()).see(ms), Date.now() + 1e11);
  await contacted(page);
  t.equal(state.taken.size, 1);
});
