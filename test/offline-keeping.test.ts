import { readFileSync } from 'node:fs';
import { join } from 'node:path';
import t from 'tap';
import type { KeepProgress } from '../islands/offline/page/keep.ts';
import { projectRoot } from '../src/platform/settings/project-root.ts';
import { all, call, keep, keepingBrowser, nothing, remains, tryToKeep } from './support/keeping-browser.ts';

// Keeping a prepa, in a real browser: the requests that it sends, and its failures.

const { state, url, begin } = await keepingBrowser(t);

t.test('a prepa is kept with everything its pages need; the worker precaches nothing and is small', async (t) => {
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
  t.notMatch(state.asked.join(), /media|documents|assets|textes/, 'a second time only changed texts and the page are fetched');
  const size = readFileSync(join(projectRoot, 'dist/client/service-worker.js')).length;
  t.ok(size <= 13 * 1024, `${size} bytes`);
});

t.test('a prepa removed during its download leaves nothing', async (t) => {
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

t.test('a device whose clock is past the end reports it, and is removed on the server', async (t) => {
  const page = await begin(t);
  const ahead = state.end + 1e6;
  await page.evaluate((ms) => {
    Date.now = () => ms;
  }, ahead);
  t.same(await tryToKeep(page), { kept: false, reason: 'clock' });
  t.ok(state.asked.includes('POST /api/hors-ligne/prepas/7/retirer'));
  t.same(await remains(page), nothing);
});

t.test('an HTML page instead of a picture is not accepted', async (t) => {
  const page = await begin(t);
  const picture = state.files['/media/content/a.webp'];
  t.teardown(() => Object.assign(state.files, { '/media/content/a.webp': picture }));
  state.files['/media/content/a.webp'] = ['text/html', '<!DOCTYPE html><title>Portail</title>'];
  t.match((await tryToKeep(page)) as object, { kept: false, reason: 'network' });
  Object.assign(state.files, { '/media/content/a.webp': picture });
  t.same((await keep(page)).outcome, { kept: true });
  t.equal(String((await call(page, '/media/content/a.webp'))?.[1]).length, 1000);
});

t.test('failures are reported, and downloaded parts stay', async (t) => {
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
  t.same(await outcome(), { kept: true }, 'the download continues with the missing files');
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
  t.same(refused, { kept: true }, 'the database is already open');
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
