import type { Page } from 'playwright-core';
import type { Test } from 'tap';
import { assertAccessible } from './accessible.ts';
import { call, createTestApp } from './app.ts';
import { newPage } from './browser.ts';
import { createAdministrator, createDiscipline, createDocument, createItem, createPrepa, type TestLearner } from './factories.ts';
import { presentSession } from './journey.ts';
import { picture, upload } from './multipart.ts';
import { createNetworkPath } from './network-path.ts';
import { assertLargeTextFits, assertNoOverflow, assertTargets } from './page-checks.ts';

/** What the browser itself writes to the console when the network is cut: for requests, and for the check for a new service worker. */
export const withoutNetwork = /Failed to load resource|ERR_|net::|Failed to fetch|error occurred when fetching the script/;

/** Opens a site whose prepas are kept on phones, with a network path between them that tests can cut. */
export async function openPhoneSite(t: Test) {
  const site = await createTestApp(t);
  const { app } = site;
  const listening = await app.listen({ host: '127.0.0.1', port: 0 });
  const path = await createNetworkPath(t, listening);
  const url = path.url.replace(/\/$/, '');
  const { session } = await createAdministrator(site);

  async function illustrated(titre: string, disciplineId: number, colour: string) {
    const { src } = (await upload(app, { method: 'POST', url: '/api/images', image: await picture(colour, 320, 180), session })).json();
    const payload = {
      titre,
      discipline_id: disciplineId,
      contenu: `<p>Voici la figure de ${titre}.</p><figure><img src="${src}" alt="Figure de ${titre}"></figure>`,
    };
    const { id } = (await call(app, { method: 'POST', url: '/api/lecons', session, payload })).json() as { id: number };
    return { id, titre };
  }

  /** Creates a prepa with two disciplines, each kind of item, pictures and a document. */
  async function createKept(nom: string) {
    const prepa = await createPrepa(site, { nom });
    const maths = await createDiscipline(site, prepa.id);
    const physics = await createDiscipline(site, prepa.id);
    const lesson = await illustrated(`Suites ${nom}`, maths.id, '#0274d9');
    const second = await createItem(site, maths.id, {
      titre: `Limites ${nom}`,
      numeroPage: 2,
      contenu: '<p>La limite d’une fonction dérivable.</p>',
    });
    const exercise = await createItem(site, maths.id, {
      kind: 'exercise',
      titre: `Calculs ${nom}`,
      duree: 30,
      contenu: '<p>Calculer la somme.</p>',
      corrige: '<p>La réponse est 42.</p>',
    });
    const waves = await illustrated(`Ondes ${nom}`, physics.id, '#be0050');
    await createDocument(site, lesson.id, { nom: 'Fiche' });
    return { prepa, maths, physics, lesson, second, exercise, waves };
  }

  /** Opens a learner's phone that uses the breakable network path. */
  async function phoneOf(t: Test, learner: TestLearner, allow: RegExp[] = []): Promise<Page> {
    const page = await newPage(t, { width: 360, baseURL: url, allow: [withoutNetwork, ...allow] });
    await presentSession(page, { url }, learner);
    t.teardown(() => online(page));
    return page;
  }

  async function online(page: Page): Promise<void> {
    path.restore();
    path.close('reset');
    await page.context().setOffline(false);
  }

  /**
   * Sets the site's clock to the present, which is the phones' time. It stands still otherwise, and moves the times of later answers to its
   * own. An hour more would be another day late in the evening.
   */
  const catchUp = () => site.clock.advance(Math.max(0, Date.now() - site.clock.now().getTime()));

  return {
    site,
    url,
    path,
    catchUp,
    /** The application's own address. */
    listening,
    createKept,
    phoneOf,
    /** Drops all data without notice to the browser: requests hang. */
    hang: () => path.cut(),
    online,
  };
}

/** Sets the browser offline, so that it knows that there is no network. */
export const offline = (page: Page): Promise<void> => page.context().setOffline(true);

export async function keep(page: Page, prepaId: number): Promise<void> {
  await page.goto(`/user/prepa/${prepaId}`);
  await page.getByRole('link', { name: 'Garder hors ligne' }).click();
  await page.getByRole('checkbox', { name: /document/ }).check();
  await page.getByRole('button', { name: 'Garder hors ligne' }).click();
  await page.getByText('Gardée sur cet appareil').first().waitFor();
}

/** Asserts accessibility: targets large enough for a finger, text twice as large, no axe violation. */
export async function assertForAll(t: Test, page: Page): Promise<void> {
  await assertNoOverflow(t, page);
  await assertTargets(t, page);
  await assertLargeTextFits(t, page);
  await assertAccessible(t, page, { within: 'main' });
}

/** Returns the readable data that the site stores in this browser: caches with their entries, databases with their rows. */
export const kept = (page: Page) =>
  page.evaluate(async () => {
    const found: string[] = [];
    for (const name of await caches.keys())
      for (const { url } of await (await caches.open(name)).keys()) found.push(`${name} ${new URL(url).pathname}`);
    for (const { name } of await indexedDB.databases()) {
      const database = await new Promise<IDBDatabase | null>((resolve) => {
        const asked = indexedDB.open(String(name));
        // It was deleted meanwhile: an empty one in its place would disturb the site's scripts.
        asked.onupgradeneeded = () => asked.transaction?.abort();
        asked.onsuccess = () => resolve(asked.result);
        asked.onerror = () => resolve(null);
      });
      if (!database) continue;
      for (const store of database.objectStoreNames) {
        const count = await new Promise<number>((resolve) => {
          const asked = database.transaction(store).objectStore(store).count();
          asked.onsuccess = () => resolve(asked.result);
        });
        if (count > 0 && store !== 'meta' && store !== 'outbox') found.push(`${name} ${store} ${count}`);
      }
      database.close();
    }
    return found;
  });
