import type { Page } from 'playwright-core';
import t from 'tap';
import { newPage, stepScreenshot } from '../support/browser.ts';
import { createAdministrator } from '../support/factories.ts';
import { type Account, journey, openSite, presentAdministrator, presentSession, registerAccount } from '../support/journey.ts';
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
  'a stolen session is ended from another device, which is told at its next page',
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
  'a sixth device ends the session of the first, which is told why',
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
  "drafts go with the administrator's sign-out and not with a learner's; a link from elsewhere finds the session",
  async (t, page) => {
    const [learner, administrator] = [await registerAccount(site), await createAdministrator(site)];
    await presentSession(page, site, learner);
    await presentAdministrator(page, site, administrator);
    await page.goto('/user/dashboard');
    await page.evaluate(
      () =>
        new Promise<void>((resolve, reject) => {
          localStorage.setItem('unread', '["x",1,1]');
          const opening = indexedDB.open('prepa-authoring');
          opening.onupgradeneeded = () => opening.result.createObjectStore('drafts');
          opening.onerror = () => reject(opening.error);
          opening.onsuccess = () => {
            const writing = opening.result.transaction('drafts', 'readwrite');
            writing.objectStore('drafts').put('un brouillon', 'x');
            writing.oncomplete = () => {
              opening.result.close();
              resolve();
            };
          };
        }),
    );
    const kept = () =>
      page.evaluate(
        () =>
          new Promise<{ drafts: number; unread: boolean }>((resolve) => {
            const opening = indexedDB.open('prepa-authoring');
            opening.onsuccess = () => {
              const database = opening.result;
              const unread = localStorage.getItem('unread') !== null;
              if (!database.objectStoreNames.contains('drafts')) return resolve({ drafts: 0, unread });
              const counting = database.transaction('drafts').objectStore('drafts').count();
              counting.onsuccess = () => {
                database.close();
                resolve({ drafts: counting.result, unread });
              };
            };
          }),
      );
    const forgotten = () => page.waitForFunction(() => !document.cookie.includes('sortie='));

    await page.getByRole('button', { name: 'Déconnexion' }).filter({ visible: true }).first().click();
    await page.getByText('Déconnexion réussie').waitFor();
    await forgotten();
    t.same(await kept(), { drafts: 1, unread: false }, 'what the administrator has typed stays');

    await page.route('http://ailleurs.example/**', (route) =>
      route.fulfill({ contentType: 'text/html', body: `<a href="${site.url}/admin/dashboard">Administration</a>` }),
    );
    await page.goto('http://ailleurs.example/message');
    await page.getByRole('link', { name: 'Administration' }).click();
    await page.waitForURL('**/admin/dashboard');
    await page.getByRole('button', { name: 'Déconnexion' }).filter({ visible: true }).click();
    await page.getByText('Déconnexion réussie').waitFor();
    await forgotten();
    t.same(await kept(), { drafts: 0, unread: false });
  },
  { once: 1280 },
);
