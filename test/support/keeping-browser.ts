import { readFileSync } from 'node:fs';
import { join } from 'node:path';
import type { Page } from 'playwright-core';
import type { Test } from 'tap';
import type { contact } from '../../islands/offline/page/contact.ts';
import type { Choice, KeepProgress, keepPrepa } from '../../islands/offline/page/keep.ts';
import type { missingFiles } from '../../islands/offline/page/kept-files.ts';
import type { openStore } from '../../islands/offline/page/store/store.ts';
import type { sayMark } from '../../islands/study/say-mark.ts';
import { projectRoot } from '../../src/platform/settings/project-root.ts';
import type { KeptItem } from '../../src/shared/offline/offline-copy.ts';
import { newPage, openBrowser } from './browser.ts';
import { browserModules } from './browser-modules.ts';
import { offlineServer } from './offline-server.ts';

declare global {
  /** Modules of islands/ that a page of `keepingBrowser` exposes. */
  var offline: {
    keepPrepa: typeof keepPrepa;
    contact: typeof contact;
    openStore: typeof openStore;
    sayMark: typeof sayMark;
    missingFiles: typeof missingFiles;
  };
}

const start = `import { keepPrepa } from '/keep.js'; import { contact } from '/contact.js'; import { openStore } from '/store.js'; import { sayMark } from '/say-mark.js'; import { missingFiles } from '/kept-files.js';
  globalThis.offline = { keepPrepa, contact, openStore, sayMark, missingFiles };`;
export const shell = (release: string) =>
  `<!DOCTYPE html><html lang="fr"><title>Gardée</title><div data-behaviour="kept-page" data-assets="[&quot;/assets/${release}.js&quot;]">${release}</div><script type="module" src="/assets/${release}.js"></script>`;
export const script = (file: string): [string, string] => ['text/javascript', file];

export const item = (id: number, more: Partial<KeptItem> = {}): KeptItem => ({
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
export const initial = [
  item(1, { pictures: [{ name: 'a.webp', octets: 1000 }] }),
  item(2, {
    kind: 'exercise',
    corrige: '<p>Corrigé 2</p>',
    pictures: [{ name: 'b.webp', octets: 1000 }],
    documents: [{ id: 5, nom: 'Sujet', octets: 2000, url: '/documents/5/Sujet.pdf' }],
  }),
];

/**
 * Starts a server with one prepa for offline reading (`offlineServer`) and a browser. The server's pages have the built service worker and
 * the modules of islands/ that save prepas.
 */
export async function keepingBrowser(t: Test) {
  const modules = await browserModules({
    keep: 'islands/offline/page/keep.ts',
    contact: 'islands/offline/page/contact.ts',
    store: 'islands/offline/page/store/store.ts',
    'say-mark': 'islands/study/say-mark.ts',
    'kept-files': 'islands/offline/page/kept-files.ts',
  });
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

  /** Opens a new browser context on a page of the site, and resets the server's state. */
  async function begin(t: Test): Promise<Page> {
    const at = { network: 'there', learner: 'moi', end: Date.now() + 1e9, says: 'keep', reason: null } as const;
    Object.assign(state, at, { items: initial, earlier: [], marks: [], asked: [], refuse: new Map(), taken: new Map() });
    state.files['/user/hors-ligne/page'] = ['text/html', shell('a1')];
    const page = await newPage(t, { width: 360, baseURL: url, allow: [/Failed to load|net::ERR|status of/] });
    await open(page);
    return page;
  }

  /** Saves the prepa for offline reading and waits until the service worker controls the page. */
  async function kept(t: Test, choice: Partial<Choice> = {}): Promise<Page> {
    const page = await begin(t);
    t.same((await keep(page, choice)).outcome, { kept: true });
    await page.waitForFunction(() => navigator.serviceWorker.controller?.state === 'activated');
    return page;
  }

  return { state, url, begin, kept };
}

/** Opens an empty page of the site whose script exposes `offline`. */
export async function open(page: Page): Promise<void> {
  await page.goto('/vide');
  await page.waitForFunction(() => 'offline' in globalThis);
}

export const all: Choice = { prepa: 7, disciplines: null, pictures: true, documents: true };

/** Saves the prepa as a page does; returns the outcome and the progress messages. */
export const keep = (page: Page, choice: Partial<Choice> = {}) =>
  page.evaluate(
    async (choice) => {
      const said: KeepProgress[] = [];
      const outcome = await offline.keepPrepa(choice, (progress) => said.push(progress), new AbortController().signal);
      await navigator.serviceWorker.ready;
      return { outcome, said };
    },
    { ...all, ...choice },
  );

/** Saves the prepa without waiting for the service worker. */
export const tryToKeep = (page: Page) => page.evaluate((choice) => offline.keepPrepa(choice, () => {}, new AbortController().signal), all);

export const contacted = (page: Page) => page.evaluate(() => offline.contact({ forced: true }));

/** Returns the site's data in the browser: databases, caches, workers. */
export const remains = (page: Page) =>
  page.evaluate(async () => ({
    databases: (await indexedDB.databases()).map(({ name }) => name),
    caches: await caches.keys(),
    workers: (await navigator.serviceWorker.getRegistrations()).length,
  }));
export const nothing = { databases: [], caches: [], workers: 0 };

/** Sends a request from the page; returns its status and text, or null without a network. */
export const call = (page: Page, path: string, method = 'GET') =>
  page.evaluate(
    ([path, method]) =>
      fetch(path, { method }).then(
        async (response) => [response.status, await response.text()],
        () => null,
      ),
    [path, method] as const,
  );

export const entries = (page: Page) =>
  page.evaluate(async () => (await (await offline.openStore()).entries()).map(({ type, item }) => `${type} ${item}`));
