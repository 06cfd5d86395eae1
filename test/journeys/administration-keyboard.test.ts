import type { Locator, Page } from 'playwright-core';
import t, { type Test } from 'tap';
import { createAdministrator, createDiscipline } from '../support/factories.ts';
import { islandIs, openSite, presentAdministrator, toast } from '../support/journey.ts';
import { picture } from '../support/multipart.ts';

// The administration screen with the keyboard only, and how its dialogs close.

const site = await openSite(t);
const { token } = await createAdministrator(site);

const button = (place: Page | Locator, name: string) => place.getByRole('button', { name, exact: true });
const dialogOf = (page: Page, name: string) => page.getByRole('dialog', { name, exact: true });

async function screen(t: Test, prepa?: number, width = 1280): Promise<Page> {
  const page = await site.page(t, { width });
  await presentAdministrator(page, site, { token });
  await page.goto(`/admin/dashboard${prepa ? `?prepa=${prepa}` : ''}`);
  await islandIs(page, 'admin-catalogue', 'ready');
  return page;
}

/** Returns the name of the focused element. */
const focused = (page: Page) =>
  page.evaluate(() => {
    const element = document.activeElement as HTMLInputElement | null;
    return element?.ariaLabel || element?.labels?.[0]?.innerText || element?.innerText.split('\n')[0] || element?.tagName;
  });

async function tabTo(page: Page, name: string): Promise<void> {
  const met: unknown[] = [];
  for (let steps = 0; steps < 40; steps += 1) {
    await page.keyboard.press('Tab');
    met.push(await focused(page));
    if (met.at(-1) === name) return;
  }
  throw new Error(`no way to ${name}: ${met.join(', ')}`);
}

t.test('a prepa with a discipline is created, published and deleted by keyboard alone', async (t) => {
  const page = await screen(t);
  // Registered early: the browser passes on its file picker only after this call has reached it.
  const choosing = page.waitForEvent('filechooser');
  await tabTo(page, 'Nouvelle préparation');
  await page.keyboard.press('Enter');
  t.equal(await focused(page), 'Nouvelle préparation', 'the title of the dialog');
  t.ok(await dialogOf(page, 'Nouvelle préparation').locator('h2:focus').isVisible());
  for (const [label, typed] of [
    ['Nom', 'ENS Maroua'],
    ['Description', 'Le concours.'],
    ['Prix (XAF)', '15000'],
  ] as const) {
    await page.keyboard.press('Tab');
    t.equal(await focused(page), label);
    await page.keyboard.type(typed);
  }
  await page.keyboard.press('Tab');
  t.equal(await focused(page), 'Image');
  await page.keyboard.press('Enter');
  await (await choosing).setFiles({ name: 'image.png', mimeType: 'image/png', buffer: await picture() });
  await page.getByText('Aperçu de la nouvelle image', { exact: true }).waitFor();
  for (const next of ['Utiliser une couverture dessinée', 'Retirer ce fichier', 'Annuler', 'Créer']) {
    await page.keyboard.press('Tab');
    t.equal(await focused(page), next);
  }
  await page.keyboard.press('Enter');
  await toast(page, 'Préparation créée avec succès').waitFor();
  await button(page, 'ENS Maroua').waitFor();
  t.equal(await focused(page), 'Nouvelle préparation', 'back at the button');

  await tabTo(page, 'Publier ENS Maroua');
  await page.keyboard.press('Space');
  await toast(page, 'La préparation est publiée.').waitFor();
  t.equal(await focused(page), 'Publier ENS Maroua');

  await tabTo(page, 'Créer une discipline');
  await page.keyboard.press('Enter');
  await page.keyboard.press('Tab');
  await page.keyboard.type('Physique');
  await page.keyboard.press('Tab');
  await page.keyboard.type('Mécanique.');
  await page.keyboard.press('Shift+Tab');
  await page.keyboard.press('Enter');
  await toast(page, 'Discipline créée avec succès').waitFor();
  await page.getByRole('heading', { name: 'Physique', exact: true }).waitFor();
  t.equal(await focused(page), 'ENS Maroua', 'the pressed button was removed, so the heading above has the focus');

  await tabTo(page, 'Supprimer Physique');
  await page.keyboard.press('Enter');
  await tabTo(page, 'Supprimer');
  await page.keyboard.press('Enter');
  await toast(page, 'Discipline supprimée avec succès').waitFor();
  t.equal(await focused(page), 'ENS Maroua', 'the heading above the deleted element');

  await page.keyboard.press('Shift+Tab');
  t.equal(await focused(page), 'Publier ENS Maroua');
  await page.keyboard.press('Shift+Tab');
  await page.keyboard.press('Enter');
  await tabTo(page, 'Supprimer');
  await page.keyboard.press('Enter');
  await toast(page, 'Préparation supprimée avec succès').waitFor();
  t.equal(await focused(page), 'Préparations existantes');
});

t.test('a dialog with something typed closes only by its buttons', async (t) => {
  const { nom, prepaId } = await createDiscipline(site);
  const page = await screen(t, prepaId);
  const dialog = dialogOf(page, 'Modifier la discipline');
  await button(page, `Modifier ${nom}`).click();
  await page.mouse.click(5, 5);
  t.ok(await dialog.isVisible(), 'a click beside the dialog does not close it');
  await page.keyboard.press('Escape');
  await dialog.waitFor({ state: 'hidden' });
  t.equal(await focused(page), `Modifier ${nom}`, 'without input Escape closes the dialog and focuses the button');

  await page.keyboard.press('Enter');
  await dialog.getByLabel('Nom', { exact: true }).fill('Autre nom');
  const hint = dialog.getByText('Vos modifications ne sont pas enregistrées. « Annuler » les abandonne.', { exact: true });
  // From any focused element, and repeatedly.
  for (const place of ['Nom', 'Fermer', 'nothing']) {
    if (place === 'nothing') await dialog.evaluate(() => (document.activeElement as HTMLElement).blur());
    else await dialog.getByLabel(place, { exact: true }).focus();
    for (const _press of [1, 2, 3]) await page.keyboard.press('Escape');
    t.ok(await dialog.isVisible(), `Escape, focus on ${place}`);
    t.ok(await hint.isVisible());
  }
  await page.mouse.click(5, 5);
  t.ok(await dialog.isVisible(), 'a click beside a changed form does not close it');
  t.equal(await dialog.getByLabel('Nom', { exact: true }).inputValue(), 'Autre nom');
  await button(dialog, 'Annuler').click();
  await dialog.waitFor({ state: 'hidden' });
  t.equal(await focused(page), `Modifier ${nom}`);
  await page.keyboard.press('Enter');
  t.equal(await dialog.getByLabel('Nom', { exact: true }).inputValue(), nom, 'a cancelled change is discarded');
});

t.test('the question before a deletion closes by Escape and by a click beside it (specification §2)', async (t) => {
  const { nom, prepaId } = await createDiscipline(site);
  const page = await screen(t, prepaId, 360);
  const dialog = dialogOf(page, 'Confirmer la suppression');
  for (const close of [() => page.keyboard.press('Escape'), () => page.mouse.click(5, 5)]) {
    await button(page, `Supprimer ${nom}`).click();
    await dialog.waitFor();
    await close();
    await dialog.waitFor({ state: 'hidden' });
    t.equal(await focused(page), `Supprimer ${nom}`);
  }
  t.equal((await site.rows('select id from discipline where nom = $1', [nom])).length, 1);
});
