import type { Page } from 'playwright-core';
import t, { type Test } from 'tap';
import { assertAccessible } from '../support/accessible.ts';
import { button, editor, openScreen } from '../support/authoring.ts';
import { stepScreenshot } from '../support/browser.ts';
import { createAdministrator, createDiscipline, createItem } from '../support/factories.ts';
import { shareSite } from '../support/journey.ts';
import { assertNoOverflow } from '../support/page-checks.ts';

// Find and replace within the text of an item.

const site = await shareSite(t);
const administrator = await createAdministrator(site);
const contenu =
  '<p>Une limite et sa Limité.</p><p>La <strong>lim</strong>ite, illimitée. <span class="formula" data-latex="limite"><math><mi>x</mi></math></span></p>';

async function open(t: Test, width: number): Promise<Page> {
  const { id } = await createDiscipline(site);
  const item = await createItem(site, id, { titre: 'Chapitre', contenu });
  const page = await site.page(t, { width, fresh: true });
  await openScreen(page, site, administrator, id, `?type=course&item=${item.id}`);
  await editor(page, 'Contenu').click();
  await page.keyboard.press('Control+Home');
  await page.keyboard.press('Control+f');
  return page;
}
// innerText leaves out a block that has no layout yet.
const textOf = async (page: Page) => (await editor(page, 'Contenu').locator(':scope > *').allTextContents()).join(' ');

for (const width of [360, 1280])
  t.test(`next, previous, one replacement, all as one step, and undo: ${width} px`, async (t) => {
    const page = await open(t, width);
    const bar = page.getByRole('search', { name: 'Rechercher dans ce texte' });
    const count = (words: string) => bar.getByText(words, { exact: true }).waitFor();
    const marked = () => editor(page, 'Contenu').locator('.bg-yellow, .bg-orange').allInnerTexts();
    await bar.getByLabel('Rechercher dans ce texte').fill('limite');
    await count('1 sur 4');
    t.same(await marked(), ['limite', 'Limité', 'lim', 'ite', 'limité']);
    await assertNoOverflow(t, page);
    await assertAccessible(t, page);
    await stepScreenshot(page, 'find');
    await page.keyboard.press('Enter');
    await count('2 sur 4');
    await page.keyboard.press('Shift+Enter');
    await button(bar, 'Précédent').click();
    await count('4 sur 4');
    await bar.getByLabel('Mots entiers').check();
    await count('1 sur 3');
    await bar.getByLabel('Accents').check();
    await count('1 sur 2');
    await bar.getByLabel('Remplacer par').fill('borne');
    await page.keyboard.press('Enter');
    await count('1 sur 1');
    t.match(await textOf(page), /^Une borne et sa Limité. La limite, illimitée./);
    await bar.getByLabel('Accents').uncheck();
    await count('2 sur 2');
    await button(bar, 'Tout remplacer').click();
    await count('2 remplacements');
    t.match(await textOf(page), /^Une borne et sa borne. La borne, illimitée./);
    t.same(await editor(page, 'Contenu').locator('strong').allInnerTexts(), ['borne'], 'a replacement looks like what it replaces');
    await page.keyboard.press('Escape');
    await bar.waitFor({ state: 'detached' });
    t.same(await marked(), []);
    await page.keyboard.press('Control+z');
    t.match(await textOf(page), /^Une borne et sa Limité. La limite, illimitée./, 'all replacements are one step');
    await page.keyboard.press('Control+z');
    t.match(await textOf(page), /^Une limite et sa Limité./);
  });
