import type { Page } from 'playwright-core';
import t, { type Test } from 'tap';
import { button, editor, openScreen, readToast } from '../support/authoring.ts';
import { allowErrors } from '../support/browser.ts';
import { createAdministrator, createDiscipline } from '../support/factories.ts';
import { shareSite } from '../support/journey.ts';

// The connection is cut after the server has stored the draft of an imported file, and before the page is told.

const site = await shareSite(t);
const administrator = await createAdministrator(site);
const file = { name: 'suites.md', mimeType: 'text/markdown', buffer: Buffer.from('# Les suites\n\nUne suite est une liste de nombres.\n') };

const draftsOf = async (discipline: number) =>
  (await site.rows<{ titre: string }>('select titre from item_draft where discipline_id = $1 order by id', [discipline])).map(
    ({ titre }) => titre,
  );

/** Lets requests that create lessons reach the server, and loses the responses. */
const cutOff = (page: Page) =>
  page.route('**/api/lecons', async (route) => {
    if (route.request().method() !== 'POST') return route.continue();
    await route.fetch();
    await route.abort();
  });

/** Imports the file while the response to the creation of its draft is lost. */
async function importCutOff(t: Test) {
  const { id: discipline } = await createDiscipline(site);
  const page = await site.page(t, { width: 1280, fresh: true });
  allowErrors(page, /ERR_FAILED/);
  const read: string[] = [];
  page.on('request', (request) => request.url().endsWith('/api/imports') && read.push(request.method()));
  await openScreen(page, site, administrator, discipline);
  await cutOff(page);
  await button(page, 'Importer plusieurs fichiers').filter({ visible: true }).click();
  const dialog = page.getByRole('dialog', { name: /^Importer plusieurs fichiers/ });
  await dialog.locator('input[type=file]').setInputFiles(file);
  await dialog.getByText('Le serveur ne répond pas.').waitFor();
  t.equal((await draftsOf(discipline)).length, 1, 'the server has kept the draft');
  await page.unroute('**/api/lecons');
  return { page, dialog, discipline, read };
}

/** Creates a lesson from the file in the dialog of one lesson while the response to the creation of its draft is lost. */
async function createCutOff(t: Test) {
  const { id: discipline } = await createDiscipline(site);
  const page = await site.page(t, { width: 1280, fresh: true });
  allowErrors(page, /ERR_FAILED|status of 409/);
  await openScreen(page, site, administrator, discipline);
  await cutOff(page);
  await button(page, 'Nouvelle Leçon').click();
  const form = page.getByRole('dialog');
  await form.getByLabel('Importer un document (Word, LibreOffice, HTML, Markdown ou TeX)').setInputFiles(file);
  await form.getByText(/^Document lu/).waitFor();
  await button(form, 'Créer').click();
  await form.getByText('Le serveur ne répond pas.', { exact: false }).waitFor();
  t.same(await draftsOf(discipline), ['Les suites'], 'the server has kept the draft');
  await page.unroute('**/api/lecons');
  return { page, form, discipline };
}

const retry = (dialog: ReturnType<Page['locator']>) => button(dialog, 'Réessayer').click();

t.test('a retry finds the draft of the lost response', async (t) => {
  const { dialog, discipline, read } = await importCutOff(t);
  await retry(dialog);
  await dialog.locator('[data-state="created"]').waitFor();
  await dialog.getByText('1 brouillon créé', { exact: true }).waitFor();
  t.same(await draftsOf(discipline), ['Les suites'], 'one draft');
  t.same(read, ['POST'], 'the file is not sent again');
});

t.test('a draft that somebody has changed meanwhile is kept: the page asks', async (t) => {
  const { dialog, discipline } = await importCutOff(t);
  await site.rows("update item_draft set titre = 'Revu', revision = revision + 1 where discipline_id = $1", [discipline]);
  await retry(dialog);
  await dialog.getByText('le brouillon a été modifié depuis', { exact: false }).waitFor();
  t.same(await draftsOf(discipline), ['Revu']);
  await button(dialog, 'Garder les deux').click();
  await dialog.locator('[data-state="created"]').waitFor();
  t.same(await draftsOf(discipline), ['Revu', 'Les suites']);
});

t.test('one lesson from a file: a second try saves over the draft of the lost response', async (t) => {
  const { page, form, discipline } = await createCutOff(t);
  await form.getByLabel('Titre', { exact: true }).fill('Suites réelles');
  await button(form, 'Créer').click();
  await readToast(page, 'Brouillon créé');
  await editor(page, 'Contenu').waitFor();
  t.same(await draftsOf(discipline), ['Suites réelles'], 'one draft, with the title of the second try');
});

t.test('one lesson from a file: a draft that somebody has changed meanwhile is not touched', async (t) => {
  const { form, discipline } = await createCutOff(t);
  await site.rows("update item_draft set titre = 'Revu', revision = revision + 1 where discipline_id = $1", [discipline]);
  await button(form, 'Créer').click();
  await form.getByText('il a été modifié depuis', { exact: false }).waitFor();
  t.same(await draftsOf(discipline), ['Revu']);
});
