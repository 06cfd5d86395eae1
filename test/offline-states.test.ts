// Slow: a prepa is kept in a browser and brought into each of its states.
import type { Page } from 'playwright-core';
import t from 'tap';
import { all, call, contacted, entries, keep, keepingBrowser, nothing, open, remains } from './support/keeping-browser.ts';

// Each state of a kept prepa with each action, in a real browser, as in the tables of docs/conformance/offline.md.

const { state, kept } = await keepingBrowser(t);

/** Returns the result of each action: the kept copy, the server's response, or nothing. Begins on a page of the site. */
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
    today: '/user/dashboard',
  })) {
    const came = await page.goto(path).catch((error: Error) => {
      // The browser's own error, or a late one of the previous page.
      if (!/net::ERR|chrome-error/.test(error.message)) throw error;
    });
    shown[action] = !came ? 'nothing' : (await page.title()) === 'Gardée a1' ? 'copy' : 'server';
  }
  return shown;
}

t.test('each state and each action: the copy, the server, or nothing', async (t) => {
  const reading = ['open', 'read', 'practise', 'correction', 'search', 'document', 'next', 'resume', 'mark'];
  const shown = (what: string, again = what) =>
    Object.fromEntries([...reading.map((action) => [action, what]), ['again', again], ['today', again]]);

  /** Asserts that a kept prepa can be removed at once; the server is told when possible. */
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
    t.same(await whatIsShown(page), shown('copy', 'server'), "the server's 'à revoir' and dashboard have all prepas");
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
    t.same(await whatIsShown(tab), shown('server'), 'which reports that the access has ended');
  });

  await t.test('renewed: a later end, and nothing is fetched for it', async (t) => {
    const page = await kept(t);
    const before = state.end;
    state.end += 1e9;
    state.asked.length = 0;
    t.match(await contacted(page), { done: true, changed: [] });
    t.same(state.asked, ['POST /api/hors-ligne/contact', 'GET /api/hors-ligne/prepas/7/marques'], 'no text and no file is fetched');
    await page.evaluate(async (end) => (await offline.openStore()).see(end + 1), before);
    state.network = 'gone';
    t.same(await whatIsShown(page), shown('copy'), 'after the first signed end');
    await assertRemovable(page);
  });

  await t.test('session run out', async (t) => {
    const page = await kept(t);
    Object.assign(state, { says: 'sign-in', learner: null });
    t.match(await contacted(page), { signIn: [7], removed: [] });
    t.same(await whatIsShown(page), shown('copy', 'server'));
    await open(page);
    t.ok((await entries(page)).length > 0, 'marks wait for their learner');
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
