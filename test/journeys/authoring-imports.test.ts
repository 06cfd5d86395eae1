import type { Page } from 'playwright-core';
import t, { type Test } from 'tap';
import { button, editor, field, openScreen, publishNow, readToast } from '../support/authoring.ts';
import { allowErrors } from '../support/browser.ts';
import { createAdministrator, createDiscipline, createItem } from '../support/factories.ts';
import { shareSite } from '../support/journey.ts';
import { onlyLong } from '../support/long-form.ts';
import { docx, p, r, style } from '../support/word-file.ts';

// Imports documents with a heading 'Corrigé' into lessons and exercises: all text and all formulas must be stored.

const site = await shareSite(t);
const administrator = await createAdministrator(site);

const equation = (name: string) =>
  `<m:oMath><m:sSup><m:e><m:r><m:t>${name}</m:t></m:r></m:e><m:sup><m:r><m:t>2</m:t></m:r></m:sup></m:sSup></m:oMath>`;
const word = await docx({
  body:
    p(r('Les suites'), style('Titre')) +
    p(`${r('On pose ')}${equation('a')}${r('.')}`) +
    p(r('Corrigé'), style('Titre1')) +
    p(`${r('On trouve ')}${equation('b')}${r(' et ')}${equation('c')}${r('.')}`) +
    p(r('Corrigé du second cas'), style('Titre2')) +
    p(`${r('De même ')}${equation('d')}${r('.')}`),
});
const markdown = Buffer.from(
  '# Les suites\n\nOn pose $a^2$.\n\n## Corrigé\n\nOn trouve $b^2$ et $c^2$.\n\n## Corrigé du second cas\n\nDe même $d^2$.\n',
);
const files = [
  { name: 'suites.docx', mimeType: 'application/vnd.openxmlformats-officedocument.wordprocessingml.document', buffer: word },
  { name: 'suites.md', mimeType: 'text/markdown', buffer: markdown },
];
const title = 'Les suites';
const statement = 'On pose [a].';
const correction = ['On trouve [b] et [c].', 'Corrigé du second cas', 'De même [d].'];
const all = [statement, 'Corrigé', ...correction];

/** Returns the stored texts of an item, line by line, with each formula as its letter. */
async function stored(id: number): Promise<{ contenu: string[]; corrige: string[] }> {
  const [row] = await site.rows<{ contenu: string; corrige: string | null }>('select contenu, corrige from item where id = $1', [id]);
  const lines = (html: string) =>
    html
      .replaceAll(/<span class="formula" data-latex="([a-d])\^\{?2\}?">[\s\S]*?<\/math><\/span>/g, '[$1]')
      .split(/<\/?(?:p|h\d)>/)
      .filter((line) => line !== '');
  return { contenu: lines(row?.contenu ?? ''), corrige: lines(row?.corrige ?? '') };
}

async function open(t: Test, disciplineId: number, search = ''): Promise<Page> {
  const page = await site.page(t, { width: 1280 });
  await openScreen(page, site, administrator, disciplineId, search);
  return page;
}

/** Chooses a file with the import button of the visible text. */
async function choose(page: Page, file: (typeof files)[number]): Promise<void> {
  const chooser = page.waitForEvent('filechooser');
  await button(page, 'Importer un document (Word, LibreOffice, HTML, Markdown ou TeX)').filter({ visible: true }).click();
  await (await chooser).setFiles(file);
}

/** Returns the notices of an import; '' when there are none. */
const report = async (page: Page) => (await page.locator('.authoring__notices').allInnerTexts()).join('\n');

for (const [number, file] of files.entries()) {
  // The short form imports only the first file this way.
  t.test(`a new lesson from ${file.name} keeps all of it`, { buffered: true, skip: number === 0 ? false : onlyLong }, async (t) => {
    const { id: discipline } = await createDiscipline(site);
    const page = await open(t, discipline);
    await button(page, 'Nouvelle Leçon').click();
    const form = page.getByRole('dialog');
    await form.getByLabel('Importer un document (Word, LibreOffice, HTML, Markdown ou TeX)').setInputFiles(file);
    await form.getByText(/^Document lu/).waitFor();
    await button(form, 'Créer').click();
    await readToast(page, 'Brouillon créé');
    await editor(page, 'Contenu').waitFor();
    await publishNow(page, 'Nouvelle leçon créée avec succès');
    const [lesson] = await site.rows<{ id: number; titre: string }>('select id, titre from item where discipline_id = $1', [discipline]);
    t.equal(lesson?.titre, title);
    t.same(await stored(lesson?.id ?? 0), { contenu: all, corrige: [] });
    t.notMatch(await report(page), /corrigé/i, 'the report does not speak of a correction');
  });

  t.test(
    `an open lesson takes all of ${file.name}, the line of its title too`,
    { buffered: true, skip: number === 1 ? false : onlyLong },
    async (t) => {
      const { id: discipline } = await createDiscipline(site);
      const lesson = await createItem(site, discipline, { titre: 'Analyse', contenu: '<p>Avant.</p>' });
      const page = await open(t, discipline, `?type=course&item=${lesson.id}`);
      for (const [how, before] of [
        ['Ajouter à la fin', ['Avant.']],
        ['Remplacer le texte', []],
      ] as const) {
        await choose(page, file);
        await button(page, how).click();
        await button(page, 'Enregistrer').click();
        await readToast(page, 'Leçon mise à jour avec succès');
        t.same(await stored(lesson.id), { contenu: [...before, title, ...all], corrige: [] }, how);
        t.notMatch(await report(page), /est devenu/, 'the report names no conversion, because none took place');
      }
    },
  );
}

t.test('importing an empty document removes nothing', { buffered: true }, async (t) => {
  const { id: discipline } = await createDiscipline(site);
  const lesson = await createItem(site, discipline, { titre: 'Analyse', contenu: '<p>Avant.</p>' });
  const page = await open(t, discipline, `?type=course&item=${lesson.id}`);
  allowErrors(page, /status of 400/);
  await choose(page, { name: 'scan.md', mimeType: 'text/markdown', buffer: Buffer.from('![Page 1](scan.png)\n') });
  const dialog = page.getByRole('dialog', { name: 'Importer un document' });
  await button(dialog, /^(?:Fermer|Remplacer le texte)$/).waitFor();
  t.match(await dialog.locator('.alert').allInnerTexts(), [/Ce document n'a aucun texte\. .*scan\.png.*\s+Votre texte n'a pas changé\./]);
  t.equal(await button(dialog, 'Remplacer le texte').count(), 0);
  await button(dialog, 'Fermer').click();
  t.equal(await editor(page, 'Contenu').innerText(), 'Avant.');
});

t.test(
  'a typed title stays and keeps the title line of the file; a title from a file is replaced by the next file',
  { buffered: true },
  async (t) => {
    const { id: discipline } = await createDiscipline(site);
    const page = await open(t, discipline, '?type=exercise');
    await button(page, 'Nouvel Exercice').filter({ visible: true }).click();
    const form = page.getByRole('dialog');
    const take = async (file: (typeof files)[number]) => {
      await form.getByLabel('Importer un document (Word, LibreOffice, HTML, Markdown ou TeX)').setInputFiles(file);
      await form.getByText(/^Document lu/).waitFor();
    };
    await take({ name: 'faux.md', mimeType: 'text/markdown', buffer: Buffer.from('# Un autre fichier\n\nTexte.\n') });
    t.equal(await field(form, 'Titre').inputValue(), 'Un autre fichier');
    await take(files[0] as (typeof files)[number]);
    t.equal(await field(form, 'Titre').inputValue(), title, 'the title of the file that was chosen last');
    await field(form, 'Titre').fill('Tapé');
    await take(files[1] as (typeof files)[number]);
    await button(form, 'Créer').click();
    await readToast(page, 'Brouillon créé');
    await publishNow(page, 'Nouvel exercice créé avec succès');
    const [exercise] = await site.rows<{ id: number; titre: string }>('select id, titre from item where discipline_id = $1', [discipline]);
    t.equal(exercise?.titre, 'Tapé');
    t.same(await stored(exercise?.id ?? 0), { contenu: [title, statement], corrige: correction });
  },
);

t.test('an exercise: the correction is imported separately, after a warning about the text it replaces', { buffered: true }, async (t) => {
  const [file] = files as [(typeof files)[number]];
  const { id: discipline } = await createDiscipline(site);
  const exercise = await createItem(site, discipline, {
    kind: 'exercise',
    titre: 'Analyse',
    contenu: '<p>Avant.</p>',
    corrige: '<p>Déjà corrigé.</p>',
  });
  const page = await open(t, discipline, `?type=exercise&item=${exercise.id}`);
  const save = async () => {
    await button(page, 'Enregistrer').filter({ visible: true }).click();
    await readToast(page, 'Exercice mis à jour avec succès');
  };
  await choose(page, file);
  await page.getByText("Le document a aussi un corrigé : il ira dans l'onglet « Corrigé », où il y a déjà un texte.").waitFor();
  await button(page, 'Ajouter à la fin').click();
  await save();
  t.same(await stored(exercise.id), { contenu: ['Avant.', title, statement], corrige: ['Déjà corrigé.', ...correction] });
  t.match(await report(page), /Le texte qui suit le titre « Corrigé » est devenu le corrigé\./);
  t.match(await report(page), /1 autre titre « Corrigé »/, 'several of them are named');

  await choose(page, file);
  t.equal(await button(page, 'Remplacer le texte').count(), 0);
  await button(page, 'Remplacer les deux textes').click();
  await save();
  t.same(await stored(exercise.id), { contenu: [title, statement], corrige: correction });

  await page.getByRole('tab', { name: 'Corrigé', exact: true }).click();
  await choose(page, file);
  await button(page, 'Remplacer le texte').click();
  await save();
  t.same(
    await stored(exercise.id),
    { contenu: [title, statement], corrige: [title, ...all] },
    'an import into the correction stores the complete document there',
  );
});
