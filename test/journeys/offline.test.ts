// Slow: a prepa is kept in a browser for each way in which it ends.
import type { Page } from 'playwright-core';
import t, { type Test } from 'tap';
import { buildApp } from '../../src/app.ts';
import { dayMs, formatShortDay } from '../../src/shared/dates.ts';
import { assertAccessible } from '../support/accessible.ts';
import { call, createTestApp } from '../support/app.ts';
import { newPage, stepScreenshot } from '../support/browser.ts';
import {
  createAdministrator,
  createDiscipline,
  createDocument,
  createEnrolment,
  createItem,
  createLearner,
  createPrepa,
  type TestLearner,
} from '../support/factories.ts';
import { presentSession, until } from '../support/journey.ts';
import { picture, upload } from '../support/multipart.ts';
import { createNetworkPath } from '../support/network-path.ts';
import { assertLargeTextFits, assertNoOverflow, assertTargets } from '../support/page-checks.ts';
import { sql } from '../support/sql.ts';

// A prepa that is kept on a phone: read, practised and searched without network, sent later, and gone when it has to be.

const site = await createTestApp(t);
const { app, databaseUrl } = site;
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

/** Two disciplines with each kind of item, pictures and a document. */
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

/** A phone of a learner's, through the network that the tests cut. */
async function phoneOf(t: Test, learner: TestLearner, allow: RegExp[] = []): Promise<Page> {
  const page = await newPage(t, { width: 360, baseURL: url, allow: [/Failed to load resource|ERR_|net::|Failed to fetch/, ...allow] });
  await presentSession(page, { url }, learner);
  t.teardown(() => online(page));
  return page;
}

async function keep(page: Page, prepaId: number): Promise<void> {
  await page.goto(`/user/prepa/${prepaId}`);
  await page.getByRole('link', { name: 'Garder hors ligne' }).click();
  await page.getByRole('checkbox', { name: /document/ }).check();
  await page.getByRole('button', { name: 'Garder hors ligne' }).click();
  await page.getByText('Gardée sur cet appareil').first().waitFor();
}

/** Nothing gets through any more, and the browser is told nothing: a call hangs. */
const hang = () => path.cut();
/** The browser knows it. */
const offline = (page: Page) => page.context().setOffline(true);
async function online(page: Page): Promise<void> {
  path.restore();
  path.close('reset');
  await page.context().setOffline(false);
}

/** For every reader: room for a finger, letters twice as large, nothing that axe finds. */
async function assertForAll(t: Test, page: Page): Promise<void> {
  await assertNoOverflow(t, page);
  await assertTargets(t, page);
  await assertLargeTextFits(t, page);
  await assertAccessible(t, page, { within: 'main' });
}

/** All that can be read of what the site keeps in this browser: names of caches with their entries, databases with their rows. */
const kept = (page: Page) =>
  page.evaluate(async () => {
    const found: string[] = [];
    for (const name of await caches.keys())
      for (const { url } of await (await caches.open(name)).keys()) found.push(`${name} ${new URL(url).pathname}`);
    for (const { name } of await indexedDB.databases()) {
      const database = await new Promise<IDBDatabase>((resolve, reject) => {
        const asked = indexedDB.open(String(name));
        asked.onsuccess = () => resolve(asked.result);
        asked.onerror = () => reject(asked.error);
      });
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

t.test('kept, then read, practised, marked and searched without network; the server hears of it later', async (t) => {
  const content = await createKept('Bus');
  const learner = await createLearner(site);
  await createEnrolment(site, learner, content.prepa);
  const page = await phoneOf(t, learner);
  await keep(page, content.prepa.id);
  await stepScreenshot(page, 'offline-kept');
  const base = `/user/prepa/${content.prepa.id}`;
  const maths = `${base}/${content.maths.id}`;

  await t.test('while the network hangs, every item with its pictures', async (t) => {
    hang();
    await page.goto(base);
    await page.getByRole('heading', { name: content.prepa.nom }).waitFor();
    for (const [discipline, kind, { id, titre }] of [
      [content.maths, 'course', content.lesson],
      [content.maths, 'course', content.second],
      [content.maths, 'exercise', content.exercise],
      [content.physics, 'course', content.waves],
    ] as const) {
      await page.goto(`${base}/${discipline.id}?type=${kind}&item=${id}`);
      await page.getByRole('heading', { name: titre }).waitFor();
      await page.waitForFunction(() => [...document.images].every((one) => one.complete && one.naturalWidth > 0));
    }
    t.equal(await page.getByRole('img', { name: `Figure de ${content.waves.titre}` }).count(), 1);
    await stepScreenshot(page, 'offline-study');
    await assertForAll(t, page);
    await page.emulateMedia({ media: 'print' });
    t.equal(await page.locator('[data-kept-state]').isVisible(), false, 'of the copy nothing is printed');
    await page.emulateMedia({ media: 'screen' });
  });

  await t.test('in place, and the document', async (t) => {
    await offline(page);
    await page.goto(maths);
    await page.getByRole('heading', { name: content.lesson.titre }).waitFor();
    await page.getByRole('status').getByText('Hors connexion', { exact: true }).waitFor();
    await page.getByRole('link', { name: 'Suivant' }).click();
    await page.getByRole('heading', { name: content.second.titre }).waitFor();
    await page.goto(maths);
    const size = await page.evaluate(
      async (address) => (await (await fetch(address)).arrayBuffer()).byteLength,
      await documentAddress(page),
    );
    t.ok(size > 0, 'the document is here');
  });

  await t.test('a practice with its timer, its correction and a mark', async (t) => {
    await page.goto(`${maths}/entrainement?type=exercise&item=${content.exercise.id}`);
    await page.getByRole('button', { name: 'Démarrer' }).click();
    await page.getByRole('button', { name: 'Pause' }).waitFor();
    await page.getByRole('link', { name: 'Voir le corrigé' }).click();
    await page.getByText('La réponse est 42.').waitFor();
    await page.getByRole('button', { name: 'À revoir' }).click();
    await page.getByRole('heading', { name: /Entraînement noté/ }).waitFor();
    await stepScreenshot(page, 'offline-outcome');
    await page.goto('/user/a-revoir');
    await page.getByRole('link', { name: content.exercise.titre }).waitFor();
    await page.goto(`${base}`);
    await page.getByText('1 sur 3 terminé').waitFor();
    await page.getByText('progression à envoyer (4 contenus)', { exact: false }).waitFor();
    await assertForAll(t, page);
    t.pass('the progress counts it');
  });

  await t.test('a search in what is kept', async () => {
    await page.goto(`/user/recherche?q=derivable&prepa=${content.prepa.id}`);
    await page.getByRole('link', { name: content.second.titre }).waitFor();
    await stepScreenshot(page, 'offline-search');
  });

  await t.test('another page says that the network is away, and what can be read', async (t) => {
    await page.goto('/user/dashboard');
    await page.getByRole('heading', { name: 'Vous êtes hors connexion' }).waitFor();
    await page.getByRole('link', { name: content.prepa.nom }).first().waitFor();
    await stepScreenshot(page, 'offline-elsewhere');
    await assertForAll(t, page);
  });

  await t.test('with the network back the server has all of it', async (t) => {
    t.same(await sql(databaseUrl, 'select verdict from practice where user_id = $1', [learner.id]), []);
    await online(page);
    await page.goto(base);
    await page.getByRole('heading', { name: content.prepa.nom }).waitFor();
    await page.getByRole('link', { name: 'Gérer la copie gardée' }).waitFor();
    await until(async () => (await sql(databaseUrl, 'select from practice where user_id = $1', [learner.id])).length === 1);
    t.match(await sql(databaseUrl, 'select item_id, verdict, times from practice where user_id = $1', [learner.id]), [
      { item_id: content.exercise.id, verdict: 'a_revoir', times: 1 },
    ]);
    await until(async () => (await sql(databaseUrl, 'select from item_reading where user_id = $1', [learner.id])).length === 4);
  });
});

t.test('a kept page counts at once what waits to be sent, and comes back where it was left', async (t) => {
  const { prepa, maths, lesson, second } = await createKept('Retour');
  const long = await createItem(site, maths.id, {
    titre: 'Une longue leçon',
    numeroPage: 30,
    contenu: '<p>Un paragraphe qui prend de la place.</p>'.repeat(150),
  });
  const learner = await createLearner(site);
  await createEnrolment(site, learner, prepa);
  const page = await phoneOf(t, learner);
  await keep(page, prepa.id);
  await offline(page);
  const study = `/user/prepa/${prepa.id}/${maths.id}`;
  await page.goto(`${study}?type=course&item=${lesson.id}`);
  await page.getByText('progression à envoyer (1 contenu)').waitFor();
  await page.getByRole('link', { name: 'Suivant' }).click();
  await page.getByRole('heading', { name: second.titre }).waitFor();
  await page.getByText('progression à envoyer (2 contenus)').waitFor();

  await page.goto(`${study}?type=course&item=${long.id}`);
  // What the line says once the item is noted is above the text too.
  await page.getByText('progression à envoyer (3 contenus)').waitFor();
  await page.evaluate(() => scrollTo({ top: 2000, behavior: 'instant' }));
  await page.goto(`/user/prepa/${prepa.id}`);
  await page.getByRole('heading', { name: prepa.nom }).waitFor();
  t.equal(await page.evaluate(() => scrollY), 0);
  await page.goBack();
  await page.getByRole('heading', { name: long.titre }).waitFor();
  await page.waitForFunction(() => Math.abs(scrollY - 2000) < 50, null, { timeout: 5_000 });
  t.pass('where it was left');
  await online(page);
  await page.getByText('à envoyer').waitFor({ state: 'hidden' });
});

const documentAddress = (page: Page) =>
  page
    .locator('a[download]')
    .first()
    .evaluate((link: HTMLAnchorElement) => link.href);

t.test('prolonged by days that were bought; at its end nothing is left, and a clock that is put back opens nothing', async (t) => {
  const { prepa, maths, lesson } = await createKept('Fin');
  const learner = await createLearner(site);
  await createEnrolment(site, learner, prepa, 2);
  const page = await phoneOf(t, learner);
  await page.clock.install();
  await keep(page, prepa.id);
  const address = `/user/prepa/${prepa.id}/${maths.id}?type=course&item=${lesson.id}`;
  await page.goto(address);
  await page.getByText(endIn(2), { exact: false }).waitFor();

  await sql(databaseUrl, `update enrolment set date_expiration = date_expiration + interval '5 days' where user_id = $1`, [learner.id]);
  // Where the worker is the first to see the end, the page is the browser's own error, which can look at nothing.
  const witness = await page.context().newPage();
  await witness.goto('/robots.txt');
  const asked: string[] = [];
  page.on('request', (request) => asked.push(new URL(request.url()).pathname));
  await page.evaluate(() => dispatchEvent(new Event('online')));
  await page.getByText(endIn(7), { exact: false }).waitFor();
  t.same(
    asked.filter((one) => !/\/(contact|marques)$/.test(one)),
    [],
    'nothing is fetched for it',
  );
  await offline(page);
  await page.clock.setSystemTime(Date.now() + 3 * dayMs);
  await page.goto(address);
  await page.getByRole('heading', { name: lesson.titre }).waitFor();

  await page.clock.setSystemTime(Date.now() + 8 * dayMs);
  await page.goto(address).catch(() => {});
  await untilNothingIsKept(witness);
  await page.clock.setSystemTime(Date.now() - dayMs);
  t.same(await readable(page, address, lesson.titre), false);
  await online(page);
  await page.goto(address);
  await page.getByRole('heading', { name: lesson.titre }).waitFor();
  t.same(await kept(page), [], "the page is the network's, and nothing is kept by itself");
});

/** How the line above a kept page names its end, so many days from now. */
function endIn(days: number): string {
  const end = new Date(Date.now() + days * dayMs);
  return `jusqu'au ${formatShortDay(end)}`;
}

/** The page may be on its way to another one meanwhile. */
const untilNothingIsKept = (page: Page) => until(async () => (await kept(page).catch(() => [''])).length === 0);

/** Whether what an address shows without network holds a text. */
async function readable(page: Page, address: string, text: string): Promise<boolean> {
  try {
    await page.goto(address, { timeout: 5_000 });
    return (await page.content()).includes(text);
  } catch {
    return false;
  }
}

t.test('a sign-out, another account, an ended device: nothing is left', async (t) => {
  const { prepa, maths, lesson } = await createKept('Départ');
  const learner = await createLearner(site);
  await createEnrolment(site, learner, prepa);

  await t.test('a sign-out', async (t) => {
    const page = await phoneOf(t, learner);
    await keep(page, prepa.id);
    t.ok((await kept(page)).length > 0);
    await page.goto('/user/dashboard');
    await page.evaluate(() => fetch('/api/users/logout', { method: 'POST' }));
    await untilNothingIsKept(page);
    t.same(
      await sql(
        databaseUrl,
        'select from offline_copy c join offline_device d on d.id = c.device_id where d.user_id = $1 and d.removed_at is null',
        [learner.id],
      ),
      [],
    );
  });

  await t.test('a session that has run out: what is kept is read, and the page asks for a new one', async (t) => {
    const mine = await createLearner(site);
    await createEnrolment(site, mine, prepa);
    const page = await phoneOf(t, mine);
    await keep(page, prepa.id);
    await page.context().clearCookies();
    const address = `/user/prepa/${prepa.id}/${maths.id}?type=course&item=${lesson.id}`;
    await page.goto(address);
    await page.getByRole('heading', { name: lesson.titre }).waitFor();
    await page.evaluate(() => dispatchEvent(new Event('online')));
    const link = page.getByRole('link', { name: 'Reconnectez-vous pour prolonger cette copie' });
    t.equal(await link.getAttribute('href'), `/login?suite=${encodeURIComponent(address)}`);
    await assertForAll(t, page);
  });

  await t.test('another account', async (t) => {
    const [mine, other] = [await createLearner(site), await createLearner(site)];
    await createEnrolment(site, mine, prepa);
    const page = await phoneOf(t, mine);
    await keep(page, prepa.id);
    await presentSession(page, { url }, other);
    await page.goto('/user/dashboard');
    await untilNothingIsKept(page);
  });

  await t.test('somebody registers where a session has run out', async (t) => {
    const mine = await createLearner(site);
    const content = await createKept('Relève');
    await createEnrolment(site, mine, content.prepa);
    const page = await phoneOf(t, mine);
    await keep(page, content.prepa.id);
    await page.context().clearCookies();
    await page.goto('/');
    // Whatever would tell the browser whose session it is now does not come through.
    await page.context().route('**/hors-ligne/contact', (route) => route.abort());
    const status = await page.evaluate(async () => {
      const form = { username: 'releve', email: 'releve@gmail.com', password: 'Concours-2026', confirmPassword: 'Concours-2026' };
      const answer = await fetch('/api/users/register', {
        method: 'POST',
        headers: { 'content-type': 'application/json' },
        body: JSON.stringify(form),
      });
      return answer.status;
    });
    t.equal(status, 201);
    const address = `/user/prepa/${content.prepa.id}/${content.maths.id}?type=course&item=${content.lesson.id}`;
    await page.goto(address);
    t.equal(await page.locator('[data-kept-state]').count(), 0, "the page is the server's");
    await offline(page);
    t.equal(await readable(page, address, content.lesson.titre), false);
    await online(page);
    await page.context().unroute('**/hors-ligne/contact');
    await page.goto('/user/dashboard');
    await page.goto('/user/hors-ligne');
    await untilNothingIsKept(page);
    await until(
      async () =>
        (await sql(databaseUrl, 'select from offline_copy c join offline_device d on d.id = c.device_id where d.user_id = $1', [mine.id]))
          .length === 0,
    );
  });

  await t.test('removed on the profile of another device', async (t) => {
    const mine = await createLearner(site);
    await createEnrolment(site, mine, prepa);
    const page = await phoneOf(t, mine);
    await keep(page, prepa.id);
    const elsewhere = await phoneOf(t, mine);
    await elsewhere.goto('/user/profil');
    await elsewhere.getByRole('button', { name: /^Retirer/ }).click();
    await elsewhere.getByRole('heading', { name: 'Mon profil' }).waitFor();
    await stepScreenshot(elsewhere, 'offline-profile');
    await page.goto(`/user/prepa/${prepa.id}`);
    await untilNothingIsKept(page);
  });
});

t.test('a device without room says so; without the documents there is enough', async (t) => {
  const { prepa, maths, lesson } = await createKept('Plein');
  const long = await createItem(site, maths.id, { titre: 'Avec de gros documents', numeroPage: 10 });
  for (let index = 0; index < 8; index += 1) await createDocument(site, long.id, { nom: `Annexe ${index}`, octets: 1_000_000 });
  const learner = await createLearner(site);
  await createEnrolment(site, learner, prepa);
  const page = await phoneOf(t, learner);
  const protocol = await page.context().newCDPSession(page);
  await protocol.send('Storage.overrideQuotaForOrigin', { origin: url, quotaSize: 5 * 1024 * 1024 });
  await page.goto(`/user/prepa/${prepa.id}/hors-ligne`);
  const documents = page.getByRole('checkbox', { name: /document/ });
  const keepButton = page.locator('[data-act="keep"]');
  await documents.check();
  await keepButton.click();
  await page.getByText("Il n'y a plus assez de place sur cet appareil.").waitFor();
  await stepScreenshot(page, 'offline-no-room');
  await documents.uncheck();
  await keepButton.click();
  await page.getByText('Gardée sur cet appareil').first().waitFor();
  await offline(page);
  await page.goto(`/user/prepa/${prepa.id}/${maths.id}?type=course&item=${lesson.id}`);
  await page.getByRole('heading', { name: lesson.titre }).waitFor();
});

t.test('a worker that is withdrawn leaves, and the site is as before', async (t) => {
  const { prepa, maths, lesson } = await createKept('Retrait');
  const learner = await createLearner(site);
  await createEnrolment(site, learner, prepa);
  const page = await phoneOf(t, learner);
  await keep(page, prepa.id);
  await putInOutbox(page, lesson.id);
  const address = `/user/prepa/${prepa.id}/${maths.id}?type=course&item=${lesson.id}`;
  const withdrawn = await buildApp({ ...site.kernel, config: { ...site.kernel.config, offline: false } });
  t.teardown(() => withdrawn.close());
  path.leadTo(await withdrawn.listen({ host: '127.0.0.1', port: 0 }));
  path.close('reset');
  await page.evaluate(async () => (await navigator.serviceWorker.getRegistration())?.update());
  await until(() => page.evaluate(async () => (await navigator.serviceWorker.getRegistrations()).length === 0));
  t.match(await sql(databaseUrl, 'select type, item_id from offline_entry where user_id = $1', [learner.id]), [
    { type: 'termine', item_id: lesson.id },
  ]);
  await page.goto(address);
  await page.getByRole('heading', { name: lesson.titre }).waitFor();
  t.equal(await page.getByRole('link', { name: 'Garder hors ligne' }).count(), 0);
  t.same(await kept(page), [], 'what was kept has gone');
  path.leadTo(listening);
});

/** As if it had been done and not been sent: nobody is told. */
const putInOutbox = (page: Page, item: number) =>
  page.evaluate(async (item) => {
    const asked = indexedDB.open('prepa-hors-ligne');
    await new Promise((resolve) => {
      asked.onsuccess = resolve;
    });
    const transaction = asked.result.transaction(['copies', 'outbox'], 'readwrite');
    const copies = transaction.objectStore('copies').getAll();
    copies.onsuccess = () => {
      const [{ id, learner }] = copies.result;
      transaction.objectStore('outbox').put({ cle: crypto.randomUUID(), type: 'termine', item, le: Date.now(), prepa: id, learner });
    };
    await new Promise((resolve) => {
      transaction.oncomplete = resolve;
    });
    asked.result.close();
  }, item);
