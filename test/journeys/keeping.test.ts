// Slow: a prepa is kept in a browser for each page that shows it.
import type { Page } from 'playwright-core';
import t from 'tap';
import { newPage } from '../support/browser.ts';
import { createEnrolment, createLearner, createPrepa } from '../support/factories.ts';
import { createCourse, openSite, presentSession } from '../support/journey.ts';
import { at, lookAt } from '../support/look.ts';

// Pages on which a learner saves prepas for offline reading, lists and removes them: their look in each state, and their messages in
// browsers that cannot save prepas.

const site = await openSite(t);
const look = lookAt(t, site);
const course = await createCourse(site);
const learner = await createLearner(site);
await createEnrolment(site, learner, course, 20);
const url = `/user/prepa/${course.id}/hors-ligne`;
const day = 86_400_000;

/** A complete copy, as in the browser's database. */
const kept = {
  id: course.id,
  nom: course.nom,
  format: 1,
  learner: 'x',
  device: 1,
  endAt: Date.now() + 20 * day,
  disciplines: null,
  pictures: true,
  documents: false,
  tag: 'x',
  complete: true,
  keptAt: Date.now() - day,
  updatedAt: Date.now() - day / 24,
  bytes: 423_000,
};

/** Writes these copies to the browser's database, signed with a new key. The server does not know them, so its contact route is blocked. */
async function holds(page: Page, ...copies: (typeof kept)[]): Promise<void> {
  await page.route('**/hors-ligne/contact', (route) => route.abort());
  await page.goto('/favicon.svg');
  await page.evaluate(async (records) => {
    const algorithm = { name: 'ECDSA', namedCurve: 'P-256', hash: 'SHA-256' };
    const { privateKey, publicKey } = await crypto.subtle.generateKey(algorithm, true, ['sign', 'verify']);
    const signed = async ({ learner, device, id: prepa, endAt: end }: { learner: string; device: number; id: number; endAt: number }) => {
      const said = JSON.stringify({ learner, device, prepa, end, signedAt: Date.now() });
      const bytes = new Uint8Array(await crypto.subtle.sign(algorithm, privateKey, new TextEncoder().encode(said)));
      const signature = btoa(String.fromCharCode(...bytes))
        .replaceAll('+', '-')
        .replaceAll('/', '_')
        .replaceAll('=', '');
      return { end: { said, signature }, publicKey: await crypto.subtle.exportKey('jwk', publicKey) };
    };
    const copies = await Promise.all(records.map(async (record) => ({ ...record, ...(await signed(record)) })));
    const stores = { meta: ['key'], copies: ['id'], disciplines: ['id', 'prepa'], items: ['id', 'prepa', 'discipline'] };
    const asked = indexedDB.open('prepa-hors-ligne', 1);
    asked.onupgradeneeded = () => {
      for (const [name, [keyPath, ...indexes]] of Object.entries({ ...stores, marks: ['item', 'prepa'], outbox: ['cle', 'prepa'] })) {
        const store = asked.result.createObjectStore(name, { keyPath: keyPath as string });
        for (const index of indexes) store.createIndex(index, index);
      }
    };
    await new Promise((resolve) => {
      asked.onsuccess = resolve;
    });
    const transaction = asked.result.transaction(['copies'], 'readwrite');
    for (const copy of copies) transaction.objectStore('copies').put(copy);
    await new Promise((resolve) => {
      transaction.oncomplete = resolve;
    });
    asked.result.close();
  }, copies);
}

/** Waits until the page's script controls the form. */
const ready = (page: Page): Promise<void> => page.locator('.keeping[data-state="ready"]').waitFor();

look('keeping a prepa', { as: learner }, at(url));
look('a prepa that is kept', { as: learner, moves: true, allow: [/ERR_FAILED/] }, async (page) => {
  await holds(page, kept);
  const response = await page.goto(url);
  await page.getByText('Gardée sur cet appareil').waitFor();
  await page.getByText('Contenu et taille', { exact: true }).click();
  await page.getByRole('checkbox').first().uncheck();
  await page.getByRole('button', { name: 'Garder ce choix' }).waitFor();
  return response;
});
look('a prepa that is kept in part, with no box ticked', { as: learner, moves: true, allow: [/ERR_FAILED/] }, async (page) => {
  await holds(page, { ...kept, complete: false });
  await page.goto(url);
  await page.getByText('Commencée sur cet appareil', { exact: false }).waitFor();
  await page.getByText('Contenu et taille', { exact: true }).click();
  for (const box of await page.getByRole('checkbox').all()) await box.uncheck();
  await page.getByRole('button', { name: 'Garder ce choix' }).click();
  await page.getByText('Cochez au moins une discipline.', { exact: true }).waitFor();
  return null;
});
const empty = await createPrepa(site, { nom: 'Sans disciplines' });
await createEnrolment(site, learner, empty, 20);
look('a prepa that is kept and has no disciplines any more', { as: learner, moves: true, allow: [/ERR_FAILED/] }, async (page) => {
  await holds(page, { ...kept, id: empty.id, nom: empty.nom });
  await page.goto(`/user/prepa/${empty.id}/hors-ligne`);
  await page.getByRole('button', { name: 'Supprimer de cet appareil' }).waitFor();
  t.same(await page.getByRole('button', { name: /Mettre à jour|Garder/ }).count(), 0);
  return null;
});
look('removing a prepa from the device', { as: learner, moves: true, allow: [/ERR_FAILED/] }, async (page) => {
  await holds(page, kept);
  await page.goto(url);
  await page.getByRole('button', { name: 'Supprimer de cet appareil' }).click();
  await page.getByRole('dialog', { name: 'Supprimer de cet appareil ?' }).waitFor();
  return null;
});
look('a prepa that is under way', { as: learner, moves: true, allow: [/ERR_FAILED/] }, async (page) => {
  await page.route('**/garder', () => {});
  await page.goto(url);
  await ready(page);
  await page.getByRole('button', { name: 'Garder hors ligne' }).click();
  await page.getByRole('button', { name: 'Mettre en pause' }).waitFor();
  return null;
});
look('keeping cut short', { as: learner, moves: true, allow: [/ERR_FAILED/] }, async (page) => {
  await page.route('**/garder', (route) => route.abort());
  await page.goto(url);
  await ready(page);
  await page.getByRole('button', { name: 'Garder hors ligne' }).click();
  await page.getByText("Le réseau s'est coupé.", { exact: false }).waitFor();
  return null;
});
look('a device that keeps nothing', { as: learner, moves: true, allow: [/ERR_FAILED/] }, async (page) => {
  const response = await page.goto('/user/hors-ligne');
  await page.getByText("Rien n'est gardé sur cet appareil.", { exact: true }).waitFor();
  return response;
});
look('prepas kept on a device', { as: learner, moves: true, allow: [/ERR_FAILED/] }, async (page) => {
  await holds(page, kept, { ...kept, id: 999, nom: 'Concours directs de la fonction publique', complete: false });
  await page.goto('/user/hors-ligne');
  await page.getByRole('link', { name: `Ouvrir ${course.nom}` }).waitFor();
  return null;
});

t.test('a prepa that the server removes from the device is named, with the reason', async (t) => {
  const page = await newPage(t, { width: 360, baseURL: site.url });
  await presentSession(page, site, learner);
  for (const [address, reason, why] of [
    [url, 'device-removed', 'cet appareil a été retiré de ceux qui la gardent'],
    ['/user/hors-ligne', 'other-account', 'elle était gardée pour un autre compte'],
  ] as const) {
    await holds(page, kept);
    const json = { now: Date.now(), learner: 'x', prepas: [{ id: course.id, state: 'remove', reason, end: null, tag: null }] };
    await page.route('**/hors-ligne/contact', (route) => route.fulfill({ json }));
    await page.goto(address);
    await page.getByText(`${course.nom} n'est plus gardée ici : ${why}.`, { exact: true }).waitFor();
  }
});

t.test('without a worker or a database one sentence explains it, and no useless button is shown', async (t) => {
  for (const [script, sentence] of [
    ['delete Navigator.prototype.serviceWorker', /Ce navigateur ne sait pas garder des pages hors ligne/],
    [
      "Object.defineProperty(window, 'indexedDB', { value: { open() { throw new DOMException('no', 'SecurityError'); }, databases: async () => [] } })",
      /Ce navigateur refuse de garder des données/,
    ],
  ] as const) {
    const page = await newPage(t, { width: 360, baseURL: site.url });
    await page.addInitScript(script);
    await presentSession(page, site, learner);
    await page.goto(url);
    await page.getByRole('status').getByText(sentence).waitFor();
    t.equal(await page.getByRole('button', { name: 'Garder hors ligne' }).count(), 0);
  }
});

t.test('without script the page shows a message at once, and the form returns to it', async (t) => {
  const page = await newPage(t, { width: 360, baseURL: site.url, javaScript: false });
  await presentSession(page, site, learner);
  await page.goto(url);
  t.match(await page.locator('main noscript').innerText(), 'Garder une préparation demande JavaScript');
  await page.getByRole('button', { name: 'Garder hors ligne' }).click();
  await page.getByText("Rien n'a pu être gardé", { exact: false }).waitFor();
  await page.goto('/user/hors-ligne');
  t.match(await page.locator('main noscript').innerText(), 'Sans JavaScript, ce navigateur ne garde rien');
});

t.test('without network the first tap leads to the kept prepas', async (t) => {
  const page = await newPage(t, { width: 360, baseURL: site.url, allow: [/ERR_(FAILED|INTERNET_DISCONNECTED)/] });
  await presentSession(page, site, learner);
  await holds(page, kept);
  await page.goto('/user/hors-ligne');
  const open = page.getByRole('link', { name: `Ouvrir ${course.nom}` });
  await open.waitFor();
  await page.context().setOffline(true);
  const asked = page.waitForRequest((request) => request.isNavigationRequest() && request.url().endsWith(`/user/prepa/${course.id}`));
  await open.click();
  await asked;
});
