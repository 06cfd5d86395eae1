/**
 * `make walks`: measures the first minutes of two people in a real browser on the demonstration. A candidate goes from the landing page to
 * the first paid lesson, on a phone with slow 3G. A teacher goes from the sign-in to a published lesson, on a desktop. There are no pauses
 * for reading or typing, so the seconds are those of the network and the machine.
 */
import type { Browser } from 'playwright-core';
import type { Test } from 'tap';
import { ensureBuilt } from '../scripts/build.ts';
import { projectRoot } from '../src/platform/settings/project-root.ts';
import type { World } from '../test/support/world.ts';
import { launchBrowser, newPhone } from './support/browser.ts';
import { inWorkshop } from './support/workshop.ts';
import { Walk } from './walks/walk.ts';

const slow3G = { offline: false, latency: 400, downloadThroughput: 50_000, uploadThroughput: 50_000 };
const phoneSlowdown = 6;
const password = 'Concours-2026';
const prepa = 'ENS Yaoundé - Sciences';
const discipline = 'Mathématiques';

process.chdir(projectRoot);
await inWorkshop(10, async (workshop) => {
  ensureBuilt();
  await import('../test/support/tsx-hook.mjs' as string);
  Object.assign(process.env, { TEST_DATABASE_URL: await workshop.server(), TEST_FOLDER: workshop.folder });
  const test = workshop as unknown as Test;
  const browser = await launchBrowser(workshop);
  const { createWorld } = await import('../test/support/world.ts');
  const world = await createWorld(test, { demo: true });
  const { url } = await world.startServer();
  await walkCandidate(browser, url);
  await walkTeacher(browser, url, world);
  return true;
});

async function walkCandidate(browser: Browser, url: string): Promise<void> {
  const context = await newPhone(browser, url);
  const walk = await Walk.begin('Candidate, 360 px, slow 3G, CPU slowed 6 times: landing page to the first paid lesson', context, url);
  await walk.protocol.send('Network.emulateNetworkConditions', slow3G);
  await walk.protocol.send('Emulation.setCPUThrottlingRate', { rate: phoneSlowdown });
  const { page } = walk;

  await walk.open('/');
  await walk.click(page.getByRole('link', { name: `Consulter gratuitement ${prepa}` }));
  await walk.click(page.getByRole('link', { name: `S'inscrire maintenant ${prepa}` }));
  const form = page.getByRole('dialog', { name: 'Inscription' });
  await page.locator('[data-island="auth"][data-state="ready"]').waitFor({ state: 'attached' });
  await walk.fill(form.getByLabel("Nom d'utilisateur"), 'minute');
  await walk.fill(form.getByLabel('Email'), 'minute@gmail.com');
  await walk.fill(form.getByLabel('Mot de passe', { exact: true }), password);
  await walk.fill(form.getByLabel('Confirmation du mot de passe', { exact: true }), password);
  await walk.click(form.getByRole('button', { name: "S'inscrire" }));
  const payment = page.getByRole('dialog', { name: "Confirmer l'inscription" });
  await page.locator('[data-island="payment"][data-state="ready"]').waitFor({ state: 'attached' });
  await walk.click(payment.getByRole('button', { name: 'Payer 15 000 XAF' }));
  await walk.click(page.frameLocator('#zitopayPaymentIframe').getByRole('button', { name: 'Approuver le paiement' }));
  await page.waitForURL(`${url}/user/dashboard`, { waitUntil: 'commit' });
  await walk.click(page.getByRole('link', { name: `Continuer ${prepa}` }).first());
  await walk.click(page.getByRole('link', { name: discipline, exact: true }));
  await page.locator('.study .prose').first().waitFor();
  await walk.end();
}

async function walkTeacher(browser: Browser, url: string, world: World): Promise<void> {
  const email = await registerTeacher(url, world);
  const context = await browser.newContext({ viewport: { width: 1280, height: 800 }, locale: 'fr-FR', timezoneId: 'Africa/Douala' });
  const walk = await Walk.begin('Teacher, 1280 px: from the sign-in to a published lesson', context, url);
  const { page } = walk;

  await walk.open('/admin/connexion');
  await walk.fill(page.getByLabel('Email'), email);
  await walk.fill(page.getByLabel('Mot de passe', { exact: true }), password);
  await walk.click(page.getByRole('button', { name: 'Se connecter' }));
  await page.locator('[data-island="admin-catalogue"][data-state="ready"]').waitFor({ state: 'attached' });
  await walk.click(page.locator('.workbench__side').getByText(prepa, { exact: true }));
  await walk.click(page.getByRole('link', { name: `Ouvrir ${discipline}` }));
  await page.locator('[data-island="admin-content"][data-state="ready"]').waitFor({ state: 'attached' });
  await walk.click(page.getByRole('button', { name: 'Nouvelle Leçon', exact: true }).filter({ visible: true }).first());
  await walk.fill(page.getByRole('dialog').getByLabel('Titre', { exact: true }), 'Une leçon en une minute');
  await walk.click(page.getByRole('dialog').getByRole('button', { name: 'Créer', exact: true }));
  const text = page.getByRole('textbox', { name: 'Contenu', exact: true }).and(page.locator('div'));
  // The new item's text gets the focus. Keys typed before that would go to the button that opened the dialog.
  await text.and(page.locator(':focus')).waitFor();
  await page.keyboard.type('Une suite est une fonction définie sur les entiers.');
  walk.filled();
  await walk.click(page.getByRole('button', { name: 'Enregistrer', exact: true }).filter({ visible: true }));
  await page.locator('#toasts').getByText('Leçon mise à jour avec succès').waitFor();
  await walk.end();
}

/** Registers a teacher's account through the site's own API. */
async function registerTeacher(url: string, world: World): Promise<string> {
  const { adminKey1, adminKey2, role } = JSON.parse(await world.prepa('keys', 'issue', '--role', 'admin', '--json'));
  const email = 'enseignant@prepa.example';
  const answer = await fetch(`${url}/api/admin/register`, {
    method: 'POST',
    headers: { 'content-type': 'application/json', 'sec-fetch-site': 'same-origin' },
    body: JSON.stringify({ username: 'enseignant', email, password, confirmPassword: password, role, adminKey1, adminKey2 }),
  });
  if (!answer.ok) throw new Error(`the teacher could not register: ${await answer.text()}`);
  return email;
}
