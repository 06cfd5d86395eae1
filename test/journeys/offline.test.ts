import type { Page } from 'playwright-core';
import t from 'tap';
import { stepScreenshot } from '../support/browser.ts';
import { createDocument, createEnrolment, createItem, createLearner } from '../support/factories.ts';
import { until } from '../support/journey.ts';
import { assertForAll, keep, offline, openPhoneSite } from '../support/phone-site.ts';
import { sql } from '../support/sql.ts';

// A prepa kept on a phone: read, practised and searched without a network, and synchronised later. offline-ends.test.ts covers its end.

const { site, url, createKept, phoneOf, hang, online } = await openPhoneSite(t);
const { databaseUrl } = site;

t.test('a kept prepa is read, practised, marked and searched without network, and the server gets the marks later', async (t) => {
  const content = await createKept('Bus');
  const learner = await createLearner(site);
  await createEnrolment(site, learner, content.prepa);
  const page = await phoneOf(t, learner);
  await page.goto(`/user/prepa/${content.prepa.id}/hors-ligne`);
  await page.getByRole('checkbox', { name: /document/ }).check();
  const size = await page.locator('[data-weight="total"]').innerText();
  await keep(page, content.prepa.id);
  t.match(await page.locator('[data-part="state"]').innerText(), `Elle occupe ${size}.`, 'the size announced before');
  await page.goto('/user/hors-ligne');
  await page.getByText(`${size}, mise à jour`).waitFor();
  await stepScreenshot(page, 'offline-kept');
  const base = `/user/prepa/${content.prepa.id}`;
  const maths = `${base}/${content.maths.id}`;

  await t.test('while the network hangs, every item is shown with its pictures', async (t) => {
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
    t.equal(await page.locator('[data-kept-state]').isVisible(), false, 'the state line of the copy is not printed');
    await page.emulateMedia({ media: 'screen' });
  });

  await t.test('without network, the next item and a document are shown', async (t) => {
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
    t.ok(size > 0, 'the document comes from the device');
  });

  await t.test('a practice with its timer, its correction and a mark', async (t) => {
    await page.goto(`${maths}/entrainement?type=exercise&item=${content.exercise.id}`);
    await page.getByRole('button', { name: 'Démarrer' }).click();
    await page.getByRole('button', { name: 'Pause' }).waitFor();
    await page.getByRole('link', { name: 'Voir le corrigé' }).click();
    await page.getByText('La réponse est 42.').waitFor();
    await page.getByRole('button', { name: 'À revoir' }).click();
    await page.getByRole('heading', { name: 'À revoir', level: 1 }).waitFor();
    await stepScreenshot(page, 'offline-outcome');
    await page.goto('/user/a-revoir');
    await page.getByRole('link', { name: content.exercise.titre, exact: true }).waitFor();
    await page.goto(`${base}`);
    await page.getByText('0 sur 3 terminés, 1 à revoir').first().waitFor();
    await page.getByText('progression à envoyer (4 contenus)', { exact: false }).waitFor();
    await assertForAll(t, page);
    t.pass('the progress counts it');
  });

  await t.test('a finished item is reopened', async () => {
    await page.goto(`${maths}?type=course&item=${content.second.id}`);
    await page.getByRole('button', { name: "J'ai terminé" }).click();
    await page.getByRole('button', { name: "Je n'ai pas terminé" }).click();
    await page.getByRole('status').getByText('Pas encore terminé', { exact: true }).waitFor();
    await page.goto(base);
    await page.getByText('0 sur 3 terminés, 1 à revoir').first().waitFor();
  });

  await t.test('a search finds kept items', async () => {
    await page.goto(`/user/recherche?q=derivable&prepa=${content.prepa.id}`);
    await page.getByRole('link', { name: content.second.titre }).waitFor();
    await stepScreenshot(page, 'offline-search');
  });

  await t.test('the dashboard leads to the next step in the kept prepa, and searches in it', async (t) => {
    await page.goto('/user/dashboard');
    await page.getByRole('heading', { name: "Aujourd'hui" }).waitFor();
    await page.getByText(/^\d sur \d+ terminés/).waitFor();
    await stepScreenshot(page, 'offline-today');
    await assertForAll(t, page);
    await page.getByLabel('Rechercher dans les contenus').fill('derivable');
    await page.getByRole('button', { name: 'Rechercher' }).click();
    await page.getByRole('link', { name: content.second.titre }).waitFor();
    await page.goto('/user/dashboard');
    await page.getByRole('link', { name: /^Reprendre : / }).click();
    await page.waitForURL(/item=/);
  });

  await t.test('another page says that there is no network, and lists the kept prepas', async (t) => {
    await page.goto('/user/profil');
    await page.getByRole('heading', { name: 'Vous êtes hors connexion' }).waitFor();
    await page.getByRole('link', { name: content.prepa.nom }).first().waitFor();
    await stepScreenshot(page, 'offline-elsewhere');
    await assertForAll(t, page);
  });

  await t.test('once the network is back, the server gets all marks', async (t) => {
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
    const finished = () =>
      sql(databaseUrl, 'select item_id from item_reading where user_id = $1 and finished_at is not null', [learner.id]);
    // The reopened item was sent as two marks, one after the other.
    await until(async () => (await finished()).length === 1);
    t.same(await finished(), [{ item_id: content.exercise.id }], 'the reopened item is not finished');
  });
});

t.test('a kept page counts waiting marks at once, and restores its scroll position', async (t) => {
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
  // The line is updated when the item is recorded; it is also above the text.
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

t.test('what a busy server refuses is sent again while the page stays open', async (t) => {
  const { prepa, maths, lesson } = await createKept('Affluence');
  const learner = await createLearner(site);
  await createEnrolment(site, learner, prepa);
  const page = await phoneOf(t, learner);
  await keep(page, prepa.id);
  await offline(page);
  await page.goto(`/user/prepa/${prepa.id}/${maths.id}?type=course&item=${lesson.id}`);
  await page.getByText('progression à envoyer (1 contenu)').waitFor();
  // The return of the network begins two attempts, one after the other; what is sent later is a further try.
  let refusals = 0;
  await page.context().route('**/hors-ligne/marques', (route) => {
    refusals += 1;
    return refusals <= 2 ? route.fulfill({ status: 503, body: '{}' }) : route.continue();
  });
  await online(page);
  await until(async () => (await sql(databaseUrl, 'select from item_reading where user_id = $1', [learner.id])).length === 1);
  t.equal(refusals, 3);
  await page.getByText('à envoyer').waitFor({ state: 'hidden' });
});

const documentAddress = (page: Page) =>
  page
    .locator('a[download]')
    .first()
    .evaluate((link: HTMLAnchorElement) => link.href);

t.test('a device without enough space shows a message; without the documents there is enough', async (t) => {
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
