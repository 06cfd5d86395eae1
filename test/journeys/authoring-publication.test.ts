import type { Page } from 'playwright-core';
import t, { type Test } from 'tap';
import { assertAccessible } from '../support/accessible.ts';
import { button, editor, field, listed, openScreen, publishNow, readToast, whileCallsFail } from '../support/authoring.ts';
import { createAdministrator, createDiscipline, createItem } from '../support/factories.ts';
import { shareSite } from '../support/journey.ts';
import { assertNoOverflow } from '../support/page-checks.ts';

// Drafts on the screen of a discipline: many files at once, the remarks on an import, a draft beside the published text, two writers, a planned publication.

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
const drafts = (disciplineId: number) =>
  site.rows<{ titre: string; contenu: string }>('select titre, contenu from item_draft where discipline_id = $1 order by id', [
    disciplineId,
  ]);
const type = async (page: Page, text: string) => {
  await editor(page, 'Contenu').click();
  await page.keyboard.press('Control+End');
  await page.keyboard.type(text);
};

for (const width of [360, 1280])
  t.test(`twelve files, one of them broken, then all of them published: ${width} px`, async (t) => {
    const { id } = await createDiscipline(site);
    const page = await open(t, id, { width });
    const markdown = (name: string, content: string) => ({ name, mimeType: 'text/markdown', buffer: Buffer.from(content) });
    const files = Array.from({ length: 11 }, (_, index) => markdown(`Chapitre ${11 - index}.md`, `# Chapitre ${11 - index}\n\nTexte.\n`));
    await button(page, 'Importer plusieurs fichiers').filter({ visible: true }).click();
    const dialog = page.getByRole('dialog');
    const chosen = [...files, { name: 'Chapitre 7 bis.docx', mimeType: '', buffer: Buffer.from('PK\u0003\u0004 abîmé') }];
    await whileCallsFail(page, '**/api/imports', async () => {
      await dialog.getByLabel('Déposez vos fichiers ici, ou choisissez-les').setInputFiles(chosen.slice(0, 1));
      await dialog.getByText('0 brouillon créé, 1 fichier refusé').waitFor();
    });
    await button(dialog, 'Réessayer').click();
    await dialog.getByText('1 brouillon créé', { exact: true }).waitFor();
    await dialog.getByLabel('Déposez vos fichiers ici, ou choisissez-les').setInputFiles(chosen.slice(1));
    await dialog.getByText('11 brouillons créés, 1 fichier refusé', { exact: true }).waitFor({ timeout: 60_000 });
    t.match(await dialog.locator('[data-state="failed"]').innerText(), /^Chapitre 7 bis\.docx Ce (?:document|fichier)/);
    await dialog.getByLabel('Déposez vos fichiers ici, ou choisissez-les').setInputFiles(chosen.slice(3, 4));
    await dialog.getByText('Déjà importé : le brouillon existe.').waitFor();
    await dialog.getByText('11 brouillons créés, 1 fichier refusé, 1 fichier attend votre choix', { exact: true }).waitFor();
    await assertNoOverflow(t, page);
    await assertAccessible(t, page);
    await button(dialog, 'Remplacer le brouillon').click();
    await dialog.getByText('12 brouillons créés, 1 fichier refusé', { exact: true }).waitFor();
    await button(dialog, 'Fermer').filter({ visible: true }).last().click();
    t.same(await titles(id), [], 'nothing is published');
    await button(page, 'Tout publier (11)').click();
    await button(page.getByRole('dialog'), 'Publier (11)').click();
    await readToast(page, '11 contenus publiés');
    t.same(
      await titles(id),
      [11, 1, 2, 3, 4, 5, 6, 7, 8, 9, 10].map((number) => `Chapitre ${number}`),
      'the file that was chosen alone, then those chosen together, in the order of their names',
    );
    await page.getByText('Leçon 10', { exact: true }).waitFor();
    t.same(await drafts(id), []);
  });

t.test('a draft beside the published text: kept, continued in another browser, compared and published', async (t) => {
  const { id } = await createDiscipline(site);
  const item = await createItem(site, id, { titre: 'Les suites', contenu: '<p>Publié.</p>' });
  const search = `?type=course&item=${item.id}`;
  const page = await open(t, id, { search });
  await type(page, ' Et la suite.');
  await button(page, 'Brouillon').click();
  const dialog = page.getByRole('dialog', { name: 'Publier les modifications' });
  await dialog.locator('ins').filter({ hasText: 'Et la suite.' }).waitFor();
  await assertAccessible(t, page);
  await button(dialog, 'Garder en brouillon').click();
  await readToast(page, 'Brouillon gardé sur le serveur');
  t.match((await listed(page))[0], /brouillon/);
  const [stored] = await site.rows<{ contenu: string }>('select contenu from item where id = $1', [item.id]);
  t.equal(stored?.contenu, '<p>Publié.</p>');

  const other = await open(t, id, { search, as: bih, width: 360 });
  await other.getByText(`Un brouillon de ${awa.username}`).waitFor();
  await assertNoOverflow(t, other);
  await button(other, 'Reprendre le brouillon').click();
  await other.getByText('Publié. Et la suite.').waitFor();
  await button(other, 'Enregistrer').click();
  await readToast(other, 'Leçon mise à jour avec succès');
  t.same(await drafts(id), [], 'the save contains the draft');
  t.equal(await other.getByText('brouillon', { exact: true }).count(), 0);
});

t.test('two people keep a draft of one text: the second is told, and neither text is lost', async (t) => {
  const { id } = await createDiscipline(site);
  const item = await createItem(site, id, { titre: 'Les suites', contenu: '<p>Publié.</p>' });
  const search = `?type=course&item=${item.id}`;
  const [first, second] = [await open(t, id, { search }), await open(t, id, { search, as: bih })];
  for (const [page, text] of [
    [first, ' Awa.'],
    [second, ' Bih.'],
  ] as const) {
    await type(page, text);
    await button(page, 'Brouillon').click();
    await button(page, 'Garder en brouillon').click();
  }
  await second.getByText(`Un brouillon de ${awa.username}`).waitFor();
  t.match(await editor(second, 'Contenu').innerText(), /Bih/);
  t.match(await drafts(id), [{ contenu: '<p>Publié. Awa.</p>' }]);
  await button(second, 'Reprendre le brouillon').click();
  await second.getByText('Publié. Awa.').waitFor();
  await second.getByText('Un brouillon non enregistré').waitFor();
});

t.test('a new draft: incomplete, kept without network, planned, published', async (t) => {
  const { id } = await createDiscipline(site);
  const page = await open(t, id);
  await button(page, 'Nouvelle Leçon').click();
  const form = page.getByRole('dialog');
  await field(form, 'Titre').fill('Les suites');
  await form.getByLabel('Garder en brouillon : les candidats ne le voient pas encore').check();
  await button(form, 'Créer').click();
  await readToast(page, 'Brouillon créé');
  await type(page, 'Un texte.');
  await whileCallsFail(page, '**/api/brouillons/*', async () => {
    await button(page, 'Enregistrer').click();
    await page.getByText('Votre texte est gardé sur cet appareil.').first().waitFor();
  });
  await field(page, 'Titre').fill('Un titre : refusé');
  await button(page, 'Enregistrer').click();
  await readToast(page, 'Brouillon enregistré');
  await button(page, 'Publier').click();
  const dialog = page.getByRole('dialog', { name: 'Publier ce contenu' });
  await dialog.getByText('À corriger avant de publier').waitFor();
  t.ok(await button(dialog, 'Publier maintenant').isDisabled());
  await assertAccessible(t, page);
  await button(dialog, 'Annuler').click();
  await field(page, 'Titre').fill('Les suites');
  await button(page, 'Publier').click();
  await dialog.getByLabel('Publier plus tard, le').fill('2020-01-01T08:00');
  await button(dialog, 'Programmer').click();
  await dialog.getByText('Choisissez une date à venir').waitFor();
  const year = new Date().getFullYear() + 1;
  await dialog.getByLabel('Publier plus tard, le').fill(`${year}-01-03T08:00`);
  await button(dialog, 'Programmer').click();
  const words = `Publication prévue : 3 janvier ${year} à 08:00`;
  await readToast(page, words);
  t.equal(await page.locator('.authoring__drafts').getByText(words).count(), 1);
  t.same(await titles(id), []);
  await publishNow(page, 'Nouvelle leçon créée avec succès');
  t.same(await titles(id), ['Les suites']);
  t.match(await listed(page), [/^Leçon 1 Les suites/]);
});

/** Keeps a draft of a new lesson, published later if `later`. */
async function keepDraft(
  page: Page,
  disciplineId: number,
  { titre, later = false, ...others }: { titre: string; later?: boolean; intitule?: string; remarques?: string[] },
) {
  const post = await page.request.post('/api/lecons', {
    data: { titre, contenu: '<p>Texte.</p>', discipline_id: disciplineId, brouillon: true, ...others },
    headers: { 'sec-fetch-site': 'same-origin' },
  });
  const { brouillon } = await post.json();
  if (later) await site.rows(`update item_draft set publish_at = now() + interval '3 days' where id = $1`, [brouillon.id]);
}

t.test('the drafts are published together, without those that are planned and those of an earlier import', async (t) => {
  const { id } = await createDiscipline(site);
  const page = await open(t, id);
  await keepDraft(page, id, { titre: 'Avant' });
  await keepDraft(page, id, { titre: 'Refusé : à corriger', intitule: 'Un intitulé complet' });
  await keepDraft(page, id, { titre: 'Plus tard', later: true });
  await keepDraft(page, id, { titre: 'Encore plus tard', later: true });
  await page.reload();
  await button(page, 'Importer plusieurs fichiers').filter({ visible: true }).click();
  const file = { name: 'Importé.md', mimeType: 'text/markdown', buffer: Buffer.from('# Importé\n\nTexte.\n') };
  await page.getByRole('dialog').getByLabel('Déposez vos fichiers ici, ou choisissez-les').setInputFiles([file]);
  await button(page.getByRole('dialog'), 'Publier les brouillons').click();
  const dialog = page.getByRole('dialog', { name: 'Publier les brouillons', exact: true });
  await dialog.getByText('1 brouillon devient visible pour les candidats').waitFor();
  await button(dialog, 'Publier (1)').click();
  await readToast(page, '1 contenu publié');
  t.same(await titles(id), ['Importé']);

  await button(page, 'Tout publier (2)').click();
  await dialog.getByText('2 brouillons deviennent visibles pour les candidats').waitFor();
  await dialog.getByText('2 brouillons programmés paraîtront à leur heure.').waitFor();
  await assertAccessible(t, page);
  await button(dialog, 'Publier (2)').click();
  await readToast(page, '1 contenu publié');
  t.match(await dialog.getByRole('listitem').allInnerTexts(), [/^Un intitulé complet\. /]);
  t.same(await titles(id), ['Importé', 'Avant']);
  t.match(await drafts(id), [{ titre: 'Refusé : à corriger' }, { titre: 'Plus tard' }, { titre: 'Encore plus tard' }]);
});

t.test('the remarks on an import stay with the draft until its author settles them', async (t) => {
  const { id } = await createDiscipline(site);
  const page = await open(t, id, { width: 360 });
  await button(page, 'Nouvelle Leçon').click();
  const form = page.getByRole('dialog');
  const file = { name: 'Suites.md', mimeType: 'text/markdown', buffer: Buffer.from('# Suites\n\nTexte.\n\n![Courbe](courbe.png)\n') };
  await form.getByLabel('Importer un document (Word, LibreOffice, HTML, Markdown ou TeX)').setInputFiles(file);
  await form.getByText(/^Document lu/).waitFor();
  await button(form, 'Créer').click();
  await readToast(page, 'Brouillon créé');
  const remarks = page.locator('.authoring__notices').filter({ hasText: 'À vérifier dans ce document' });
  await remarks.getByText(/courbe\.png/).waitFor();
  await page.reload();
  await remarks.getByText(/courbe\.png/).waitFor();
  await assertNoOverflow(t, page);
  await assertAccessible(t, page);
  await type(page, ' La suite.');
  await whileCallsFail(page, '**/api/brouillons/*', async () => {
    await button(remarks, "C'est réglé").click();
    await page.getByText('Votre texte est gardé sur cet appareil.').first().waitFor();
  });
  t.ok(await remarks.getByText(/courbe\.png/).isVisible(), 'they stay if the server does not answer');
  await button(remarks, "C'est réglé").click();
  await readToast(page, 'Brouillon enregistré');
  await remarks.waitFor({ state: 'detached' });
  t.match(await drafts(id), [{ contenu: /La suite\./ }], 'the typed text is saved too');
  await page.reload();
  await page.getByText('La suite.').waitFor();
  t.equal(await remarks.count(), 0);
});

t.test('a draft that was saved in the page is published from its list, and its dialogs say how many remarks are unsettled', async (t) => {
  const { id } = await createDiscipline(site);
  const page = await open(t, id);
  await keepDraft(page, id, { titre: 'Avant', remarques: ['Une image manque.', 'Une autre image manque.'] });
  await keepDraft(page, id, { titre: 'Autre' });
  await page.reload();
  const list = page.locator('.authoring__drafts');
  await list.getByText('Avant').click();
  await editor(page, 'Contenu').waitFor();
  await field(page, 'Titre').fill('Après');
  await button(page, 'Enregistrer').click();
  await readToast(page, 'Brouillon enregistré');
  await list.getByText('Après').waitFor();
  await button(page, 'Publier').click();
  await page.getByRole('dialog', { name: 'Publier ce contenu' }).getByText('2 remarques ne sont pas réglées').waitFor();
  await assertAccessible(t, page);
  await button(page.getByRole('dialog'), 'Annuler').click();
  await button(page, 'Tout publier (2)').click();
  const dialog = page.getByRole('dialog', { name: 'Publier les brouillons', exact: true });
  await dialog.getByText('Un brouillon a des remarques qui ne sont pas réglées').waitFor();
  t.same(await dialog.getByRole('listitem').allInnerTexts(), ['Après : 2 remarques']);
  await assertAccessible(t, page);
  await button(dialog, 'Publier (2)').click();
  await readToast(page, '2 contenus publiés');
  t.same(await titles(id), ['Après', 'Autre']);
});

t.test('a text written while its draft was published elsewhere goes on as a change of the item', async (t) => {
  const { id } = await createDiscipline(site);
  const page = await open(t, id);
  await keepDraft(page, id, { titre: 'Les suites', later: true });
  await page.reload();
  await page.locator('.authoring__drafts').getByText('Les suites').click();
  await editor(page, 'Contenu').waitFor();
  await type(page, ' Encore.');
  const [draft] = await site.rows<{ id: number }>('select id from item_draft where discipline_id = $1', [id]);
  await page.request.post(`/api/brouillons/${draft?.id}/publication`, { data: {}, headers: { 'sec-fetch-site': 'same-origin' } });
  await button(page, 'Enregistrer').click();
  await readToast(page, "Ce brouillon n'existe plus : il a été publié ou supprimé.", 'error');
  await page.getByText('Page 1', { exact: true }).waitFor();
  t.match(await editor(page, 'Contenu').innerText(), /Texte\. Encore\./, 'the text is kept');
  t.same(await titles(id), ['Les suites'], 'and no second item made of it');
});

t.test('unsaved text is kept on the server every minute', async (t) => {
  const { id } = await createDiscipline(site);
  const item = await createItem(site, id, { titre: 'Les suites', contenu: '<p>Publié.</p>' });
  const page = await site.page(t, { width: 1280, fresh: true });
  await page.clock.install();
  await openScreen(page, site, awa, id, `?type=course&item=${item.id}`);
  await type(page, ' Pas encore.');
  await page.clock.runFor(61_000);
  await page.getByText(/^Brouillon gardé/).waitFor();
  t.match(await drafts(id), [{ titre: 'Les suites', contenu: '<p>Publié. Pas encore.</p>' }]);
});

for (const opened of ['a published item', 'a new item'])
  t.test(`a lost answer to a draft of ${opened}: a minute later it goes on, with what was written since`, async (t) => {
    const { id } = await createDiscipline(site);
    const page = await site.page(t, { width: 1280, fresh: true, allow: [/Failed to load resource/] });
    await page.clock.install();
    if (opened === 'a new item') {
      await site.rows(
        `insert into item_draft (id, discipline_id, kind, titre, annee, duree, bareme, contenu, saved_at, saved_by)
         values (nextval('item_id_seq'), $1, 'course', 'Les suites', '', '', '', '<p>Publié.</p>', now(), $2)`,
        [id, awa.username],
      );
      await openScreen(page, site, awa, id, '?type=course');
      await page.locator('.authoring__drafts').getByText('Les suites').click();
      await editor(page, 'Contenu').waitFor();
    } else {
      const item = await createItem(site, id, { titre: 'Les suites', contenu: '<p>Publié.</p>' });
      await openScreen(page, site, awa, id, `?type=course&item=${item.id}`);
    }
    let lost = 0;
    await page.route('**/api/brouillons/*', async (route) => {
      if (route.request().method() !== 'PUT' || lost > 0) return route.continue();
      lost += 1;
      await route.fetch();
      return route.abort();
    });
    await type(page, ' Un.');
    const failed = page.waitForEvent('requestfailed', (request) => request.method() === 'PUT');
    await page.clock.runFor(61_000);
    await failed;
    t.match(await drafts(id), [{ contenu: '<p>Publié. Un.</p>' }], 'stored, without an answer');
    await type(page, ' Deux.');
    const sent = page.waitForResponse(
      async (answer) => answer.request().method() === 'PUT' && (answer.request().postData() ?? '').includes('Deux'),
    );
    await page.clock.runFor(61_000);
    t.equal((await sent).status(), 200);
    t.match(await drafts(id), [{ contenu: '<p>Publié. Un. Deux.</p>' }]);
    t.equal(await page.getByText('Reprendre le brouillon').count(), 0);
  });
