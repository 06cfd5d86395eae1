import t, { type Test } from 'tap';
import { assertAccessible } from '../support/accessible.ts';
import { button, openScreen, publishNow, readToast } from '../support/authoring.ts';
import { createAdministrator, createDiscipline, createItem } from '../support/factories.ts';
import { shareSite } from '../support/journey.ts';
import { assertNoOverflow, assertTargets } from '../support/page-checks.ts';
import { docx, p, r } from '../support/word-file.ts';

// The questions of a Word file are shown and mended before anything is stored.

const site = await shareSite(t);
const administrator = await createAdministrator(site);

const lettered = (content: string) => p(content, '<w:numPr><w:ilvl w:val="1"/><w:numId w:val="1"/></w:numPr>');
const bold = (text: string) => r(text, '<w:b/>');
const file = {
  name: 'qcm.docx',
  mimeType: 'application/vnd.openxmlformats-officedocument.wordprocessingml.document',
  buffer: await docx({
    body:
      p(r('Question 1. Quelle est la capitale du Cameroun ?')) +
      lettered(r('Douala')) +
      lettered(bold('Yaoundé')) +
      p(r('Question 2. Quel fleuve passe à Édéa ?')) +
      lettered(r('Le Nyong')) +
      lettered(r('La Sanaga')) +
      p(r('Question 3. Quelles villes sont au bord de la mer ?')) +
      lettered(bold('Kribi')) +
      lettered(r('Bafoussam')) +
      lettered(bold('Limbé')),
  }),
};

const stored = (id: number) =>
  site.rows<{ kind: string; usable: boolean; right: number }>(
    "select kind, usable, jsonb_array_length(key->'right') as right from question where item_id = $1 order by position",
    [id],
  );

for (const width of [360, 1280]) {
  t.test(`questions without a right answer come first and are mended by keyboard, at ${width} px`, { buffered: true }, async (t: Test) => {
    const { id: discipline } = await createDiscipline(site);
    const lesson = await createItem(site, discipline, { titre: 'Géographie', contenu: '<p>Avant.</p>' });
    const page = await site.page(t, { width });
    await openScreen(page, site, administrator, discipline, `?type=course&item=${lesson.id}`);
    const chooser = page.waitForEvent('filechooser');
    await button(page, 'Importer un document (Word, LibreOffice, HTML, Markdown ou TeX)').filter({ visible: true }).click();
    await (await chooser).setFiles(file);
    const dialog = page.getByRole('dialog', { name: 'Importer un document' });
    await dialog.getByText('3 questions reconnues : 1 à corriger, en premier dans la liste.').waitFor();
    t.same(await dialog.locator('legend strong').allInnerTexts(), ['Question 2', 'Question 1', 'Question 3']);
    await assertAccessible(t, page);
    if (width === 360) await assertTargets(t, page);
    await assertNoOverflow(t, page);
    await page.keyboard.press('Tab');
    const choice = dialog.getByRole('checkbox', { name: 'Ce choix est juste : La Sanaga' });
    for (let presses = 0; presses < 5 && !(await choice.evaluate((box) => box === document.activeElement)); presses += 1)
      await page.keyboard.press('Tab');
    await page.keyboard.press('Space');
    t.equal(await choice.isChecked(), true);
    await dialog.getByText(/^3 questions reconnues$/).waitFor();
    t.same(await dialog.locator('legend strong').allInnerTexts(), ['Question 2', 'Question 1', 'Question 3'], 'a mended question stays');
    t.same(await stored(lesson.id), [], 'nothing is stored yet');
    await button(dialog, 'Importer 3 questions').click();
    await button(page, 'Enregistrer').filter({ visible: true }).click();
    await readToast(page, 'Leçon mise à jour avec succès');
    t.same(await stored(lesson.id), [
      { kind: 'one', usable: true, right: 1 },
      { kind: 'one', usable: true, right: 1 },
      { kind: 'several', usable: true, right: 2 },
    ]);
    const [row] = await site.rows<{ contenu: string }>('select contenu from item where id = $1', [lesson.id]);
    t.match(row?.contenu, /^<p>Avant\.<\/p><section/, 'the text before stays');
  });
}

t.test('a new lesson from a question file', { buffered: true }, async (t: Test) => {
  const { id: discipline } = await createDiscipline(site);
  const page = await site.page(t, { width: 1280 });
  await openScreen(page, site, administrator, discipline);
  await button(page, 'Nouvelle Leçon').click();
  const form = page.getByRole('dialog');
  const gift = 'Nombres pairs ? {~2 ~3 ~4}\n\nSymbole du fer ? {=Fe}\n';
  await form
    .getByLabel('Importer un document (Word, LibreOffice, HTML, Markdown ou TeX)')
    .setInputFiles({ name: 'Nombres.gift', mimeType: 'text/plain', buffer: Buffer.from(gift) });
  for (const text of ['2', '4']) await form.getByRole('checkbox', { name: `Ce choix est juste : ${text}` }).check();
  await form.getByText('Réponses acceptées : Fe').waitFor();
  await button(form, 'Créer').click();
  await readToast(page, 'Brouillon créé');
  await publishNow(page, 'Nouvelle leçon créée avec succès');
  const [lesson] = await site.rows<{ id: number }>('select id from item where discipline_id = $1', [discipline]);
  t.same(await stored(lesson?.id ?? 0), [
    { kind: 'several', usable: true, right: 2 },
    { kind: 'text', usable: true, right: 0 },
  ]);
});

t.test('a new series takes the marking rule of its file', { buffered: true }, async (t: Test) => {
  const { id: discipline } = await createDiscipline(site);
  const page = await site.page(t, { width: 1280 });
  await openScreen(page, site, administrator, discipline, '?type=quiz');
  await button(page, 'Nouvelle Série').filter({ visible: true }).click();
  const form = page.getByRole('dialog');
  const gift = 'Deux ? {=2 ~%-25%3 ~%-25%4}\n\nTrois ? {=3 ~%-25%4}\n';
  await form
    .getByLabel('Importer un document (Word, LibreOffice, HTML, Markdown ou TeX)')
    .setInputFiles({ name: 'Avec retrait.gift', mimeType: 'text/plain', buffer: Buffer.from(gift) });
  await form.getByText(/^2 questions reconnues$/).waitFor();
  await button(form, 'Créer').click();
  await readToast(page, 'Brouillon créé');
  await publishNow(page, 'Nouvelle série créée avec succès');
  t.same(await site.rows('select bareme from item where discipline_id = $1', [discipline]), [
    { bareme: { juste: 1, faux: -0.25, sans: 0 } },
  ]);
});
