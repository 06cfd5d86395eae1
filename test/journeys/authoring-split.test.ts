import JSZip from 'jszip';
import t from 'tap';
import { assertAccessible } from '../support/accessible.ts';
import { button, openScreen } from '../support/authoring.ts';
import { allowErrors } from '../support/browser.ts';
import { createAdministrator, createDiscipline } from '../support/factories.ts';
import { shareSite } from '../support/journey.ts';
import { assertNoOverflow } from '../support/page-checks.ts';

// One file with several exercises: the preview of the split, and what becomes of each part.

const site = await shareSite(t);
const administrator = await createAdministrator(site);
const part = (number: number, correction = `## Corrigé de l'exercice ${number}\n\nRéponse ${number}.\n\n`) =>
  `## Exercice ${number}\n\nQuestion ${number}.\n\n${correction}`;
const buffer = Buffer.from(`${part(1)}${part(2)}${part(3, '')}`);
const file = (name: string) => ({ name, mimeType: 'text/markdown', buffer });

for (const width of [360, 1280])
  t.test(`a file with three exercises becomes the chosen drafts, or one content: ${width} px`, async (t) => {
    const { id } = await createDiscipline(site);
    const page = await site.page(t, { width, fresh: true });
    await openScreen(page, site, administrator, id, '?type=exercise');
    await button(page, 'Importer plusieurs fichiers').filter({ visible: true }).click();
    const dialog = page.getByRole('dialog');
    const input = dialog.getByLabel('Déposez vos fichiers ici, ou choisissez-les');
    await input.setInputFiles([file('fiche.md')]);
    const offer = dialog.getByRole('group', { name: 'Ce fichier contient 3 exercices' });
    await offer.getByText('Exercice 2 Énoncé : 2 mots. Corrigé : 2 mots.').waitFor();
    await offer.getByText('Exercice 3 Énoncé : 2 mots. Pas de corrigé.').waitFor();
    await assertNoOverflow(t, page);
    await assertAccessible(t, page);
    await offer.getByRole('checkbox', { name: /^Exercice 1/ }).uncheck();
    await button(offer, 'Créer 2 brouillons').click();
    await dialog.getByText('2 brouillons créés', { exact: true }).waitFor();
    const drafts = () =>
      site.rows<{ titre: string; contenu: string; corrige: string | null; source: string }>(
        'select titre, contenu, corrige, source from item_draft where discipline_id = $1 order by id',
        [id],
      );
    t.match(await drafts(), [
      { titre: 'Exercice 2', contenu: '<p>Question 2.</p>', corrige: '<p>Réponse 2.</p>', source: 'fiche.md · 2' },
      { titre: 'Exercice 3', contenu: '<p>Question 3.</p>', corrige: null },
    ]);

    await input.setInputFiles([file('fiche.md')]);
    await dialog.getByText('Déjà importé : le brouillon existe.').waitFor();
    await button(dialog, 'Remplacer le brouillon').click();
    await button(offer, 'Créer 3 brouillons').click();
    await dialog.getByText('Exercice 1, Exercice 2, Exercice 3').waitFor();
    t.equal((await drafts()).length, 3, 'two are replaced, the third is new');

    await input.setInputFiles([file('autre.md')]);
    await button(offer, 'Importer comme un seul contenu').click();
    await dialog.getByText('autre', { exact: true }).waitFor();
    t.match((await drafts())[3], { source: 'autre.md', contenu: /Question 1/, corrige: /Réponse 1.*Question 2.*Question 3/ });
  });

t.test('an archive: files of the same name are apart, and what cannot be read is named beside the others', async (t) => {
  const { id } = await createDiscipline(site);
  const page = await site.page(t, { width: 360, fresh: true });
  await openScreen(page, site, administrator, id);
  allowErrors(page, /status of 400/);
  await button(page, 'Importer plusieurs fichiers').filter({ visible: true }).click();
  const dialog = page.getByRole('dialog');
  const archive = new JSZip()
    .file('Chapitre 1/1 cours.md', 'Texte un.')
    .file('Chapitre 2/1 cours.md', 'Texte deux.')
    .file('Chapitre 2/2 vide.md', '')
    .file('Chapitre 2/3 lourd.md', Buffer.alloc(10 * 1024 * 1024 + 1, ' '));
  const zipped = {
    name: 'cours.zip',
    mimeType: 'application/zip',
    buffer: await archive.generateAsync({ type: 'nodebuffer', compression: 'DEFLATE' }),
  };
  const input = dialog.getByLabel('Déposez vos fichiers ici, ou choisissez-les');
  await input.setInputFiles([zipped]);
  await dialog.getByText('2 brouillons créés, 2 fichiers refusés', { exact: true }).waitFor();
  t.match(await dialog.locator('[data-state="failed"]').allInnerTexts(), [
    /^Chapitre 2 - 2 vide\.md Ce document n'a aucun texte\./,
    /^Chapitre 2 - 3 lourd\.md Ce fichier dépasse 10 Mo\.$/,
  ]);
  t.same(await site.rows('select source, contenu from item_draft where discipline_id = $1 order by id', [id]), [
    { source: 'Chapitre 1 - 1 cours.md', contenu: '<p>Texte un.</p>' },
    { source: 'Chapitre 2 - 1 cours.md', contenu: '<p>Texte deux.</p>' },
  ]);
  await input.setInputFiles([zipped]);
  await dialog.getByText('2 brouillons créés, 4 fichiers refusés, 2 fichiers attendent votre choix', { exact: true }).waitFor();
});
