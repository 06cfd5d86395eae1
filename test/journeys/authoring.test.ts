import type { Page } from 'playwright-core';
import t, { type Test } from 'tap';
import { button, editor, field, listed, openItem, openScreen, readToast } from '../support/authoring.ts';
import { createAdministrator, createDiscipline, createItem } from '../support/factories.ts';
import { type Site, shareSite, until } from '../support/journey.ts';
import { isLongForm } from '../support/long-form.ts';

// Creates, writes, reorders and deletes items of a discipline. Texts follow the specification (§2, §4, §5, §8) where it has one.

const site: Site = await shareSite(t);
const administrator = await createAdministrator(site);
// Tests run concurrently, since the browser mostly waits.
t.jobs = 2;
const text = (page: Page, words: string) => page.getByText(words, { exact: true }).filter({ visible: true });
const dialog = (page: Page) => page.getByRole('dialog');
/** Returns the label of the focused element. */
const focused = (page: Page) =>
  page.evaluate(() => {
    const { activeElement: element } = document;
    return element?.ariaLabel ?? (element as HTMLInputElement | null)?.labels?.[0]?.innerText ?? element?.textContent;
  });
const items = (disciplineId: number, kind: string) =>
  site.rows<{ titre: string; numero_page: number; contenu: string; corrige: string | null; annee: number | null }>(
    'select titre, numero_page, contenu, corrige, annee from item where discipline_id = $1 and kind = $2 order by numero_page',
    [disciplineId, kind],
  );
const year = new Date().getFullYear();

/** Runs the journey on a desktop; the long form also runs it on a phone, since the journeys are about behaviour. */
function journey(name: string, walk: (t: Test, page: Page, width: number) => Promise<void>): void {
  for (const width of isLongForm ? [360, 1280] : [1280]) {
    t.test(`${name}, ${width} px`, { buffered: true }, async (t) => walk(t, await site.page(t, { width }), width));
  }
}

const tabs = [
  {
    kind: 'course',
    tab: 'Leçons',
    create: 'Nouvelle Leçon',
    label: 'Leçon 1',
    fields: ['Contenu'],
    empty: 'Aucune leçon disponible',
    nothing: 'Sélectionnez une leçon ou créez-en une nouvelle',
    said: ['Nouvelle leçon créée avec succès', 'Leçon mise à jour avec succès', 'Leçon supprimée avec succès'],
    question: 'Êtes-vous sûr de vouloir supprimer cette leçon ?',
    // For a lesson the toast shows the fault, and not a general message.
    refused: 'Le titre doit contenir au moins 3 caractères',
  },
  {
    kind: 'exercise',
    tab: 'Exercices',
    create: 'Nouvel Exercice',
    label: 'Exercice 1',
    fields: ['Énoncé', 'Corrigé'],
    empty: 'Aucun exercice disponible',
    nothing: 'Sélectionnez un exercice ou créez-en un nouveau',
    said: ['Nouvel exercice créé avec succès', 'Exercice mis à jour avec succès', 'Exercice supprimé avec succès'],
    question: 'Êtes-vous sûr de vouloir supprimer cet exercice ?',
    refused: "Erreur lors de la sauvegarde de l'exercice",
  },
  {
    kind: 'pastExam',
    tab: 'Anciens Sujets',
    create: 'Nouvel Ancien Sujet',
    label: `Sujet ${year}`,
    fields: ['Contenu', 'Corrigé'],
    empty: 'Aucun ancien sujet disponible',
    nothing: 'Sélectionnez un ancien sujet ou créez-en un nouveau',
    said: ['Nouvel ancien sujet créé avec succès', 'Ancien sujet mis à jour avec succès', 'Ancien sujet supprimé avec succès'],
    question: 'Êtes-vous sûr de vouloir supprimer cet ancien sujet ?',
    refused: "Erreur lors de la sauvegarde de l'ancien sujet",
  },
] as const;

journey('from an empty discipline to texts, and back', async (t, page) => {
  const discipline = await createDiscipline(site);
  await openScreen(page, site, administrator, discipline.id);
  t.equal(await page.getByRole('heading', { level: 1 }).innerText(), discipline.nom);
  await text(page, 'Une discipline.').waitFor();
  t.match(await page.getByRole('link', { name: 'Retour', exact: true }).getAttribute('href'), /^\/admin\/dashboard/);
  for (const tab of tabs) await fillTab(t, page, discipline.id, tab);
  // The URL contains tab and item, and opens them.
  t.equal(new URL(page.url()).search, '?type=pastExam', 'the URL names no item');
  await createItem(site, discipline.id, { kind: 'exercise', titre: 'Direct', contenu: '<p>Lié.</p>' });
  const [row] = await site.rows<{ id: number }>('select id from item where discipline_id = $1', [discipline.id]);
  await page.goto(`/admin/discipline/${discipline.id}?type=exercise&item=${row?.id}`);
  await editor(page, 'Énoncé').getByText('Lié.').waitFor();
  t.equal(await page.getByRole('tab', { name: 'Exercices' }).getAttribute('aria-selected'), 'true');
});

async function fillTab(t: Test, page: Page, disciplineId: number, tab: (typeof tabs)[number]): Promise<void> {
  const { kind, create, fields, empty, nothing, said, question, label, refused } = tab;
  await page.getByRole('tab', { name: tab.tab, exact: true }).click();
  for (const words of [empty, nothing]) await text(page, words).waitFor();

  // Creating: the button is disabled while a field is invalid.
  await button(page, create).click();
  const form = dialog(page);
  await field(form, 'Titre').waitFor();
  t.equal(await focused(page), 'Titre', 'the first field has the focus');
  t.ok(await button(form, 'Créer').isDisabled(), 'disabled while the title is empty');
  await field(form, 'Titre').fill('ab');
  await text(page, 'Le titre doit contenir au moins 3 caractères').waitFor();
  t.ok(await button(form, 'Créer').isDisabled());
  await field(form, 'Titre').fill('Été 2024 : A');
  await text(page, 'Le titre ne doit contenir que des lettres, des chiffres, des espaces, des tirets et des underscores').waitFor();
  // Escape does not close a dialog with typed text.
  await page.keyboard.press('Escape');
  await form.getByText("Rien n'est encore créé.").waitFor();
  await field(form, 'Titre').fill('Été 2024 - A_1');
  if (kind === 'pastExam') {
    t.equal(await field(form, 'Année').inputValue(), String(year), 'the current year by default');
    await field(form, 'Année').fill(String(year + 1));
    await text(page, `L'année ne peut pas dépasser ${year}`).waitFor();
    t.ok(await button(form, 'Créer').isDisabled());
    await field(form, 'Année').fill(String(year));
  }
  await button(form, 'Créer').click();
  await page.getByRole('status').getByText(`${label} : Été 2024 - A_1`, { exact: true }).waitFor({ state: 'attached' });
  t.equal(await focused(page), fields[0], 'the first editor of the new item has the focus');
  await readToast(page, said[0]);
  t.same(await listed(page), [`${label} Été 2024 - A_1`], 'the list shows the new item');
  await page.getByText('Page 1', { exact: true }).filter({ visible: true }).waitFor();

  // Writes every text; each keeps its state while another one is shown.
  for (const name of fields) {
    if (fields.length > 1) await page.getByRole('tab', { name, exact: true }).click();
    await editor(page, name).click();
    await page.keyboard.type(`Texte ${name}`);
  }
  await field(page, 'Titre').fill('x');
  await text(page, 'Le titre doit contenir au moins 3 caractères').waitFor();
  t.ok(await button(page, 'Enregistrer').filter({ visible: true }).isDisabled(), 'an invalid field disables saving');
  await page.keyboard.press('Control+s');
  await readToast(page, refused, 'error');
  await field(page, 'Titre').fill('Définitions');
  await text(page, 'Modifications non enregistrées').waitFor();
  t.same(await listed(page), [`${label} modifié Été 2024 - A_1`], 'the list marks it');
  await page.keyboard.press('Control+s');
  await readToast(page, said[1]);
  await page
    .getByText(/^Enregistré à \d\d:\d\d$/)
    .filter({ visible: true })
    .waitFor();
  t.same(await listed(page), [`${label} Définitions`]);
  const [stored] = await items(disciplineId, kind);
  t.has(stored, { titre: 'Définitions', contenu: `<p>Texte ${fields[0]}</p>`, annee: kind === 'pastExam' ? year : null });
  t.equal(stored?.corrige ?? null, kind === 'course' ? null : '<p>Texte Corrigé</p>');

  // Deleting asks for confirmation, with the item's name; afterwards nothing is selected.
  await button(page, `Supprimer ${label} : Définitions`).click();
  await dialog(page).getByText(question, { exact: true }).waitFor();
  await dialog(page).getByText(`${label} : Définitions`, { exact: true }).waitFor();
  await button(dialog(page), 'Supprimer').click();
  await readToast(page, said[2]);
  for (const words of [empty, nothing]) await text(page, words).waitFor();
  t.same(await items(disciplineId, kind), []);
}

journey('a long list: pages, and order by pointer and keyboard', async (t, page, width) => {
  // The window is high enough for the whole list, because dragging to its edge would scroll it.
  await page.setViewportSize({ width, height: 1200 });
  const { id } = await createDiscipline(site);
  for (let number = 1; number <= 10; number += 1) await createItem(site, id, { titre: `T${number}`, numeroPage: number });
  await openScreen(page, site, administrator, id);
  t.equal(await page.getByRole('navigation', { name: 'Pages de la liste' }).count(), 0, 'no page buttons for 10 items');
  await button(page, 'Nouvelle Leçon').click();
  await field(dialog(page), 'Titre').fill('T11');
  await button(dialog(page), 'Créer').click();
  await readToast(page, 'Nouvelle leçon créée avec succès');
  t.same(await listed(page), ['Leçon 11 T11'], 'the list shows the page of the moved item');
  const stored = async () => (await items(id, 'course')).map(({ titre }) => titre).join(' ');

  // Moves an item with the keyboard from one list page to the previous one.
  await button(page, 'Déplacer Leçon 11 : T11').focus();
  await page.keyboard.press('ArrowUp');
  await page.getByRole('status').getByText('« T11 » : en position 10 sur 11').waitFor({ state: 'attached' });
  t.same((await listed(page)).slice(8), ['Leçon 9 T9', 'Leçon 10 T11'], 'the list shows the page of the moved item');
  t.equal(
    await page.evaluate(() => document.activeElement?.getAttribute('aria-label')),
    'Déplacer Leçon 10 : T11',
    'the focus follows the moved item',
  );
  await button(page, /^Leçon 1 T1$/).focus();
  await page.keyboard.press('Alt+ArrowDown');
  await page.keyboard.press('Alt+ArrowDown');
  await until(async () => (await stored()) === 'T2 T3 T1 T4 T5 T6 T7 T8 T9 T11 T10');

  // Moves items with the pointer: within a list page, and to another page.
  await drag(page, 'Déplacer Leçon 2 : T3', await boxOf(page, 'Déplacer Leçon 5 : T5'));
  await until(async () => (await stored()) === 'T2 T1 T4 T5 T3 T6 T7 T8 T9 T11 T10');
  t.same((await listed(page)).slice(0, 5), ['Leçon 1 T2', 'Leçon 2 T1', 'Leçon 3 T4', 'Leçon 4 T5', 'Leçon 5 T3']);
  await drag(page, 'Déplacer Leçon 1 : T2', await boxOf(page, 'Page 2'));
  await until(async () => (await stored()) === 'T1 T4 T5 T3 T6 T7 T8 T9 T11 T10 T2');
  t.same(await listed(page), ['Leçon 11 T2']);

  // A click without dragging offers buttons, for people who cannot drag.
  await button(page, 'Déplacer Leçon 11 : T2').click();
  await button(page, 'Monter Leçon 11 : T2').click();
  await until(async () => (await stored()).endsWith('T11 T2 T10'));
  await button(page, 'Page 1').click();
  t.equal((await listed(page)).length, 10);
});

/** Returns the visible height of a text, in CSS pixels. */
const seenOf = (page: Page, label: string): Promise<number> =>
  editor(page, label).evaluate((area) => {
    const { top, bottom } = area.getBoundingClientRect();
    return Math.min(bottom, innerHeight) - Math.max(top, 0);
  });

/** Returns whether the centre of the element is within the window and not covered. */
const isInSight = (element: Element): boolean => {
  const { left, top, width, height } = element.getBoundingClientRect();
  return element.contains(document.elementFromPoint(left + width / 2, top + height / 2));
};

async function boxOf(page: Page, name: string): Promise<{ x: number; y: number }> {
  const box = await button(page, name).boundingBox();
  if (!box) throw new Error(`${name} is not shown`);
  return { x: box.x + box.width / 2, y: box.y + box.height * 0.7 };
}

async function drag(page: Page, name: string, to: { x: number; y: number }): Promise<void> {
  const from = await boxOf(page, name);
  await page.mouse.move(from.x, from.y);
  await page.mouse.down();
  await page.mouse.move(from.x, from.y + 10);
  await page.mouse.move(to.x, to.y);
  await page.mouse.up();
}

t.test('without script the lists are read', { buffered: true }, async (t) => {
  const { id } = await createDiscipline(site);
  await createItem(site, id, { titre: 'Suites' });
  await createItem(site, id, { kind: 'pastExam', titre: 'Sujet A' });
  const page = await site.page(t, { width: 1280, javaScript: false });
  await page.context().addCookies([{ name: 'adminToken', value: administrator.token, url: site.url }]);
  await page.goto(`/admin/discipline/${id}`);
  t.same(await page.getByRole('heading', { level: 2 }).allInnerTexts(), [
    'Leçons (1)',
    'Exercices (0)',
    'Anciens Sujets (1)',
    'Questions (0)',
  ]);
  t.same(await page.getByRole('term').allInnerTexts(), ['Leçon 1', 'Sujet 2023']);
  t.equal(await page.getByRole('tab').filter({ visible: true }).count(), 0, 'no tab without JavaScript');
});

t.test('the open item stays open while another tab is shown', { buffered: true }, async (t) => {
  const { id } = await createDiscipline(site);
  await createItem(site, id, { titre: 'Suites', contenu: '<p>Début.</p>' });
  await createItem(site, id, { titre: 'Séries', contenu: '<p>Plus tard.</p>', numeroPage: 2 });
  await createItem(site, id, { kind: 'exercise', titre: 'Sommes', contenu: `<p>${'Calculer. '.repeat(2000)}</p>` });
  const page = await site.page(t, { width: 1280 });
  await page.setViewportSize({ width: 1280, height: 800 });
  await openScreen(page, site, administrator, id);
  await editor(page, 'Contenu').getByText('Début.', { exact: true }).waitFor();
  await page.getByRole('status').getByText('Leçon 1 : Suites', { exact: true }).waitFor({ state: 'attached' });
  t.ok((await seenOf(page, 'Contenu')) >= 600, 'the first item opens without a click, and its text has three quarters of the screen');
  await button(page, /^Leçon 2 /).click();
  await editor(page, 'Contenu').getByText('Plus tard.', { exact: true }).waitFor();
  t.match(await focused(page), 'Séries', 'the focus stays in the list');
  await openItem(page, 'Leçon 1', 'Contenu');
  await page.getByRole('status').getByText('Leçon 1 : Suites', { exact: true }).waitFor({ state: 'attached' });
  await page.keyboard.press('Enter');
  t.match(await focused(page), /^Leçon 1\s+Page 1$/, 'a second press of Enter moves the focus to the open item');
  await page.keyboard.press('Tab');
  t.equal(await focused(page), 'Titre');
  await editor(page, 'Contenu').click();
  await page.keyboard.press('Control+End');
  await page.keyboard.type(' Suite.');
  await page.getByRole('tab', { name: 'Leçons' }).focus();
  await page.keyboard.press('ArrowRight');
  t.equal(await page.evaluate(() => document.activeElement?.textContent), 'Exercices', 'an arrow key selects the next tab and shows it');
  await editor(page, 'Énoncé').waitFor();
  t.ok((await seenOf(page, 'Énoncé')) >= 600, 'the editor of an exercise shows at least 600 pixels too');
  await page.mouse.move(800, 500);
  await page.mouse.wheel(0, 1000);
  await page.waitForFunction(() => scrollY > 500);
  t.ok(await button(page, 'Enregistrer').filter({ visible: true }).evaluate(isInSight), 'the save button stays visible, with the tools');
  t.ok(await page.getByRole('toolbar').getByRole('button', { name: 'Gras' }).filter({ visible: true }).evaluate(isInSight));
  await page.keyboard.press('End');
  await text(page, 'Aucune série disponible').waitFor();
  await page.keyboard.press('Home');
  t.equal(await editor(page, 'Contenu').innerText(), 'Début. Suite.');
  await editor(page, 'Contenu').click();
  await page.keyboard.press('Control+z');
  t.equal(await editor(page, 'Contenu').innerText(), 'Début.', 'the editor keeps its undo history');
  await page
    .getByText(/^Enregistré à/)
    .filter({ visible: true })
    .waitFor();
});
