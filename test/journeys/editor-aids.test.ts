import type { Locator, Page } from 'playwright-core';
import t, { type Test } from 'tap';
import { assertAccessible } from '../support/accessible.ts';
import { editor, openScreen, readToast } from '../support/authoring.ts';
import { createAdministrator, createDiscipline, createItem } from '../support/factories.ts';
import { type Site, shareSite, until } from '../support/journey.ts';

// What helps while a text is written: the list of blocks, figures, keys, pasting as text, widths of columns.

const site: Site = await shareSite(t);
const administrator = await createAdministrator(site);

interface Desk {
  page: Page;
  area: Locator;
  /** Saves the text and returns the stored HTML. */
  stored: () => Promise<string>;
}

/** Opens a lesson in the editor, with the cursor at its end. */
async function desk(t: Test, contenu = '', width = 1280): Promise<Desk> {
  const page = await site.page(t, { width });
  const discipline = await createDiscipline(site);
  const { id } = await createItem(site, discipline.id, { titre: 'Suites', contenu });
  await openScreen(page, site, administrator, discipline.id, `?type=course&item=${id}`);
  const area = editor(page, 'Contenu');
  await area.click();
  await page.keyboard.press('ControlOrMeta+End');
  const stored = async () => {
    await page.keyboard.press('ControlOrMeta+s');
    await readToast(page, 'Leçon mise à jour avec succès');
    const [row] = await site.rows<{ contenu: string }>('select contenu from item where id = $1', [id]);
    return row?.contenu ?? '';
  };
  return { page, area, stored };
}

const blocks = (page: Page) => page.getByRole('listbox', { name: 'Blocs à insérer' });

t.test("a '/' opens the list of blocks: by keyboard", { buffered: true }, async (t) => {
  const { page, area, stored } = await desk(t);
  await page.keyboard.type('/');
  await blocks(page).waitFor();
  await assertAccessible(t, page);
  const current = () =>
    area.evaluate((element) => document.getElementById(element.getAttribute('aria-activedescendant') ?? '')?.textContent ?? '');
  t.match(await current(), /^Titre 1/);
  await page.keyboard.press('ArrowDown');
  t.match(await current(), /^Titre 2/);
  await page.keyboard.press('ArrowUp');
  await page.keyboard.press('ArrowUp');
  t.match(await current(), /^Importer/, 'above the first is the last');
  await page.keyboard.type('Num');
  await page.keyboard.press('Enter');
  await page.keyboard.type('un');
  await page.keyboard.press('Enter');
  await page.keyboard.press('Enter');
  await page.keyboard.type('Voir /formu');
  await blocks(page).getByRole('option', { name: 'Formule' }).waitFor();
  await page.keyboard.press('Enter');
  await page.getByRole('dialog').getByLabel('Formule en LaTeX').fill('x');
  await page.keyboard.press('Control+Enter');
  await page.getByRole('dialog').waitFor({ state: 'detached' });
  t.match(
    (await stored()).replaceAll(/<math.*?<\/math>/g, ''),
    /^<ol[^>]*><li>un<\/li><\/ol><p>Voir <span class="formula" data-latex="x"><\/span><\/p>$/,
  );
});

t.test("a '/' that the author wants to keep stays", { buffered: true }, async (t) => {
  const { page, stored } = await desk(t);
  await page.keyboard.type('/');
  await blocks(page).waitFor();
  await page.keyboard.press('Escape');
  await blocks(page).waitFor({ state: 'detached' });
  await page.keyboard.type('tab');
  t.equal(await blocks(page).count(), 0, 'after Escape the list does not open again');
  await page.keyboard.press('Enter');
  await page.keyboard.type('1 /');
  await blocks(page).waitFor();
  await page.keyboard.type(' 2');
  await blocks(page).waitFor({ state: 'detached' });
  await page.keyboard.press('Enter');
  await page.keyboard.type('et/ou /etc');
  await page.keyboard.press('Enter');
  await page.keyboard.type('fin');
  t.equal(await stored(), '<p>/tab</p><p>1 / 2</p><p>et/ou /etc</p><p>fin</p>');
});

t.test("a '/' on a phone, by touch", { buffered: true }, async (t) => {
  const { page, area } = await desk(t, '<p>Une ligne.</p>'.repeat(30), 360);
  await page.keyboard.press('Enter');
  await page.keyboard.type('/ti');
  const option = blocks(page).getByRole('option', { name: 'Titre 2' });
  await option.waitFor();
  const box = await blocks(page).boundingBox();
  t.ok(box && box.x >= 0 && box.x + box.width <= 360 && box.y >= 0, 'the list is within the screen');
  t.ok(((await option.boundingBox())?.height ?? 0) >= 44, 'an entry is at least 44 px high');
  const isSeen = await option.evaluate((element) => {
    const { left, top, height } = element.getBoundingClientRect();
    return element.contains(document.elementFromPoint(left + 20, top + height / 2));
  });
  t.ok(isSeen, 'nothing covers the entry');
  await option.tap();
  await page.keyboard.type('Limites');
  t.equal(await area.locator('h2').textContent(), 'Limites');
});

t.test('words are counted while the author pauses', { buffered: true }, async (t) => {
  const { page } = await desk(t, '<h2>Les suites</h2><p>Soit une suite.</p>');
  await page.getByText('5 mots, 1 min de lecture').waitFor();
  await page.keyboard.type(' Elle converge');
  await page.getByText('7 mots, 1 min de lecture').waitFor();
});

t.test('the keys of the editor are listed', { buffered: true }, async (t) => {
  const { page } = await desk(t);
  await page.keyboard.press('Control+/');
  const dialog = page.getByRole('dialog', { name: 'Raccourcis clavier' });
  await dialog.getByRole('row', { name: 'Ctrl+B Gras' }).waitFor();
  await assertAccessible(t, page);
  await page.keyboard.press('Escape');
  await dialog.waitFor({ state: 'detached' });
  await page.getByRole('button', { name: 'Raccourcis clavier' }).click();
  await dialog.getByRole('row', { name: 'Ctrl+Maj+V Coller sans mise en forme' }).waitFor();
});

t.test('the clipboard is pasted as plain text, or the keys are named', { buffered: true }, async (t) => {
  const { page, stored } = await desk(t, '<p>Avant : </p>');
  const tool = page.getByRole('button', { name: 'Coller sans mise en forme (Ctrl+Maj+V)' });
  await tool.click();
  await readToast(page, 'Votre navigateur ne donne pas accès au presse-papiers : collez avec Ctrl+Maj+V.', 'info');
  await page.context().grantPermissions(['clipboard-read', 'clipboard-write']);
  await page.evaluate(() =>
    navigator.clipboard.write([
      new ClipboardItem({
        'text/html': new Blob(['<b>gras</b>'], { type: 'text/html' }),
        'text/plain': new Blob(['gras'], { type: 'text/plain' }),
      }),
    ]),
  );
  await tool.click();
  await page.getByText('Avant : gras').waitFor();
  t.equal(await stored(), '<p>Avant : gras</p>');
});

t.test('the width of a column is changed by dragging its edge', { buffered: true }, async (t) => {
  const { page, area, stored } = await desk(
    t,
    '<table><tbody><tr><td>A</td><td>B</td></tr><tr><td>C</td><td>D</td></tr></tbody></table><p>fin</p>',
  );
  const cell = area.locator('td').first();
  await cell.hover();
  // The mouse over the table loads its tools; the row is shown once the cursor is in it.
  await cell.click();
  await page.getByRole('toolbar', { name: 'Tableau' }).waitFor();
  const drag = async (share: number) => {
    const table = await area.locator('table').boundingBox();
    const edge = await cell.boundingBox();
    if (!table || !edge) throw new Error('no table');
    const y = edge.y + edge.height / 2;
    await page.mouse.move(edge.x + edge.width - 1, y);
    await page.mouse.down();
    await page.mouse.move(table.x + table.width * share, y, { steps: 4 });
    await area
      .locator('xpath=..')
      .getByText(`${share * 100} %`, { exact: true })
      .waitFor();
  };
  await drag(0.3);
  await page.mouse.up();
  await area.locator('td.w-30').first().waitFor();
  await drag(0.7);
  await page.keyboard.press('Escape');
  await page.mouse.up();
  t.match(await stored(), /<td class="w-30">A<\/td><td>B<\/td><\/tr><tr><td class="w-30">C<\/td><td>D/);
});

t.test('the tools of a question and a table far below are loaded when they come near', { buffered: true }, async (t) => {
  const question =
    '<section class="question" data-kind="one"><header><p>Qui ?</p></header><article><p>Lui</p></article><article data-right=""><p>Elle</p></article></section>';
  const { page, area } = await desk(t, '<p>Début.</p>');
  const discipline = await createDiscipline(site);
  const contenu = `${'<p>Une ligne.</p>'.repeat(150)}${question}<table><tbody><tr><td>A</td><td>B</td></tr></tbody></table>`;
  const { id } = await createItem(site, discipline.id, { titre: 'Longue', contenu });
  await page.goto(new URL(`/admin/discipline/${discipline.id}?type=course&item=${id}`, page.url()).href);
  await area.getByText('Une ligne.').first().click();
  await page.getByText('mots, ').waitFor();
  t.equal(await area.locator('.editor__fields').count(), 0);
  await area.locator('section.question').scrollIntoViewIfNeeded();
  await area.locator('.editor__fields').waitFor();
  await area.locator('td').last().click();
  await page.getByRole('toolbar', { name: 'Tableau' }).waitFor();
  await page.keyboard.press('Tab');
  await page.keyboard.type('C');
  t.equal(await area.locator('tr').count(), 2, 'Tab after the last cell adds a row');
});

t.test('an author learns who else has the item open, until they leave', { buffered: true }, async (t) => {
  const page = await site.page(t, { width: 1280 });
  const discipline = await createDiscipline(site);
  const { id } = await createItem(site, discipline.id, { titre: 'Suites' });
  await openScreen(page, site, administrator, discipline.id, `?type=course&item=${id}`);
  await editor(page, 'Contenu').waitFor();
  const marie = await createAdministrator(site);
  const other = await site.page(t, { width: 1280 });
  await openScreen(other, site, marie, discipline.id, `?type=course&item=${id}`);
  await other.getByText(`${administrator.username} a ouvert ce contenu à l'instant.`).waitFor();
  await assertAccessible(t, other);
  // The first page learns of the second with its next call, at the latest after a minute.
  const look = () => page.evaluate(() => document.dispatchEvent(new Event('visibilitychange')));
  await look();
  const notice = page.getByText(`${marie.username} a ouvert ce contenu à l'instant.`);
  await notice.waitFor();
  await other.goto('about:blank');
  await until(async () => (await site.rows('select 1 from item_presence where item_id = $1', [id])).length === 1);
  await look();
  await notice.waitFor({ state: 'detached' });
});
