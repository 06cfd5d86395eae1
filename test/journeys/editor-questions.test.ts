import type { Locator, Page } from 'playwright-core';
import t, { type Test } from 'tap';
import { assertAccessible } from '../support/accessible.ts';
import { editor, openScreen, readToast } from '../support/authoring.ts';
import { createAdministrator, createDiscipline, createItem } from '../support/factories.ts';
import { type Site, shareSite, toast } from '../support/journey.ts';

// Questions written in the editor. What is stored is read from the database.

const site: Site = await shareSite(t);
const administrator = await createAdministrator(site);

interface Desk {
  page: Page;
  area: Locator;
  id: number;
  address: string;
}

async function desk(t: Test, contenu = '', width = 1280): Promise<Desk> {
  const page = await site.page(t, { width });
  const discipline = await createDiscipline(site);
  const { id } = await createItem(site, discipline.id, { titre: 'Suites', contenu });
  const search = `?type=course&item=${id}`;
  await openScreen(page, site, administrator, discipline.id, search);
  const area = editor(page, 'Contenu');
  await area.click();
  await page.keyboard.press('ControlOrMeta+End');
  return { page, area, id, address: `/admin/discipline/${discipline.id}${search}` };
}

async function save(page: Page): Promise<void> {
  await page.keyboard.press('ControlOrMeta+s');
  await readToast(page, 'Leçon mise à jour avec succès');
}

const questions = (id: number) =>
  site.rows<{ kind: string; points: string; key: Record<string, unknown>; usable: boolean }>(
    'select kind, points, key, usable from question where item_id = $1 and position is not null order by position',
    [id],
  );

async function type(page: Page, ...presses: string[]): Promise<void> {
  for (const press of presses) {
    await (/^(?:ControlOrMeta|Alt|Shift|Enter|Tab|Escape)/.test(press) ? page.keyboard.press(press) : page.keyboard.type(press));
    // The first question loads what edits it.
    if (press.endsWith('+6')) await page.getByRole('toolbar', { name: 'Question' }).waitFor();
  }
}

t.test('by keyboard alone: a question of four choices is written, saved, and found again with its key', { buffered: true }, async (t) => {
  const { page, area, id, address } = await desk(t, '<p>Avant</p>');
  await type(page, 'ControlOrMeta+Shift+6', 'Quelle est la capitale ?', 'Enter', 'Douala', 'Enter', 'Yaoundé', 'ControlOrMeta+Enter');
  await type(page, 'Enter', 'Garoua', 'Enter', 'Buea', 'Enter', 'Enter', 'Depuis 1921.', 'ControlOrMeta+Enter', 'Suite');
  await assertAccessible(t, page, { within: '.editor' });
  await save(page);
  const [question, ...others] = await questions(id);
  t.same(others, []);
  t.match(question, { kind: 'one', usable: true, key: { explanation: '<p>Depuis 1921.</p>' } });

  await page.goto(address);
  await area.locator('.editor__question').first().waitFor();
  t.same(await area.locator('article').allInnerTexts(), ['Douala', 'Yaoundé', 'Garoua', 'Buea']);
  t.same(await area.locator('article[data-right]').allInnerTexts(), ['Yaoundé']);
  t.equal(await area.locator('footer').innerText(), 'Depuis 1921.');
  t.equal(await area.locator('> p').last().innerText(), 'Suite');
  t.ok(await page.getByRole('checkbox', { name: 'Choix juste : Yaoundé' }).isChecked());

  // Tab leads from the text to the fields of this question and its boxes; Escape leads back.
  await area.getByText('Douala').click();
  await page.getByRole('toolbar', { name: 'Question' }).waitFor();
  await type(page, 'Tab', 'Tab');
  t.equal(await page.evaluate(() => (document.activeElement as HTMLInputElement).labels?.[0]?.innerText), 'Points');
  await type(page, 'ControlOrMeta+a', '2,5', 'Tab', 'Tab');
  t.equal(await page.evaluate(() => document.activeElement?.ariaLabel), 'Choix juste : Douala');
  await page.keyboard.press('Space');
  await page.keyboard.press('Shift+Tab');
  await page.keyboard.press('Escape');
  await save(page);
  t.match(await questions(id), [
    { points: '2.5', key: { right: [(await area.locator('article').count()) === 4 ? /^[a-z0-9]{12}$/ : ''] } },
  ]);
  t.same(await area.locator('article[data-right]').allInnerTexts(), ['Douala'], 'one right choice: the other is no longer right');
});

t.test('a number and a short text, with the fields of their kinds', { buffered: true }, async (t) => {
  const { page, area, id } = await desk(t);
  await type(page, 'ControlOrMeta+Shift+6', 'Combien ?');
  await page.getByLabel('Type').selectOption('Nombre');
  await area.locator('header p').click();
  await type(page, 'Enter', '3,5', 'Tab', '2 %', 'Tab', 'm/s', 'Enter', 'Car oui.', 'ControlOrMeta+Shift+6', 'Qui ?');
  await page.getByLabel('Type').last().selectOption('Texte court');
  await area.locator('header p').last().click();
  await type(page, 'Enter', 'Ahidjo', 'Enter', 'Ahmadou Ahidjo', 'ControlOrMeta+Enter', 'Le premier.');
  await assertAccessible(t, page, { within: '.editor' });
  await save(page);
  t.match(await questions(id), [
    { kind: 'number', usable: true, key: { value: '3,5', tolerance: '2 %', unit: 'm/s', explanation: '<p>Car oui.</p>' } },
    { kind: 'text', usable: true, key: { accepted: ['Ahidjo', 'Ahmadou Ahidjo'], explanation: '<p>Le premier.</p>' } },
  ]);
});

t.test('a fault is shown where the question stands, while one types, and named after the save', { buffered: true }, async (t) => {
  const { page, area, id } = await desk(t);
  const fault = area.locator('.editor__fault');
  await type(page, 'ControlOrMeta+Shift+6', 'Un ?', 'Enter', 'a', 'Enter', 'b', 'ControlOrMeta+Enter');
  t.notOk(await fault.isVisible(), 'nothing is missing');
  await type(page, 'ControlOrMeta+Shift+6');
  await fault.getByText("À compléter : l'énoncé est vide.").waitFor();
  await type(page, 'Deux ?', 'Enter', 'même');
  await fault.getByText('À compléter : aucun choix juste.').waitFor();
  await type(page, 'Enter', 'même', 'ControlOrMeta+Enter');
  await fault.getByText('À compléter : deux choix identiques.').waitFor();
  await type(page, 's', 'ControlOrMeta+Enter');
  await fault.getByText('À compléter : aucun choix juste.').waitFor();
  await assertAccessible(t, page, { within: '.editor' });
  await save(page);
  await page.getByText("Question 2 : aucun choix juste. Elle n'est pas montrée aux candidats.", { exact: true }).waitFor();
  t.match(await questions(id), [{ usable: true }, { usable: false }]);
});

t.test('tools of a question with the mouse, and undo', { buffered: true }, async (t) => {
  const { page, area } = await desk(t);
  const tool = (name: string) => page.getByRole('toolbar', { name: 'Question' }).getByRole('button', { name, exact: true });
  await page.getByRole('toolbar', { name: 'Mise en forme' }).getByRole('button', { name: 'Question', exact: true }).click();
  await page.getByRole('toolbar', { name: 'Question' }).waitFor();
  await page.keyboard.type('Un ?');
  await area.locator('article p').first().click();
  await page.keyboard.type('a');
  await area.locator('article p').nth(1).click();
  await page.keyboard.type('b');
  await tool('Monter le choix').click();
  await tool('Ajouter un choix').click();
  await page.keyboard.type('c');
  t.same(await area.locator('article').allInnerTexts(), ['b', 'c', 'a']);
  await tool('Remarque du choix').click();
  await page.keyboard.type('Non.');
  t.equal(await area.locator('article aside').innerText(), 'Non.');
  await page.getByRole('checkbox', { name: /^Choix juste : a/ }).check();
  t.same(await area.locator('article[data-right]').allInnerTexts(), ['a']);
  await page.getByLabel('Ordre fixe').check();
  await area.locator('article p').first().click();
  await tool('Supprimer le choix').click();
  t.equal(await area.locator('article').count(), 2);
  await page.keyboard.press('ControlOrMeta+z');
  t.equal(await area.locator('article').count(), 3);
  await tool('Supprimer la question').click();
  t.equal(await area.locator('section').count(), 0);
  await page.keyboard.press('ControlOrMeta+z');
  t.equal(await area.locator('article').count(), 3);
});

const written = '<p>1. Qui ?</p><p>a) Lui</p><p>b) <strong>Elle</strong></p><p>Explication : car.</p>';

t.test('a selected text becomes a question', { buffered: true }, async (t) => {
  const { page, area } = await desk(t, written);
  await page.keyboard.press('ControlOrMeta+a');
  await page.getByRole('button', { name: 'Transformer en question', exact: true }).click();
  await area.locator('article[data-right]').waitFor();
  t.same(await area.locator('article').allInnerTexts(), ['Lui', 'Elle']);
  t.same(await area.locator('article[data-right]').allInnerTexts(), ['Elle']);
  t.equal(await area.locator('footer').innerText(), 'car.');
});

t.test('a pasted text is offered as questions', { buffered: true }, async (t) => {
  const { page, area } = await desk(t, '<p>Avant</p>');
  const paste = (html: string) =>
    area.evaluate((element, html) => {
      const clipboardData = new DataTransfer();
      clipboardData.setData('text/html', html);
      element.dispatchEvent(new ClipboardEvent('paste', { clipboardData, bubbles: true, cancelable: true }));
    }, html);
  await page.keyboard.press('Enter');
  const exercise = '<p>3. Résoudre.</p><p>a) x = 3</p><p>b) x = 4</p>';
  await paste(written + written.replace('1.', '2.') + exercise);
  const offer = toast(page, '2 questions reconnues dans le texte collé.').first();
  await offer.waitFor();
  await area.locator('p').first().click();
  await page.keyboard.type('Et ');
  await offer.getByRole('button', { name: 'Transformer en questions' }).click();
  t.equal(await area.locator('section').count(), 2);
  t.same(await area.locator('article[data-right]').allInnerTexts(), ['Elle', 'Elle']);
  t.match(await area.locator('p').first().innerText(), 'Et ');
  t.equal(await area.getByText('a) x = 3').count(), 1, 'parts of an exercise stay as they are');
  // Alone they are not offered.
  await page.keyboard.press('ControlOrMeta+End');
  await paste('<p>1. Résoudre.</p><p>a) x = 1</p><p>b) x = 2</p>');
  await area.getByText('b) x = 2').waitFor();
  t.equal(await toast(page, 'reconnue').count(), 0);
});
