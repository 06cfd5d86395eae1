// Slow: each test signs several browsers in and out.
import type { Page } from 'playwright-core';
import t from 'tap';
import { editor, openScreen } from '../support/authoring.ts';
import { newPage, stepScreenshot } from '../support/browser.ts';
import { createAdministrator, createDiscipline, createItem, type TestAdministrator } from '../support/factories.ts';
import { type Account, journey, openSite, presentSession, registerAccount, until } from '../support/journey.ts';
import { assertNoOverflow } from '../support/page-checks.ts';

const site = await openSite(t, { SESSIONS_PER_LEARNER: '5' });

async function signIn(page: Page, { email, password }: Account): Promise<void> {
  await page.goto('/login');
  await page.getByLabel('Email').fill(email);
  await page.getByLabel('Mot de passe', { exact: true }).fill(password);
  await page.getByRole('button', { name: 'Se connecter' }).click();
  await page.waitForURL('/user/dashboard');
}

journey(
  t,
  site,
  'a stolen session is ended from another device, and its next page shows a message',
  async (t, page) => {
    const account = await registerAccount(site);
    const thief = await newPage(t, { width: 360, baseURL: site.url });
    await presentSession(thief, site, account);
    await thief.goto('/user/dashboard');
    await thief.getByRole('heading', { name: 'Mon espace' }).waitFor();

    await signIn(page, account);
    await page.goto('/user/profil');
    const devices = page.getByRole('region', { name: 'Mes appareils' });
    await devices.getByText('Cet appareil').waitFor();
    t.equal(await devices.getByRole('listitem').count(), 2);
    await assertNoOverflow(t, page);
    await stepScreenshot(page, 'my-devices');
    await devices.getByRole('button', { name: 'Déconnecter Appareil inconnu' }).click();
    await page.getByText('Session terminée', { exact: true }).waitFor();
    t.equal(await devices.getByRole('listitem').count(), 1);

    await thief.reload();
    await thief.waitForURL(/\/login\?suite=/);
    await thief.getByText('Votre session a été fermée depuis un autre appareil de votre compte.').waitFor();
    t.notOk((await thief.context().cookies()).some(({ name }) => name === 'userToken'));
    await stepScreenshot(thief, 'ended-elsewhere');
    await page.goto('/user/dashboard');
    await page.getByRole('heading', { name: 'Mon espace' }).waitFor();
  },
  { once: 360 },
);

journey(
  t,
  site,
  'a sixth device ends the session of the first, with the reason shown',
  async (t, page) => {
    const account = await registerAccount(site);
    await presentSession(page, site, account);
    await page.goto('/user/dashboard');
    const call = (body: object) =>
      fetch(`${site.url}/api/users/login`, {
        method: 'POST',
        headers: { 'content-type': 'application/json', accept: 'application/json', 'sec-fetch-site': 'same-origin' },
        body: JSON.stringify(body),
      });
    for (let device = 2; device <= 5; device += 1) t.equal((await call(account)).status, 200);
    await page.reload();
    await page.getByRole('heading', { name: 'Mon espace' }).waitFor();

    const sixth = await newPage(t, { width: 360, baseURL: site.url });
    await signIn(sixth, account);
    await page.goto('/');
    await page.getByText('Votre session a été fermée parce que votre compte a été utilisé sur un autre appareil').waitFor();
    await page.getByRole('link', { name: 'Se connecter' }).first().waitFor();
    await assertNoOverflow(t, page);
    await stepScreenshot(page, 'sixth-device');
  },
  { once: 360 },
);

journey(
  t,
  site,
  "a draft survives the back button and a learner's sign-out, and goes with the administrator's; a link from elsewhere finds the session",
  async (t, page) => {
    const [learner, administrator] = [await registerAccount(site), await createAdministrator(site)];
    const { id: disciplineId } = await createDiscipline(site);
    const { id } = await createItem(site, disciplineId, { titre: 'Titre', contenu: '<p>Texte.</p>' });
    const search = `?type=course&item=${id}`;
    const offered = page.getByText(/^Un brouillon non enregistré de \d\d:\d\d est gardé sur cet appareil/);
    page.on('dialog', (dialog) => dialog.accept());
    await presentSession(page, site, learner);
    await openScreen(page, site, administrator, disciplineId, search);
    await editor(page, 'Contenu').click();
    await page.keyboard.type(' Pas encore enregistré');
    // Text typed more than two seconds ago is saved as a draft.
    await until(async () => (await countDrafts(page)) === 1);
    await page.goto('/admin/dashboard');
    await page.goBack();
    await offered.waitFor();

    await page.goto('/user/dashboard');
    await page.evaluate(() => localStorage.setItem('unread', '["x",1,1]'));
    const signOut = async () => {
      await page.getByRole('button', { name: 'Déconnexion' }).filter({ visible: true }).first().click();
      await page.getByText('Déconnexion réussie').waitFor();
      await page.waitForFunction(() => !document.cookie.includes('sortie='));
    };
    await signOut();
    t.equal(await page.evaluate(() => localStorage.getItem('unread')), null);

    await page.route('http://ailleurs.example/**', (route) =>
      route.fulfill({ contentType: 'text/html', body: `<a href="${site.url}/admin/discipline/${disciplineId}${search}">Le cours</a>` }),
    );
    await page.goto('http://ailleurs.example/message');
    await page.getByRole('link', { name: 'Le cours' }).click();
    await offered.waitFor();
    await page.goto('/admin/dashboard');
    await signOut();
    await openScreen(page, site, await sessionOf(administrator.id), disciplineId, search);
    await editor(page, 'Contenu').getByText('Texte.').waitFor();
    t.notOk(await offered.isVisible());
  },
  { once: 1280 },
);

/** Returns the number of drafts on this device; the screen has created their database. */
const countDrafts = (page: Page): Promise<number> =>
  page.evaluate(
    () =>
      new Promise<number>((resolve) => {
        const opening = indexedDB.open('prepa-authoring');
        opening.onsuccess = () => {
          const counting = opening.result.transaction('drafts').objectStore('drafts').count();
          counting.onsuccess = () => {
            opening.result.close();
            resolve(counting.result);
          };
        };
      }),
  );

/** Creates another session of the same administrator. */
async function sessionOf(id: string): Promise<TestAdministrator> {
  const other = await createAdministrator(site);
  const { token } = other;
  await site.rows("update administrator_session set administrator_id = $1 where id = encode(sha256(convert_to($2, 'UTF8')), 'hex')", [
    id,
    token,
  ]);
  return other;
}
