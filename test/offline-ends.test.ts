// Slow: a prepa is kept in a browser for each way in which it ends.
import type { Page } from 'playwright-core';
import t from 'tap';
import { call, contacted, entries, keepingBrowser, nothing, open, remains } from './support/keeping-browser.ts';

// How kept prepas are removed, in a real browser: the end of access, a sign-out, another account.

const { state, kept } = await keepingBrowser(t);

t.test('after the end of access or for another account, everything is removed', async (t) => {
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

t.test('after its end nothing can be read, even when the clock is set back', async (t) => {
  const page = await kept(t);
  await page.evaluate(async (end) => (await offline.openStore()).see(end + 1), state.end);
  state.network = 'gone';
  t.equal(await call(page, '/api/items/1/texte'), null);
  t.equal(await call(page, '/media/content/a.webp'), null);
  t.same((await remains(page)).caches, []);
  t.equal(await page.evaluate(async () => (await (await offline.openStore()).itemsOf(7)).length), 0);
  state.network = 'there';
  await contacted(page);
  t.ok(state.asked.includes('POST /api/hors-ligne/prepas/7/retirer'), 'the removal is reported to the server');
  t.same(await remains(page), nothing);
});

t.test('an end without a signature of the server for this copy is not accepted', async (t) => {
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

t.test('a sign-out sends the marks, then removes everything before its own request', async (t) => {
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
  t.same(await entries(other), ['termine 1'], 'the unsent mark waits for its learner');
  state.network = 'there';
  await contacted(other);
  t.equal(state.taken.size, 1);
  t.same(await remains(other), nothing);
});

t.test('a sign-out without network removes everything at once, is shown as pending, and is sent before any other request', async (t) => {
  for (const network of ['gone', 'hanging'] as const) {
    const page = await kept(t);
    // Another tab reads the store, because the page of a pending sign-out has no script for it.
    const witness = await page.context().newPage();
    await open(witness);
    await call(page, '/api/items/1/texte');
    state.network = network;
    await call(page, '/api/items/1/termine', 'POST');
    state.taken.clear();
    await submitForm(page, '/api/users/logout');
    await witness.waitForFunction(
      async () => (await caches.keys()).length === 0 && (await (await offline.openStore()).copies()).length === 0,
    );
    // A hanging network costs the worker's two timeouts first: 4 s for the outbox and 10 s for the sign-out.
    await page.getByText(/sera déconnecté du site dès le retour du réseau/).waitFor({ timeout: 45_000 });
    t.ok((await entries(witness)).includes('termine 1'), 'the unsent entry stays');
    if (network === 'gone') {
      await page.goto('/user/prepa/7');
      t.match(await page.textContent('body'), /sera déconnecté/, 'every page explains it, and no request reaches the server');
      t.equal(await call(witness, '/user/dashboard'), null);
    }
    state.network = 'there';
    state.refuse.set('/logout', [503, { message: 'Trop de monde' }]);
    t.equal(await call(witness, '/user/dashboard'), null, 'no request is sent either while the server refuses the sign-out');
    state.refuse.clear();
    state.asked.length = 0;
    await page.goto('/user/dashboard');
    t.equal(await page.title(), 'GET /user/dashboard');
    const said = state.asked.filter((line) => !line.endsWith('contact'));
    t.same(said.at(-1), 'GET /user/dashboard');
    t.ok(said.includes('POST /api/users/logout'));
    t.ok(
      [...state.taken.values()].some(({ entry }) => entry.type === 'termine'),
      'entries are sent while the session lasts',
    );
    t.same(await remains(page), nothing);
    state.asked.length = 0;
    await page.goto('/user/dashboard');
    t.notOk(state.asked.includes('POST /api/users/logout'), 'the sign-out is sent once');
  }
});

t.test('a pending sign-out ends with any final response of the server', async (t) => {
  const page = await kept(t);
  state.network = 'gone';
  t.equal(await call(page, '/api/users/logout', 'POST'), null);
  state.network = 'there';
  state.refuse.set('/logout', [403, { message: 'Refusé' }]);
  await page.goto('/user/dashboard');
  t.equal(await page.title(), 'GET /user/dashboard');
  state.refuse.clear();
});

/** Submits a plain form, like a tap on its button. */
const submitForm = (page: Page, action: string) =>
  page.evaluate((action) => {
    const form = Object.assign(document.createElement('form'), { method: 'post', action });
    document.body.append(form);
    form.submit();
  }, action);

t.test('after a sign-in nothing is shown before the server has confirmed the learner', async (t) => {
  const page = await kept(t);
  state.learner = 'une autre';
  // The contact route fails.
  state.refuse.set('/contact', [503, { message: 'Trop de monde' }]);
  await call(page, '/api/users/login', 'POST');
  t.match(await call(page, '/api/items/1/texte'), [200, /GET \/api\/items\/1\/texte/]);
  t.equal((await call(page, '/documents/5/Sujet.pdf'))?.[0], 200, 'requested from the server');
  t.ok(state.asked.filter((line) => line.endsWith('Sujet.pdf')).length > 1);
  await page.goto('/user/prepa/7');
  t.equal(await page.title(), 'GET /user/prepa/7');
  state.network = 'gone';
  t.equal(await call(page, '/api/items/1/texte'), null, 'not shown without network either');
  state.network = 'there';
  state.learner = 'moi';
  state.refuse.clear();
  await open(page);
  t.match(await contacted(page), { done: true, removed: [] });
  await page.goto('/user/prepa/7');
  t.equal(await page.title(), 'Gardée a1', 'the copy of this learner is shown again');
  state.learner = 'une autre';
  await open(page);
  t.match(await contacted(page), { removed: [{ id: 7 }] }, 'even if the server says that the copy may stay');
});

t.test('a failed sign-in leaves the kept prepa readable', async (t) => {
  const page = await kept(t);
  const isShown = async () => {
    await page.goto('/user/prepa/7');
    return (await page.title()) === 'Gardée a1';
  };
  state.network = 'gone';
  t.equal(await call(page, '/api/users/login', 'POST'), null);
  t.ok(await isShown(), 'without network');
  state.network = 'there';
  // The contact after a sign-in fails.
  state.refuse.set('/contact', [503, { message: 'Trop de monde' }]);
  for (const [path, status] of [
    ['/api/users/login', 401],
    ['/api/users/login', 503],
    ['/api/users/register', 400],
  ] as const) {
    state.refuse.set(path, [status, { message: 'Refusé' }]);
    t.equal((await call(page, path, 'POST'))?.[0], status);
    t.ok(await isShown(), `${path} answers ${status}`);
    state.refuse.delete(path);
  }
  await call(page, '/api/users/login', 'POST');
  state.network = 'gone';
  await call(page, '/api/users/login', 'POST');
  t.equal(await call(page, '/api/items/1/texte'), null, 'a failed sign-in does not undo the one before it');
});

t.test('the server is told that an ended copy is deleted, also after an overload', async (t) => {
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

t.test("an administrator's sign-out sends the marks and removes the device first, because the browser then clears all data", async (t) => {
  const page = await kept(t);
  await call(page, '/api/items/1/termine', 'POST');
  state.asked.length = 0;
  await call(page, '/api/admin/logout', 'POST');
  const said = state.asked.filter((line) => line.startsWith('POST') && !line.endsWith('contact'));
  t.same(said, ['POST /api/hors-ligne/marques', 'POST /api/hors-ligne/prepas/7/retirer', 'POST /api/admin/logout']);
  t.same(await remains(page), nothing);
});
