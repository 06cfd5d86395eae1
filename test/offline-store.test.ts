import { createServer } from 'node:http';
import type { AddressInfo } from 'node:net';
import t from 'tap';
import type { isFull, openStore, Store } from '../islands/offline/page/store/store.ts';
import type { KeptItem, OutboxEntry, TextsAnswer } from '../src/shared/offline/offline-copy.ts';
import { newPage, openBrowser } from './support/browser.ts';
import { browserModules } from './support/browser-modules.ts';

// The store of kept prepas, in a real browser: full and partial texts, shared pictures, marks with the outbox, the highest time, removal,
// and storage that is refused or full.

const modules = await browserModules({ store: 'islands/offline/page/store/store.ts' });
const files: Record<string, [string, string]> = {
  '/': ['text/html', '<!DOCTYPE html><html lang="fr"><title>Essai</title><script type="module" src="/start.js"></script>'],
  '/start.js': ['text/javascript', `import * as store from '/store.js'; globalThis.offline = store;`],
  '/favicon.ico': ['image/png', ''],
};
const server = createServer((request, response) => {
  const script = modules[request.url ?? ''];
  const [type, body] = script ? ['text/javascript', script] : (files[request.url ?? ''] ?? ['text/plain', '']);
  response.writeHead(200, { 'content-type': `${type}; charset=utf-8` }).end(body);
});
await new Promise<void>((resolve) => server.listen(0, '127.0.0.1', resolve));
t.teardown(() => server.close());
const baseURL = `http://127.0.0.1:${(server.address() as AddressInfo).port}`;
await openBrowser(t);
let page = await newPage(t, { width: 360, baseURL });

/** Available in the page. */
declare const offline: { openStore: typeof openStore; isFull: typeof isFull };

/** Reloads the page; the store stays unchanged. */
async function load(): Promise<void> {
  await page.goto('/');
  await page.waitForFunction(() => 'offline' in globalThis);
}

/** Loads the page with an empty store. */
async function start(): Promise<void> {
  await load();
  await page.evaluate(async () => (await offline.openStore()).forgetAll());
}

const item = (id: number, version: number, more: Partial<KeptItem> = {}): KeptItem => ({
  id,
  kind: 'course',
  titre: `Leçon ${id}`,
  annee: null,
  duree: null,
  version,
  contenu: `<p>Texte ${id}, version ${version}</p>`,
  corrige: null,
  pictures: [],
  documents: [],
  ...more,
});

/** Returns the server's response for a prepa: the items of its disciplines, and the texts that it includes. */
const texts = (prepa: number, disciplines: [number, KeptItem[]][], brought?: KeptItem[]): TextsAnswer => ({
  format: 1,
  prepa: { id: prepa, nom: `Prépa ${prepa}` },
  tag: `${prepa}.${disciplines
    .flatMap(([, items]) => items)
    .map(({ version }) => version)
    .join('.')}`,
  disciplines: disciplines.map(([id, items]) => ({
    id,
    nom: `Discipline ${id}`,
    description: '',
    image: null,
    items: items.map(({ id, version }) => ({ id, version })),
  })),
  items: brought ?? disciplines.flatMap(([, items]) => items),
});

/** Keeps a prepa with these texts. */
const keep = (answer: TextsAnswer) =>
  page.evaluate(async (answer) => {
    const store = await offline.openStore();
    const { id, nom } = answer.prepa;
    const end = { said: '', signature: '' };
    const choice = { disciplines: null, pictures: true, documents: true };
    const times = { endAt: Date.now() + 1e9, keptAt: Date.now(), updatedAt: Date.now() };
    await store.putCopy({
      id,
      nom,
      format: 1,
      learner: 'moi',
      device: 1,
      end,
      publicKey: {},
      tag: '',
      complete: true,
      bytes: 0,
      ...choice,
      ...times,
    });
    return store.applyTexts(id, answer);
  }, answer);

/** Returns the result of a call of the store. */
const ask = <Result>(use: (store: Store) => Promise<Result>): Promise<Result> =>
  page.evaluate(`(async () => (${use})(await offline.openStore()))()`) as Promise<Result>;

const idsOf = (rows: { id: number }[]) => rows.map(({ id }) => id);

t.test('texts come completely, then only changes; items that are in no list are removed', async (t) => {
  await start();
  const [first, second, third] = [item(1, 1), item(2, 1), item(3, 1)];
  t.same(
    await keep(
      texts(7, [
        [30, [second]],
        [20, [first, third]],
      ]),
    ),
    { changed: [2, 1, 3], missing: [] },
  );
  t.same(idsOf(await ask((store) => store.disciplinesOf(7))), [30, 20], "in the server's order");
  const newer = item(1, 2);
  const moved = texts(7, [[30, [second, newer]]], [newer]);
  moved.disciplines.push({ id: 10, nom: 'Discipline 10', description: '', image: null, items: [] });
  const applied = await page.evaluate(async (answer) => (await offline.openStore()).applyTexts(7, answer), moved);
  t.same(applied, { changed: [1], missing: [] });
  t.same(idsOf(await ask((store) => store.disciplinesOf(7))), [30, 10]);
  t.same(idsOf(await ask((store) => store.itemsOf(7))), [1, 2]);
  t.match(await ask((store) => store.item(1)), { prepa: 7, discipline: 30, version: 2, contenu: '<p>Texte 1, version 2</p>' });
  t.equal(await ask((store) => store.item(3)), undefined);
  t.match(await ask((store) => store.copy(7)), { nom: 'Prépa 7', tag: moved.tag });

  const lacking = texts(7, [[30, [item(2, 5), newer]]], []);
  const said = await page.evaluate(async (answer) => (await offline.openStore()).applyTexts(7, answer), lacking);
  t.same(said, { changed: [], missing: [2] }, 'the device has another version');
  const unkept = await page.evaluate(async (answer) => (await offline.openStore()).applyTexts(8, answer), texts(8, [[1, [item(9, 1)]]]));
  t.equal(unkept, null, 'no texts of a prepa that is not kept are stored');
  t.equal(await ask((store) => store.item(9)), undefined);
});

t.test('a picture is removed with the last copy that shows it, everything with the last copy', async (t) => {
  await start();
  const [shared, own] = [
    { name: 'a.webp', octets: 3 },
    { name: 'b.webp', octets: 3 },
  ];
  const document = { id: 1, nom: 'Sujet', octets: 3, url: "/documents/1/L'%C3%A9t%C3%A9.pdf" };
  await keep(texts(1, [[1, [item(1, 1, { pictures: [shared, own], documents: [document] })]]]));
  await keep(texts(2, [[2, [item(2, 1, { pictures: [shared] })]]]));
  const kept = () =>
    page.evaluate(async () => {
      const names = await caches.keys();
      const paths = await Promise.all(
        names.map(async (name) => (await (await caches.open(name)).keys()).map(({ url }) => new URL(url).pathname)),
      );
      return paths.flat().sort();
    });
  await page.evaluate(async (url) => {
    for (const name of ['a.webp', 'b.webp'])
      await (await caches.open('prepa-hors-ligne-images')).put(`/media/content/${name}`, new Response('x'));
    await (await caches.open('prepa-hors-ligne-documents')).put(url, new Response('x'));
    await (await caches.open('prepa-hors-ligne-page-1')).put('/user/hors-ligne/page', new Response('x'));
    await (await caches.open('another')).put('/other', new Response('x'));
  }, document.url);
  t.equal((await kept()).length, 5);
  await ask((store) => store.sweep());
  t.equal((await kept()).length, 5, 'all files are in use');
  await ask((store) => store.forget(1));
  t.same(await kept(), ['/media/content/a.webp', '/other', '/user/hors-ligne/page']);
  t.same(idsOf(await ask((store) => store.copies())), [2]);
  t.same(await ask((store) => store.itemsOf(1)), []);
  t.same(await ask((store) => store.untold()), [1], 'the server must be informed');
  await ask((store) => store.told(1));
  t.same(await ask((store) => store.untold()), []);
  await ask((store) => store.forget(2));
  t.same(await kept(), ['/other']);
  t.same(await ask((store) => store.untold()), [2]);
});

t.test('marks are the server marks plus the outbox; sent marks stay', async (t) => {
  await start();
  const exercise = item(2, 1, { kind: 'exercise', corrige: '<p>2</p>' });
  await keep(texts(7, [[1, [item(1, 1), exercise, item(3, 1)]]]));
  const mark = (item: number, readAt: number) => ({ item, readAt, finished: false, verdict: null, markedAt: null, times: 0 });
  await page.evaluate(async (marks) => (await offline.openStore()).putMarks(7, marks), [mark(1, 5_000), mark(2, 5_000)]);
  const add = (...entries: [OutboxEntry['type'], number, number][]) =>
    page.evaluate(async (entries) => {
      const store = await offline.openStore();
      for (const [type, item, le] of entries) await store.addEntry({ cle: `${type} ${item} ${le}`, type, item, le });
    }, entries);
  await add(['lu', 1, 4_000], ['termine', 2, 6_000], ['lu', 3, 7_000], ['termine', 3, 8_000]);
  const marks = () => ask(async (store) => Object.fromEntries(await store.marksOf(7)));
  t.match(await marks(), {
    1: { readAt: 5_000, finished: false },
    2: { readAt: 6_000, finished: false, verdict: null },
    3: { readAt: 8_000, finished: true, times: 0 },
  });
  await add(['reussi', 2, 100_000], ['a_revoir', 2, 90_000], ['reussi', 2, 20_000]);
  const practised = { readAt: 6_000, finished: true, verdict: 'reussi', markedAt: 100_000, times: 2 };
  t.match((await marks())[2], practised, 'the latest verdict; within a minute it is the same practice');
  const before = await marks();
  const keys = (await ask((store) => store.entries())).map(({ cle }) => cle);
  t.equal(keys[0], 'lu 1 4000', 'the oldest first');
  t.match(
    await ask((store) => store.entries()),
    keys.map(() => ({ prepa: 7, learner: 'moi' })),
  );
  await page.evaluate(async (keys) => (await offline.openStore()).dropEntries([...keys, 'unknown']), keys);
  t.same(await ask((store) => store.entries()), []);
  t.same(await marks(), before);

  await t.rejects(add(['lu', 99, 1]), /not kept/);
  await add(['lu', 1, 9_000]);
  await ask((store) => store.forget(7));
  t.match(await ask((store) => store.entries()), [{ item: 1, le: 9_000, learner: 'moi' }], 'an entry from before the end is still sent');
});

t.test('only a signed time lowers the stored time; the device keeps its UUID', async (t) => {
  await start();
  const before = Date.now();
  t.ok((await ask((store) => store.now())) >= before, 'without a copy, the clock of the device counts');
  t.same(await databases(), [], 'reading creates no database');
  const later = before + 1e9;
  await page.evaluate(async (ms) => (await offline.openStore()).see(ms), later);
  await load();
  t.equal(await ask((store) => store.now()), later);
  await ask((store) => store.see(1));
  t.equal(await ask((store) => store.now()), later);
  await ask((store) => store.trust(1));
  t.ok((await ask((store) => store.now())) < later);
  const seen = await page.evaluate(async () => {
    const store = await offline.openStore();
    const real = Date.now;
    Date.now = () => real() - 1e8;
    const now = await store.now();
    Date.now = real;
    return now;
  });
  t.ok(seen >= before, 'a time once reported by the device counts too');
  const device = await ask((store) => store.device());
  t.match(device, /^[0-9a-f]{8}-[0-9a-f]{4}-4[0-9a-f]{3}-[89ab][0-9a-f]{3}-[0-9a-f]{12}$/);
  await load();
  t.equal(await ask((store) => store.device()), device);
  await ask((store) => store.forgetAll());
  t.not(await ask((store) => store.device()), device, 'after everything was removed the device has another UUID');
});

const databases = () => page.evaluate(async () => (await indexedDB.databases()).map(({ name }) => name));

t.test('everything is removed at once, even while another tab has the store open', async (t) => {
  await start();
  await keep(texts(7, [[1, [item(1, 1)]]]));
  const tab = await page.context().newPage();
  await tab.goto('/');
  await tab.waitForFunction(() => 'offline' in globalThis);
  const copies = () => tab.evaluate(async () => (await (await offline.openStore()).copies()).length);
  t.equal(await copies(), 1);
  await ask((store) => store.forgetAll());
  t.same(await databases(), []);
  t.equal(await copies(), 0);
  t.same(await databases(), [], 'a read in the other tab creates no database');
  await keep(texts(7, [[1, [item(1, 1)]]]));
  t.equal(await copies(), 1, 'both tabs see a new copy');
  await tab.close();
});

t.test('refused storage is reported', async (t) => {
  const refusedBy = (refuse: string) =>
    page.evaluate(`(async () => {
      ${refuse};
      return offline.openStore().then(() => 'opened', (error) => error.message + ', ' + offline.isFull(error));
    })()`);
  for (const refuse of [
    `Object.defineProperty(globalThis, 'indexedDB', { value: undefined })`,
    `IDBFactory.prototype.open = () => { throw new DOMException('no', 'SecurityError') }`,
    `IDBFactory.prototype.open = () => { const asked = new EventTarget(); setTimeout(() => asked.onerror()); return asked }`,
  ]) {
    await load();
    t.equal(await refusedBy(refuse), 'storage refused, false', refuse);
  }
});

t.test('full storage is reported, and keeps its content', async (t) => {
  // A browser checks its quota before the first write, and again after half a minute.
  page = await newPage(t, { width: 360, baseURL });
  await load();
  const session = await page.context().newCDPSession(page);
  const origin = baseURL;
  await session.send('Storage.overrideQuotaForOrigin', { origin, quotaSize: 5_000_000 });
  await keep(texts(7, [[1, [item(1, 1)]]]));
  const full = await page.evaluate(async () => {
    const store = await offline.openStore();
    const found = await store.item(1);
    const kept = await store.disciplinesOf(7);
    if (!found) return null;
    const contenu = Array.from({ length: 8_000_000 }, () => String.fromCharCode(32 + Math.random() * 90)).join('');
    const items = [{ ...found, version: 2, contenu }];
    const disciplines = kept.map((discipline) => ({ ...discipline, items: [{ id: 1, version: 2 }] }));
    return store.applyTexts(7, { format: 1, prepa: { id: 7, nom: 'x' }, tag: 'new', disciplines, items }).then(
      () => 'kept',
      (error) => `${error.message}, ${offline.isFull(error)}`,
    );
  });
  t.equal(full, 'storage refused, true');
  await session.send('Storage.overrideQuotaForOrigin', { origin });
  t.match(await ask((store) => store.item(1)), { version: 1 });
  t.equal((await ask((store) => store.copy(7)))?.nom, 'Prépa 7');
});
