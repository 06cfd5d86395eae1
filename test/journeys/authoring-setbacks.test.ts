import type { Page } from 'playwright-core';
import t, { type Test } from 'tap';
import { button, editor, field, listed, openItem, openScreen, publishNow, readToast, whileCallsFail } from '../support/authoring.ts';
import { createAdministrator, createDiscipline, createItem } from '../support/factories.ts';
import { shareSite, toast } from '../support/journey.ts';
import { pdf } from '../support/pdf.ts';

// Errors during writing, and concurrent changes by others: nothing is overwritten without notice, and no typed text is lost.

const site = await shareSite(t);
const administrator = await createAdministrator(site);
const colleague = await createAdministrator(site);
const text = (page: Pick<Page, 'getByText'>, words: string | RegExp) => page.getByText(words, { exact: true }).filter({ visible: true });
const storedGroup = (page: Page) => page.getByRole('group', { name: 'Texte enregistré' });
const screen = async (t: Test, disciplineId: number, search = '', allow: RegExp[] = []) => {
  const page = await site.page(t, { width: 1280, allow });
  await openScreen(page, site, administrator, disciplineId, search);
  return page;
};
/** Sends an API request as a colleague. */
async function call(method: string, path: string, body?: object): Promise<Record<string, unknown>> {
  const answer = await fetch(`${site.url}/api${path}`, {
    method,
    headers: { authorization: `Bearer ${colleague.token}`, 'content-type': 'application/json', accept: 'application/json' },
    ...(body ? { body: JSON.stringify(body) } : {}),
  });
  if (!answer.ok) throw new Error(`${method} ${path}: ${answer.status} ${await answer.text()}`);
  return (await answer.json()) as Record<string, unknown>;
}
async function write(page: Page, label: string, words: string): Promise<void> {
  await editor(page, label).click();
  await page.keyboard.press('Control+End');
  await page.keyboard.type(words);
}
const video =
  '<div class="video" data-video="https://www.youtube.com/watch?v=dQw4w9WgXcQ" data-title="Cours"><a href="https://www.youtube.com/watch?v=dQw4w9WgXcQ">Vidéo YouTube : Cours</a></div>';
const row = async (id: number) =>
  (
    await site.rows<{ titre: string; contenu: string; corrige: string | null; version: number }>('select * from item where id = $1', [id])
  )[0];

t.test('a colleague has saved meanwhile: both texts are available', { buffered: true }, async (t) => {
  const { id } = await createDiscipline(site);
  const lesson = await createItem(site, id, { titre: 'Suites', contenu: '<p>Au début.</p>' });
  const page = await screen(t, id, `?type=course&item=${lesson.id}`, [/status of 409/]);
  await write(page, 'Contenu', ' La mienne.');
  await call('PUT', `/lecons/${lesson.id}`, { titre: 'Suites et séries', contenu: '<p>La sienne.</p>' });
  await button(page, 'Enregistrer').click();
  await readToast(page, 'Erreur lors de la sauvegarde de la leçon', 'error');
  const conflict = page.getByRole('dialog', { name: `Cette leçon a été modifiée par ${colleague.username}` });
  await conflict.waitFor();
  const told = async (tag: string) => (await conflict.locator(tag).allInnerTexts()).slice(1);
  t.same(
    [await told('del'), await told('ins')],
    [
      ['Suites et séries', 'sienne'],
      ['Suites', 'Au début. ', 'mienne'],
    ],
  );
  await conflict.getByText('Lire le texte enregistré en entier').click();
  t.equal((await storedGroup(page).innerText()).replaceAll(/\s+/g, ' '), 'Suites et séries La sienne.');
  // After closing the comparison, one click reopens it; writing can continue.
  await button(conflict, 'Continuer à écrire').click();
  await button(page, 'Voir les différences').click();
  t.equal(await editor(page, 'Contenu').innerText(), 'Au début. La mienne.', 'the editor keeps the own text');

  // After taking the colleague's text, the own text is kept as a draft. It can be restored and saved over the colleague's, which stays as a
  // version.
  await button(page, 'Prendre le texte enregistré').click();
  await editor(page, 'Contenu').getByText('La sienne.', { exact: true }).waitFor();
  t.equal(await field(page, 'Titre').inputValue(), 'Suites et séries');
  await text(page, /^Enregistré/).waitFor();
  await button(page, 'Reprendre le brouillon').click();
  await editor(page, 'Contenu').getByText('Au début. La mienne.', { exact: true }).waitFor();
  t.equal(await field(page, 'Titre').inputValue(), 'Suites');
  await button(page, 'Enregistrer').click();
  await button(page, 'Enregistrer mon texte').click();
  await readToast(page, 'Leçon mise à jour avec succès');
  t.has(await row(lesson.id), { titre: 'Suites', contenu: '<p>Au début. La mienne.</p>', version: 3 });

  await button(page, 'Versions').click();
  const dialog = page.getByRole('dialog', { name: 'Versions enregistrées' });
  await dialog.getByText('Version actuelle', { exact: true }).waitFor();
  const entries = await dialog.getByRole('listitem').allInnerTexts();
  t.match(
    entries.map((entry) => entry.replaceAll(/\s+/g, ' ').trim()),
    [
      new RegExp(`^\\d\\d:\\d\\d(:\\d\\d)?, ${administrator.username} Version actuelle 20 caractères$`),
      new RegExp(`^\\d\\d:\\d\\d(:\\d\\d)?, ${colleague.username} « Suites et séries », 10 caractères$`),
      /, chargée au terminal 9 caractères$/,
    ],
  );
  await button(dialog, new RegExp(`, ${colleague.username} `)).click();
  await storedGroup(page).getByText('La sienne.').waitFor();
  await button(dialog, 'Voir les différences').click();
  const compared = dialog.getByRole('group', { name: 'Différences avec le texte ouvert' });
  await compared.waitFor();
  t.same(await compared.locator('del').allInnerTexts(), ['Barré', 'Suites et séries', 'sienne']);
  t.same(await compared.locator('ins').allInnerTexts(), ['Souligné', 'Suites', 'Au début. ', 'mienne']);
  await button(dialog, 'Voir cette version en entier').click();
  await storedGroup(page).getByText('La sienne.').waitFor();
  await button(dialog, 'Restaurer cette version').click();
  await readToast(page, 'Version restaurée avec succès');
  await editor(page, 'Contenu').getByText('La sienne.', { exact: true }).waitFor();
  t.same(await listed(page), ['Leçon 1 Suites et séries']);
  t.has(await row(lesson.id), { titre: 'Suites et séries', contenu: '<p>La sienne.</p>', version: 4 });
});

t.test('a colleague has deleted the item: the text becomes a new item', { buffered: true }, async (t) => {
  const { id } = await createDiscipline(site);
  const exercise = await createItem(site, id, { kind: 'exercise', titre: 'Limites', contenu: '<p>Calculer.</p>' });
  const page = await screen(t, id, `?type=exercise&item=${exercise.id}`, [/status of 404/]);
  await page.getByRole('tab', { name: 'Corrigé' }).click();
  await write(page, 'Corrigé', 'Zéro.');
  await call('DELETE', `/exercices/${exercise.id}`);
  await button(page, 'Enregistrer').click();
  await readToast(page, "Erreur lors de la sauvegarde de l'exercice", 'error');
  await text(page, "Cet exercice n'existe plus : quelqu'un l'a supprimé entre-temps.").waitFor();
  await button(page, /^Exercice 1 /).waitFor({ state: 'hidden' });
  t.same(await listed(page), [], 'the deleted item disappears from the list');
  t.equal(await editor(page, 'Corrigé').innerText(), 'Zéro.');
  await button(page, 'Créer de nouveau avec ce texte').click();
  await readToast(page, 'Nouvel exercice créé avec succès');
  t.same(await listed(page), ['Exercice 1 Limites']);
  const [again] = await site.rows<{ contenu: string; corrige: string }>('select contenu, corrige from item where discipline_id = $1', [id]);
  t.same(again, { contenu: '<p>Calculer.</p>', corrige: '<p>Zéro.</p>' });
});

t.test('the server fails, for each of the requests', { buffered: true }, async (t) => {
  const { id } = await createDiscipline(site);
  const lessons = [];
  for (const [index, titre] of ['A un', 'B deux'].entries()) lessons.push(await createItem(site, id, { titre, numeroPage: index + 1 }));
  const page = await screen(t, id, '', [/status of 50\d/, /ERR_FAILED/]);
  await whileCallsFail(page, '**/api/lecons/*', async () => {
    await button(page, /^Leçon 2 /).click();
    await readToast(page, 'Erreur lors du chargement de la leçon', 'error');
    await button(page, 'Réessayer').waitFor();
  });
  await button(page, 'Réessayer').click();
  await editor(page, 'Contenu').waitFor();
  await openItem(page, 'Leçon 1', 'Contenu');
  await page.getByText('Page 1', { exact: true }).waitFor();
  await write(page, 'Contenu', ' Plus.');
  await whileCallsFail(page, '**/api/lecons/*', async () => {
    await page.keyboard.press('Control+s');
    await readToast(page, 'Erreur lors de la sauvegarde de la leçon', 'error');
    await text(page, 'Le service ne répond pas. Votre texte est gardé sur cet appareil.').waitFor();
    await button(page, 'Supprimer Leçon 2 : B deux').click();
    await button(page.getByRole('dialog'), 'Supprimer').click();
    await toast(page, 'Erreur lors de la suppression de la leçon').waitFor();
    await button(page.getByRole('dialog'), 'Annuler').click();
  });
  await button(page, 'Réessayer').click();
  await readToast(page, 'Leçon mise à jour avec succès');
  await page.route('**/assets/*Dialog*.js', (route) => route.abort());
  await button(page, 'Aperçu').click();
  await readToast(page, "Cette fenêtre n'a pas pu être chargée. Vérifiez votre connexion, puis réessayez.", 'error');
  t.match(await editor(page, 'Contenu').innerText(), / Plus\.$/, 'the text in the editor is unchanged');
  await page.unroute('**/assets/*Dialog*.js');
  await whileCallsFail(page, '**/api/lecons', async () => {
    await button(page, 'Nouvelle Leçon').click();
    await field(page.getByRole('dialog'), 'Titre').fill('C trois');
    await button(page.getByRole('dialog'), 'Créer').click();
    await toast(page, 'Erreur lors de la création de la leçon').waitFor();
    t.equal(await field(page.getByRole('dialog'), 'Titre').inputValue(), 'C trois', 'the typed title stays');
    await button(page.getByRole('dialog'), 'Annuler').click();
  });
  await whileCallsFail(page, '**/api/lecons/**', async () => {
    await button(page, 'Déplacer Leçon 1 : A un').focus();
    await page.keyboard.press('ArrowDown');
    await readToast(page, 'Erreur lors du déplacement de la leçon', 'error');
    await readToast(page, 'Erreur lors de la récupération des leçons', 'error');
  });
  await button(page.locator('.workbench__side'), 'Réessayer').click();
  await text(page.locator('.workbench__side'), 'Leçon 1').waitFor();
  await page.waitForFunction(() => document.querySelector('.authoring__titre')?.textContent === 'A un');
  t.same(await listed(page), ['Leçon 1 A un', 'Leçon 2 B deux'], 'the order of the server');
});

t.test('keys typed before the new item is loaded do not create another one', { buffered: true }, async (t) => {
  const { id } = await createDiscipline(site);
  const page = await screen(t, id);
  for (const titre of ['A un', 'B deux']) {
    let answer = () => {};
    const mayAnswer = new Promise<void>((resolve) => {
      answer = resolve;
    });
    await page.route('**/api/lecons/*', async (route) => {
      await mayAnswer;
      await route.continue();
    });
    await button(page, 'Nouvelle Leçon').click();
    await field(page.getByRole('dialog'), 'Titre').fill(titre);
    await button(page.getByRole('dialog'), 'Créer').click();
    await page.locator('.authoring__waiting:focus').waitFor();
    await page.keyboard.type(' ');
    answer();
    await page.locator('.editor__area:focus').waitFor();
    t.equal(await page.getByRole('dialog').count(), 0, titre);
    await page.keyboard.type(`Texte de ${titre}.`);
    t.equal(await editor(page, 'Contenu').innerText(), `Texte de ${titre}.`);
    await page.keyboard.press('Control+s');
    await readToast(page, 'Leçon mise à jour avec succès');
    await page.unroute('**/api/lecons/*');
  }
});

t.test('files: a document to import, documents to attach, the preview', { buffered: true }, async (t) => {
  const { id } = await createDiscipline(site);
  await createItem(site, id, { titre: 'Suites', contenu: '<p>Avant.</p>' });
  const exercise = await createItem(site, id, { kind: 'exercise', titre: 'Film', contenu: video, corrige: '<p>Zéro.</p>' });
  await createItem(site, id, { kind: 'exercise', titre: 'Suite', numeroPage: 2 });
  const page = await screen(t, id);
  await button(page, 'Nouvelle Leçon').click();
  const form = page.getByRole('dialog');
  const markdown = (content: string) => ({ name: 'cours.md', mimeType: 'text/markdown', buffer: Buffer.from(content) });
  await form
    .getByLabel('Importer un document (Word, LibreOffice, HTML, Markdown ou TeX)')
    .setInputFiles({ ...markdown(''), name: 'cours.ods' });
  await form
    .getByText(
      'Ce fichier doit être un document Word (.docx), LibreOffice (.odt), HTML (.html), Markdown (.md) ou TeX (.tex), ou un fichier de questions (.xml, .gift, .txt).',
    )
    .waitFor();
  await form
    .getByLabel('Importer un document (Word, LibreOffice, HTML, Markdown ou TeX)')
    .setInputFiles(markdown('# Séries entières\n\nSoit $a_n$.\n'));
  await form.getByText(/^Document lu/).waitFor();
  t.equal(await field(form, 'Titre').inputValue(), 'Séries entières', 'the title of the document');
  await button(form, 'Créer').click();
  await readToast(page, 'Brouillon créé');
  t.match(await editor(page, 'Contenu').innerText(), /Soit/);
  t.equal(await editor(page, 'Contenu').locator('math').count(), 1);
  await publishNow(page, 'Nouvelle leçon créée avec succès');

  await openItem(page, 'Leçon 1', 'Contenu');
  // `innerText` is empty for a block that has no layout yet.
  const paragraphs = () => editor(page, 'Contenu').locator('p').allTextContents();
  for (const [how, before] of [
    ['Ajouter à la fin', ['Avant.', 'Dedans.']],
    ['Remplacer le texte', ['Dedans.']],
  ] as const) {
    await page
      .getByLabel('Document Word, LibreOffice, HTML, Markdown ou TeX')
      .filter({ visible: false })
      .last()
      .setInputFiles(markdown('Dedans.\n'));
    await button(page, how).click();
    t.same(await paragraphs(), before, how);
    await editor(page, 'Contenu').click();
    await page.keyboard.press('Control+z');
    t.same(await paragraphs(), ['Avant.'], 'can be undone');
  }

  await write(page, 'Contenu', ' Pas encore enregistré.');
  await button(page, 'Aperçu').click();
  await page.getByRole('group', { name: 'Texte tel que les candidats le voient' }).getByText('Avant. Pas encore enregistré.').waitFor();
  await page.keyboard.press('Escape');

  await page.getByRole('tab', { name: 'Exercices', exact: true }).click();
  await openItem(page, 'Exercice 1', 'Énoncé');
  const attach = page.getByLabel('Ajouter un document', { exact: true }).filter({ visible: true });
  await attach.setInputFiles({ name: 'faux.pdf', mimeType: 'application/pdf', buffer: Buffer.from('<html>') });
  await text(page, 'Ce fichier doit être un document PDF.').waitFor();
  await attach.setInputFiles({ name: 'Fiche.pdf', mimeType: 'application/pdf', buffer: pdf('%'.repeat(2600)) });
  await readToast(page, 'Document ajouté avec succès');
  const link = page.getByRole('link', { name: /^Fiche/ }).filter({ visible: true });
  t.match(await link.getAttribute('href'), /^\/documents\/\d+\//);
  await text(page, '3 Ko').waitFor();
  // The preview is the learner's page: position, folded correction, the attached document, playable videos.
  await page.route('https://www.youtube-nocookie.com/**', (route) => route.fulfill({ contentType: 'text/html', body: '<p>Le cours</p>' }));
  await button(page, 'Aperçu').filter({ visible: true }).click();
  const preview = page.getByRole('group', { name: 'Texte tel que les candidats le voient' });
  await preview.getByText('Page 1 sur 2', { exact: true }).waitFor();
  t.notOk(await preview.getByText('Zéro.').isVisible());
  await preview.getByText('Voir le corrigé').click();
  t.ok(await preview.getByText('Zéro.').isVisible());
  await preview.getByRole('heading', { name: 'Documents à télécharger' }).waitFor();
  t.match(await preview.getByRole('listitem').innerText(), /^Fiche(\.pdf)?\s+PDF, 3 Ko$/);
  await preview.getByRole('link', { name: /^Vidéo YouTube/ }).click();
  await preview.frameLocator('iframe').getByText('Le cours').waitFor();
  await page.getByRole('dialog').getByRole('link', { name: 'Fermer', exact: true }).click();
  await button(page, /^Supprimer Fiche/).click();
  await button(page.getByRole('dialog'), 'Supprimer').click();
  await link.waitFor({ state: 'detached' });
  t.same(await site.rows('select id from item_document where item_id = $1', [exercise.id]), []);
});
