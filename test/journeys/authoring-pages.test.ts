import type { Page } from 'playwright-core';
import t from 'tap';
import { button, editor, field, openScreen, readToast } from '../support/authoring.ts';
import { createAdministrator, createDiscipline, createItem } from '../support/factories.ts';
import { islandIs, presentAdministrator, shareSite } from '../support/journey.ts';
import { lookAt, type Open } from '../support/look.ts';

// The look of the authoring screen: empty, with long texts, with an open item, after a refusal, with an outdated text.

const site = await shareSite(t);
const look = lookAt(t, site);
const administrator = await createAdministrator(site);
const empty = await createDiscipline(site);
const full = await createDiscipline(site);
const longest = 'Anticonstitutionnellement'.repeat(4);
for (let number = 1; number <= 12; number += 1) {
  await createItem(site, full.id, { titre: number === 2 ? longest : `Leçon ${number}`, numeroPage: number });
}
const table = `<div class="table-scroll" tabindex="0" role="group" aria-label="Tableau"><table><tbody><tr>${'<td>Une cellule assez large</td>'.repeat(6)}</tr></tbody></table></div>`;
const exercise = await createItem(site, full.id, {
  kind: 'exercise',
  titre: 'Limites',
  contenu: `<h2>Énoncé</h2>${table}`,
  corrige: '<p>Zéro.</p>',
});
const subject = await createItem(site, full.id, { kind: 'pastExam', titre: longest });
const series = await createItem(site, full.id, { kind: 'quiz', titre: 'Limites et suites', duree: 20 });
await site.rows(`insert into item_document (item_id, nom, file, octets, created_at) values ($1, $2, 'a.pdf', 1234567, now())`, [
  subject.id,
  'Un document dont le nom est long, comme ceux que les secrétariats donnent aux fichiers qu ils numérisent',
]);
const words = (page: Page, said: string) => page.getByText(said, { exact: true }).filter({ visible: true });
const screen =
  (disciplineId: number, search = '', act: (page: Page) => Promise<void> = async () => undefined): Open =>
  async (page) => {
    await openScreen(page, site, administrator, disciplineId, search);
    await act(page);
    return null;
  };

look('discipline without contents', {}, screen(empty.id));
look(
  'long list',
  {},
  screen(full.id, '', (page) => button(page, `Déplacer Leçon 2 : ${longest}`).click()),
);
look(
  'past exam with a document, its title refused',
  { moves: true },
  screen(full.id, `?type=pastExam&item=${subject.id}`, async (page) => {
    await editor(page, 'Contenu').waitFor();
    await field(page, 'Titre').fill('É');
    await words(page, 'Le titre doit contenir au moins 3 caractères').waitFor();
  }),
);
look(
  'series with its marking rule, refused',
  { moves: true },
  screen(full.id, `?type=quiz&item=${series.id}`, async (page) => {
    await editor(page, 'Contenu').waitFor();
    await field(page, 'Points si juste').fill('1');
    await field(page, 'Points si faux').fill('0,25');
    await field(page, 'Points sans réponse').fill('0');
    await words(page, 'Une réponse fausse vaut de −100 à 0 point').waitFor();
  }),
);
look(
  'exercise saved by somebody else',
  { allow: [/status of 409/] },
  screen(full.id, `?type=exercise&item=${exercise.id}`, async (page) => {
    await editor(page, 'Énoncé').waitFor();
    await field(page, 'Titre').fill('Mes limites');
    await site.rows('update item set version = version + 1 where id = $1', [exercise.id]);
    await page.keyboard.press('Control+s');
    await button(page.getByRole('dialog'), 'Enregistrer mon texte').waitFor();
  }),
);
look(
  'versions of an exercise',
  {},
  screen(full.id, `?type=exercise&item=${exercise.id}`, async (page) => {
    await editor(page, 'Énoncé').waitFor();
    await button(page, 'Versions').click();
    await button(page.getByRole('dialog'), /terminal/).click();
    await page.getByRole('group', { name: 'Texte enregistré' }).waitFor();
  }),
);
look(
  'preview of an exercise',
  {},
  screen(full.id, `?type=exercise&item=${exercise.id}`, async (page) => {
    await editor(page, 'Énoncé').waitFor();
    await button(page, 'Aperçu').click();
    await page.getByRole('dialog').getByText('Voir le corrigé').click();
    await page.getByRole('dialog').getByText('Zéro.').waitFor();
  }),
);
look('readings of a discipline', {}, async (page) => {
  await presentAdministrator(page, site, administrator);
  return page.goto(`/admin/discipline/${full.id}/lectures`);
});
look(
  'new past exam refused',
  {},
  screen(full.id, '?type=pastExam', async (page) => {
    await button(page, 'Nouvel Ancien Sujet').click();
    await field(page.getByRole('dialog'), 'Titre').fill('a');
    await field(page.getByRole('dialog'), 'Année').fill('1800');
    await page.getByText("L'année doit être supérieure à 1900").waitFor();
  }),
);

t.test('lists that the page fails to load', async (t) => {
  const { id } = await createDiscipline(site);
  const page = await site.page(t, { width: 1280, allow: [/status of 50\d/] });
  await presentAdministrator(page, site, administrator);
  await site.rows('alter table item rename to item_away');
  await page.goto(`/admin/discipline/${id}`);
  await site.rows('alter table item_away rename to item');
  await words(page, 'Erreur lors de la récupération des leçons').waitFor();
  await islandIs(page, 'admin-content', 'ready');
  await button(page, 'Réessayer').click();
  await words(page, 'Aucune leçon disponible').waitFor();

  await site.rows('alter table discipline rename to discipline_away');
  const answer = await page.goto(`/admin/discipline/${id}`);
  await site.rows('alter table discipline_away rename to discipline');
  t.equal(answer?.status(), 500);
  await readToast(page, 'Erreur lors du chargement de la discipline', 'error');
  await page.getByRole('link', { name: 'Réessayer' }).click();
  await words(page, 'Aucune leçon disponible').waitFor();
});

t.test('names and numbers of the reading statistics stay within their columns', async (t) => {
  const page = await site.page(t, { width: 360 });
  await presentAdministrator(page, site, administrator);
  await page.goto(`/admin/discipline/${full.id}/lectures`);
  for (const width of [360, 1280]) {
    await page.setViewportSize({ width, height: 740 });
    const outside = await page.locator('.readings :is(th, td)').evaluateAll((cells) =>
      cells.flatMap((cell) => {
        const words = document.createRange();
        words.selectNodeContents(cell);
        const [own, place] = [words.getBoundingClientRect(), cell.getBoundingClientRect()];
        // The first cell begins at the edge of the page.
        const left = cell.previousElementSibling ? place.left + 4 : place.left;
        return own.left >= left && own.right <= place.right ? [] : [cell.textContent];
      }),
    );
    t.same(outside, [], `${width} px`);
  }
});
