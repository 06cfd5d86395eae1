import type { Page } from 'playwright-core';
import t from 'tap';
import { button, editor, field, listed, openScreen, readToast, whileCallsFail } from '../support/authoring.ts';
import { createAdministrator, createDiscipline, createItem } from '../support/factories.ts';
import { shareSite, toast } from '../support/journey.ts';

// Error messages of the authoring screen, for each kind of item: texts of the specification (§5, §8).

const site = await shareSite(t);
const administrator = await createAdministrator(site);
const text = (page: Page, words: string) => page.getByText(words, { exact: true }).filter({ visible: true });
const dialog = (page: Page) => page.getByRole('dialog');
const year = new Date().getFullYear();

const kinds = [
  {
    kind: 'exercise',
    path: 'exercices',
    create: 'Nouvel Exercice',
    label: 'Exercice 1 : Essai',
    field: 'Énoncé',
    list: 'Erreur lors de la récupération des exercices',
    creation: "Erreur lors de la création de l'exercice",
    save: "Erreur lors de la sauvegarde de l'exercice",
    deletion: "Erreur lors de la suppression de l'exercice",
  },
  {
    kind: 'pastExam',
    path: 'anciens-sujets',
    create: 'Nouvel Ancien Sujet',
    label: 'Sujet 2023 : Essai',
    field: 'Contenu',
    list: 'Erreur lors de la récupération des anciens sujets',
    creation: "Erreur lors de la création de l'ancien sujet",
    save: "Erreur lors de la sauvegarde de l'ancien sujet",
    deletion: "Erreur lors de la suppression de l'ancien sujet",
  },
] as const;

t.test('failed requests, for exercises and past exams', async (t) => {
  const { id } = await createDiscipline(site);
  const page = await site.page(t, { width: 1280, allow: [/status of 503/] });
  for (const { kind, path, create, label, field: name, list, creation, save, deletion } of kinds) {
    const item = await createItem(site, id, { kind, titre: 'Essai' });
    await createItem(site, id, { kind, titre: 'Suivant', numeroPage: 2 });
    await openScreen(page, site, administrator, id, `?type=${kind}&item=${item.id}`);
    await editor(page, name).click();
    await page.keyboard.type('x');
    await whileCallsFail(page, `**/api/${path}/*`, async () => {
      await button(page, 'Enregistrer').click();
      await readToast(page, save, 'error');
      await button(page, `Supprimer ${label}`).click();
      await button(dialog(page), 'Supprimer').click();
      await toast(page, deletion).waitFor();
      await button(dialog(page), 'Annuler').click();
    });
    await whileCallsFail(page, `**/api/${path}`, async () => {
      await button(page, create).click();
      await field(dialog(page), 'Titre').fill('Autre');
      await button(dialog(page), 'Créer').click();
      await toast(page, creation).waitFor();
      await button(dialog(page), 'Annuler').click();
    });
    await whileCallsFail(page, `**/api/${path}/**`, async () => {
      await button(page, `Déplacer ${label}`).focus();
      await page.keyboard.press('ArrowDown');
      await readToast(page, list, 'error');
    });
    // The retry shows that it is loading.
    let go = () => {};
    const held = new Promise<void>((resolve) => {
      go = resolve;
    });
    await page.route(`**/api/${path}/**`, async (route) => {
      await held;
      await route.continue();
    });
    await button(page.locator('.workbench__side'), 'Réessayer').click();
    await text(page, 'Chargement...').waitFor();
    go();
    await text(page, 'Suivant').waitFor();
    await page.unroute(`**/api/${path}/**`);
    t.equal(
      await editor(page, name)
        .locator('p')
        .first()
        .innerText()
        .then((words) => words.includes('x')),
      true,
      'the editor keeps the typed text',
    );
  }
  t.equal(
    await page
      .getByRole('link', { name: 'Retour', exact: true })
      .getAttribute('href')
      .then((href) => href?.split('?')[0]),
    '/admin/dashboard',
  );
});

t.test('titles and years, while they are typed', async (t) => {
  const { id } = await createDiscipline(site);
  const page = await site.page(t, { width: 360 });
  await openScreen(page, site, administrator, id, '?type=pastExam');
  await button(page, 'Nouvel Ancien Sujet').click();
  const create = button(dialog(page), 'Créer');
  const cases: ['Titre' | 'Année', string, string][] = [
    ['Titre', '', 'Le titre est requis'],
    ['Titre', 'ab', 'Le titre doit contenir au moins 3 caractères'],
    ['Titre', 'a'.repeat(101), 'Le titre ne doit pas dépasser 100 caractères'],
    ['Titre', "L'été", 'Le titre ne doit contenir que des lettres, des chiffres, des espaces, des tirets et des underscores'],
    ['Année', '', "L'année est requise"],
    ['Année', '2020,5', "L'année doit être un nombre entier"],
    ['Année', '1899', "L'année doit être supérieure à 1900"],
    ['Année', String(year + 1), `L'année ne peut pas dépasser ${year}`],
  ];
  for (const [name, value, message] of cases) {
    await field(dialog(page), 'Titre').fill('Sujet de juin');
    await field(dialog(page), 'Année').fill('1900');
    t.ok(await create.isEnabled());
    await field(dialog(page), name).fill(value);
    await text(page, message).waitFor();
    t.ok(await create.isDisabled(), message);
  }
});

t.test('the list, the hint beside it, and the dialog of a new item', async (t) => {
  const { id } = await createDiscipline(site);
  for (const [numeroPage, titre] of [
    [2, 'Deuxième'],
    [1, 'Premier'],
  ] as const)
    await createItem(site, id, { titre, numeroPage });
  const page = await site.page(t, { width: 1280 });
  await openScreen(page, site, administrator, id);
  t.same(await listed(page), ['Leçon 1 Premier', 'Leçon 2 Deuxième'], 'sorted by numero_page');
  // A tab opens its first item; without items nothing is open.
  await page.getByRole('tab', { name: 'Exercices' }).click();
  await text(page, 'Utilisez le panneau de gauche : choisissez dans la liste, ou créez avec le bouton.').waitFor();
  await page.getByRole('tab', { name: 'Leçons' }).click();
  const open = () => button(page, 'Nouvelle Leçon').click();
  await open();
  await field(dialog(page), 'Titre').fill('Abandonné');
  await button(dialog(page), 'Annuler').click();
  await dialog(page).waitFor({ state: 'detached' });
  await open();
  t.equal(await field(dialog(page), 'Titre').inputValue(), '', 'after a cancelled creation the dialog opens empty');
  await field(dialog(page), 'Titre').fill('Troisième');
  await button(dialog(page), 'Créer').click();
  await readToast(page, 'Nouvelle leçon créée avec succès');
  t.same(await listed(page), ['Leçon 1 Premier', 'Leçon 2 Deuxième', 'Leçon 3 Troisième']);
  await open();
  t.equal(await field(dialog(page), 'Titre').inputValue(), '', 'after a creation the dialog opens empty');
});
