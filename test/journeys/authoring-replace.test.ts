import type { Page } from 'playwright-core';
import t, { type Test } from 'tap';
import { assertAccessible } from '../support/accessible.ts';
import { button, editor, openScreen, readToast, whileCallsFail } from '../support/authoring.ts';
import { stepScreenshot } from '../support/browser.ts';
import { createAdministrator, createDiscipline, createItem } from '../support/factories.ts';
import { shareSite } from '../support/journey.ts';
import { assertNoOverflow } from '../support/page-checks.ts';

// Find and replace across a discipline: preview, ticks, the network lost between two requests, two writers.

const site = await shareSite(t);
const [awa, bih] = [await createAdministrator(site), await createAdministrator(site)];

async function open(t: Test, disciplineId: number, { width = 1280, search = '', as = awa } = {}): Promise<Page> {
  const page = await site.page(t, { width, fresh: true, allow: [/status of (400|404|409|503)|ERR_FAILED/] });
  await openScreen(page, site, as, disciplineId, search);
  return page;
}
const textsOf = async (disciplineId: number) =>
  (await site.rows<{ contenu: string }>('select contenu from item where discipline_id = $1 order by numero_page', [disciplineId])).map(
    ({ contenu }) => contenu,
  );
const openDialog = async (page: Page) => {
  await button(page, 'Rechercher et remplacer').filter({ visible: true }).click();
  return page.getByRole('dialog', { name: 'Rechercher et remplacer' });
};

for (const width of [360, 1280])
  t.test(`a misspelt word is found in 25 lessons and replaced in all but one, with the network lost in between: ${width} px`, async (t) => {
    const { id } = await createDiscipline(site);
    for (let page = 1; page <= 25; page += 1)
      await createItem(site, id, { titre: `Chapitre ${page}`, numeroPage: page, contenu: `<p>Le théoreme ${page} et son théorème.</p>` });
    const page = await open(t, id, { width, search: width === 360 ? '' : `?type=course` });
    const dialog = await openDialog(page);
    await dialog.getByLabel('Texte à chercher').fill('théoreme');
    await dialog.getByLabel('Remplacer par').fill('théorème');
    await whileCallsFail(page, '**/api/contenus/recherche', async () => {
      await button(dialog, 'Chercher').click();
      await dialog.getByText('La recherche a échoué').waitFor();
    });
    await button(dialog, 'Chercher').click();
    await dialog.getByText('50 passages dans 25 contenus').waitFor();
    await dialog.getByLabel('Respecter les accents').check();
    await button(dialog, 'Chercher').click();
    await dialog.getByText('25 passages dans 25 contenus').waitFor();
    t.match(await dialog.getByText('Le théoreme 1 et').innerText(), /Le théoreme 1 et son théorème/);
    await dialog.getByLabel(/^Leçon 3 : Chapitre 3/).uncheck();
    await button(dialog, 'Afficher la suite (5)').click();
    await assertNoOverflow(t, page);
    await assertAccessible(t, page);
    await stepScreenshot(page, 'replace');

    let calls = 0;
    await page.route('**/api/contenus/remplacement', (route) => {
      calls += 1;
      return calls === 2 ? route.abort() : route.continue();
    });
    await button(dialog, 'Remplacer (24)').click();
    await dialog.getByText('Le remplacement est interrompu').waitFor();
    t.equal((await textsOf(id)).filter((text) => text.includes('théoreme')).length, 15, 'the first request is saved');
    await button(dialog, 'Remplacer (14)').click();
    await readToast(page, '14 remplacements dans 14 contenus');
    t.same(
      (await textsOf(id)).filter((text) => text.includes('théoreme')),
      ['<p>Le théoreme 3 et son théorème.</p>'],
    );
  });

t.test('an open text without changes shows the replacement; a text that somebody is writing is reported and kept', async (t) => {
  const { id } = await createDiscipline(site);
  const items: { id: number }[] = [];
  for (const numeroPage of [1, 2, 3])
    items.push(await createItem(site, id, { titre: `Chapitre ${numeroPage}`, numeroPage, contenu: '<p>Le mot juste.</p>' }));
  const [first, second] = items as [{ id: number }, { id: number }];
  const other = await open(t, id, { search: `?type=course&item=${second.id}`, as: bih });
  await editor(other, 'Contenu').click();
  await other.keyboard.press('Control+End');
  await other.keyboard.type(' De Bih.');

  const page = await open(t, id, { search: `?type=course&item=${first.id}` });
  await editor(page, 'Contenu').waitFor();
  const dialog = await openDialog(page);
  await dialog.getByLabel('Texte à chercher').fill('mot');
  await dialog.getByLabel('Remplacer par').fill('terme');
  await button(dialog, 'Chercher').click();
  await dialog.getByText('3 passages dans 3 contenus').waitFor();
  await button(other, 'Enregistrer').filter({ visible: true }).click();
  await readToast(other, 'Leçon mise à jour avec succès');
  await button(dialog, 'Remplacer (3)').click();
  await dialog.getByText("Un contenu n'a pas changé").waitFor();
  await dialog.getByText(new RegExp(`Chapitre 2 : Cette leçon a été modifiée entre-temps par ${bih.username}`)).waitFor();
  t.same(await textsOf(id), ['<p>Le terme juste.</p>', '<p>Le mot juste. De Bih.</p>', '<p>Le terme juste.</p>']);
  await button(dialog, 'Fermer').last().click();
  await editor(page, 'Contenu').getByText('Le terme juste.').waitFor();
});

t.test('a replacement by nothing asks first, and full titles are shown', async (t) => {
  const { id } = await createDiscipline(site);
  for (const numeroPage of [1, 2])
    await createItem(site, id, { titre: `Chapitre ${numeroPage}`, numeroPage, contenu: '<p>Un mot, un autre mot.</p>' });
  await site.rows('update item set intitule = $2 where discipline_id = $1 and numero_page = 2', [id, "L'année 1960 : repères"]);
  const page = await open(t, id, { width: 360 });
  const dialog = await openDialog(page);
  await dialog.getByLabel('Texte à chercher').fill(' mot');
  await button(dialog, 'Chercher').click();
  await dialog.getByText('4 passages dans 2 contenus').waitFor();
  await dialog.getByLabel(/^Leçon 2 : L'année 1960 : repères/).waitFor();
  t.ok(await inView(page, button(dialog, 'Supprimer (2)')), 'the button needs no scrolling');
  await button(dialog, 'Supprimer (2)').focus();
  await page.keyboard.press('Enter');
  await dialog.getByText('Supprimer 4 passages dans 2 contenus ?').waitFor();
  await stepScreenshot(page, 'replace-by-nothing');
  await assertNoOverflow(t, page);
  await assertAccessible(t, page);
  await page.keyboard.press('Enter');
  await button(dialog, 'Supprimer (2)').waitFor();
  t.same(await textsOf(id), Array(2).fill('<p>Un mot, un autre mot.</p>'), 'a second Enter deletes nothing');
  await button(dialog, 'Supprimer (2)').click();
  await dialog.getByLabel(/^Leçon 1 : /).uncheck();
  await button(dialog, 'Supprimer (1)').click();
  await button(dialog, 'Supprimer 2 passages').click();
  await readToast(page, '2 remplacements dans 1 contenu');
  t.same(await textsOf(id), ['<p>Un mot, un autre mot.</p>', '<p>Un, un autre.</p>']);
});

const inView = async (page: Page, locator: ReturnType<typeof button>): Promise<boolean> => {
  const box = await locator.boundingBox();
  return box !== null && box.y >= 0 && box.y + box.height <= (page.viewportSize()?.height ?? 0);
};
