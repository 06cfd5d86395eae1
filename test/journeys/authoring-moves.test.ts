import type { Page } from 'playwright-core';
import t, { type Test } from 'tap';
import { assertAccessible } from '../support/accessible.ts';
import { button, editor, field, listed, openScreen, readToast, whileCallsFail } from '../support/authoring.ts';
import { stepScreenshot } from '../support/browser.ts';
import { createAdministrator, createDiscipline, createItem, createPrepa } from '../support/factories.ts';
import { shareSite } from '../support/journey.ts';
import { assertNoOverflow } from '../support/page-checks.ts';

// Contents that move to another discipline, on the screen of the discipline that they leave.

const site = await shareSite(t);
const [awa, bih] = [await createAdministrator(site), await createAdministrator(site)];

async function open(t: Test, disciplineId: number, { width = 1280, search = '', as = awa } = {}): Promise<Page> {
  const page = await site.page(t, { width, fresh: true, allow: [/status of (400|404|409|503)/] });
  await openScreen(page, site, as, disciplineId, search);
  return page;
}
const titles = async (disciplineId: number) =>
  (await site.rows<{ titre: string }>('select titre from item where discipline_id = $1 order by numero_page', [disciplineId])).map(
    ({ titre }) => titre,
  );

async function places(name: string) {
  const [from, to] = [await createPrepa(site, { nom: `ENS ${name}` }), await createPrepa(site, { nom: `ENAM ${name}` })];
  const [maths, physics] = [await createDiscipline(site, from.id), await createDiscipline(site, to.id)];
  for (let page = 1; page <= 12; page += 1) await createItem(site, maths.id, { titre: `Chapitre ${page}`, numeroPage: page });
  return { to, maths, physics };
}

for (const width of [360, 1280])
  t.test(`some of twelve lessons, on both pages of the list, move to another prepa: ${width} px`, async (t) => {
    const { to, maths, physics } = await places(`${width}`);
    const page = await open(t, maths.id, { width });
    await button(page, 'Déplacer...').filter({ visible: true }).click();
    const dialog = page.getByRole('dialog', { name: 'Déplacer : Leçons' });
    await button(dialog, 'Déplacer').click();
    await dialog.getByText('Cochez au moins un contenu.').waitFor();
    for (const number of [11, 2, 3]) await dialog.getByLabel(`Leçon ${number} : Chapitre ${number}`, { exact: true }).check();
    await dialog.getByLabel('Préparation', { exact: true }).selectOption({ label: to.nom });
    await dialog
      .getByLabel('Discipline', { exact: true })
      .and(dialog.locator(`:has(option:checked[value="${physics.id}"])`))
      .waitFor();
    await assertNoOverflow(t, page);
    await assertAccessible(t, page);
    await stepScreenshot(page, `move-${width}`);
    await whileCallsFail(page, '**/api/contenus/deplacement', async () => {
      await button(dialog, 'Déplacer (3)').click();
      await dialog.getByText('Le déplacement a échoué').waitFor();
    });
    t.equal((await titles(maths.id)).length, 12);
    await button(dialog, 'Déplacer (3)').click();
    await readToast(page, `3 contenus déplacés vers ${physics.nom}`);
    t.same(await titles(physics.id), ['Chapitre 2', 'Chapitre 3', 'Chapitre 11']);
    await page.getByText('Leçon 9', { exact: true }).waitFor();
    t.same((await listed(page)).slice(0, 3), ['Leçon 1 Chapitre 1', 'Leçon 2 Chapitre 4', 'Leçon 3 Chapitre 5']);
  });

t.test('a text that is not saved keeps its lesson here; somebody else who writes in a moved one goes on', async (t) => {
  const { to, maths, physics } = await places('deux');
  const [first, second] = await site.rows<{ id: number }>('select id from item where discipline_id = $1 order by numero_page limit 2', [
    maths.id,
  ]);
  const page = await open(t, maths.id, { search: `?type=course&item=${first?.id}` });
  await editor(page, 'Contenu').click();
  await page.keyboard.type('Pas enregistré. ');
  const other = await open(t, maths.id, { search: `?type=course&item=${second?.id}`, as: bih });
  await editor(other, 'Contenu').click();
  await other.keyboard.type('Écrit pendant le déplacement. ');

  await button(page, 'Déplacer...').filter({ visible: true }).click();
  const dialog = page.getByRole('dialog', { name: 'Déplacer : Leçons' });
  t.ok(await dialog.getByLabel(/^Leçon 1 : Chapitre 1 Texte non enregistré/).isDisabled());
  await dialog.getByLabel('Tout cocher (11)').check();
  await dialog.getByLabel('Préparation', { exact: true }).selectOption({ label: to.nom });
  await button(dialog, 'Déplacer (11)').click();
  await readToast(page, `11 contenus déplacés vers ${physics.nom}`);
  t.match(await editor(page, 'Contenu').innerText(), /Pas enregistré/);

  await field(other, 'Titre').waitFor();
  await button(other, 'Enregistrer').filter({ visible: true }).click();
  await readToast(other, 'Leçon mise à jour avec succès');
  const [saved] = await site.rows<{ contenu: string; discipline_id: number }>('select contenu, discipline_id from item where id = $1', [
    second?.id,
  ]);
  t.match(saved, { contenu: /Écrit pendant le déplacement/, discipline_id: physics.id });
});
