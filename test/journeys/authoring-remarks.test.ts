import type { Page } from 'playwright-core';
import t, { type Test } from 'tap';
import { assertAccessible } from '../support/accessible.ts';
import { button, editor, openScreen, readToast, whileCallsFail } from '../support/authoring.ts';
import { stepScreenshot } from '../support/browser.ts';
import { createAdministrator, createDiscipline } from '../support/factories.ts';
import { shareSite } from '../support/journey.ts';
import { assertNoOverflow } from '../support/page-checks.ts';

// The remarks on an imported document: beside the passages of which they speak, until their author settles them.

const site = await shareSite(t);
const awa = await createAdministrator(site);

const source = `# Suites

Le début.

Soit $\\premiere{x} + 1$ un nombre.

| a | b |
|---|---|
| 1 | $\\deuxieme{y}$ |

- un point
- puis $\\troisieme{z}$ encore

La fin.

![Courbe](courbe.png)
`;

/** Imports the document as a draft, and opens it. */
async function imported(t: Test, width: number): Promise<{ page: Page; remarks: () => Promise<string[]>; contenu: () => Promise<string> }> {
  const { id } = await createDiscipline(site);
  const page = await site.page(t, { width, fresh: true, allow: [/status of 503/] });
  await openScreen(page, site, awa, id);
  await button(page, 'Nouvelle Leçon').click();
  const form = page.getByRole('dialog');
  const file = { name: 'Suites.md', mimeType: 'text/markdown', buffer: Buffer.from(source) };
  await form.getByLabel('Importer un document (Word, LibreOffice, HTML, Markdown ou TeX)').setInputFiles(file);
  await form.getByText(/^Document lu/).waitFor();
  await button(form, 'Créer').click();
  await readToast(page, 'Brouillon créé');
  const stored = async () =>
    (
      await site.rows<{ remarks: string[]; contenu: string }>('select remarks, contenu from item_draft where discipline_id = $1', [id])
    )[0] as { remarks: string[]; contenu: string };
  return { page, remarks: async () => (await stored()).remarks, contenu: async () => (await stored()).contenu };
}

const notes = (page: Page) => page.getByRole('note', { name: 'Remarque sur le passage ci-dessus' });
const list = (page: Page) => page.locator('.authoring__notices').filter({ hasText: 'À vérifier dans ce document' });
/** Returns what is above the note that contains these words. */
const above = (page: Page, words: string) =>
  notes(page)
    .filter({ hasText: words })
    .evaluate((note) => {
      let before = note.previousElementSibling;
      while (before?.matches('.ProseMirror-widget, img, br')) before = before.previousElementSibling;
      return `${before?.localName} ${before?.textContent?.slice(0, 12)}`;
    });

for (const width of [360, 1280])
  t.test(`each remark below its passage, settled one by one: ${width} px`, async (t) => {
    const { page, remarks, contenu } = await imported(t, width);
    await notes(page).nth(2).waitFor();
    t.equal(await notes(page).count(), 3);
    t.match(await above(page, 'premiere'), /^p Soit/);
    t.match(await above(page, 'deuxieme'), /^(?:div|table) a/, 'below the table, not in its cell');
    t.match(await above(page, 'troisieme'), /^p puis/);
    await list(page).getByText('3 remarques dans le texte.').waitFor();
    t.match(await list(page).getByRole('listitem').allInnerTexts(), [/courbe\.png/, /premier titre/], 'what has no passage is listed');
    t.equal(await list(page).getByRole('listitem').count(), 2);
    await stepScreenshot(page, 'remarks');
    await assertNoOverflow(t, page);
    await assertAccessible(t, page);

    await button(list(page), 'Aller à la première').click();
    t.equal(await page.evaluate(() => document.activeElement?.textContent?.includes('premiere')), true);
    t.ok(await notes(page).first().isVisible());
    for (const name of ["C'est réglé", 'Suivante']) {
      await page.keyboard.press('Tab');
      t.equal(await page.evaluate(() => document.activeElement?.textContent), name);
    }
    await page.keyboard.press('Enter');
    t.equal(await page.evaluate(() => document.activeElement?.textContent?.includes('deuxieme')), true);

    await whileCallsFail(page, '**/api/brouillons/*', async () => {
      await button(notes(page).filter({ hasText: 'deuxieme' }), "C'est réglé").click();
      await page.getByText('Votre texte est gardé sur cet appareil.').first().waitFor();
      await notes(page).filter({ hasText: 'deuxieme' }).waitFor();
    });
    t.equal((await remarks()).length, 5, 'a remark stays if the server does not answer');
    await button(notes(page).filter({ hasText: 'deuxieme' }), "C'est réglé").click();
    await list(page).getByText('2 remarques dans le texte.').waitFor();
    await readToast(page, 'Brouillon enregistré');
    t.equal(await page.evaluate(() => document.activeElement?.textContent?.includes('troisieme')), true, 'the focus is on the next one');
    t.match(await remarks(), [/premiere/, /troisieme/, /courbe/, /premier titre/]);

    // The rest at once: they wait for each other.
    const last = page.waitForResponse(
      (answer) => answer.request().method() === 'PUT' && answer.request().postDataJSON()?.remarques?.length === 0,
    );
    await button(list(page), "C'est réglé").click();
    await button(notes(page).first(), "C'est réglé").click();
    await button(notes(page).first(), "C'est réglé").click();
    await list(page).waitFor({ state: 'detached' });
    t.equal((await last).status(), 200);
    await page.reload();
    await editor(page, 'Contenu').waitFor();
    t.same(await remarks(), []);
    t.equal(await notes(page).count(), 0);
    t.match(await contenu(), /^<p>Le début\.<\/p><p>Soit [\s\S]*La fin\.<\/p>$/, 'notes are no part of the text');
  });

t.test('a note follows its block, is not written into, and comes back with a deleted passage', async (t) => {
  const { page, contenu } = await imported(t, 1280);
  await notes(page).nth(2).waitFor();
  const area = editor(page, 'Contenu');
  await area.getByText('Le début.').click();
  await page.keyboard.press('Home');
  await page.keyboard.type('Nouveau');
  await page.keyboard.press('Enter');
  await page.keyboard.press('End');
  // From above the note to below it, and back.
  await page.keyboard.press('ArrowDown');
  await page.keyboard.press('End');
  await page.keyboard.type(' Avant.');
  await page.keyboard.press('Control+Home');
  t.match(await above(page, 'premiere'), /^p Soit/);
  await area.getByText('La fin.').click();
  await page.keyboard.press('Control+Home');
  for (let line = 0; line < 20; line += 1) await page.keyboard.press('ArrowDown');
  await page.keyboard.press('End');
  await page.keyboard.type(' Après.');
  await button(page, 'Enregistrer').click();
  await readToast(page, 'Brouillon enregistré');
  t.match(await contenu(), /un nombre\. Avant\.<\/p>[\s\S]*La fin\. Après\.<\/p>$/, 'the cursor passes the notes');

  await notes(page).first().focus();
  await page.keyboard.press('Escape');
  await page.keyboard.type(' Ici.');
  t.match(await area.locator('p').filter({ hasText: 'Avant.' }).innerText(), /Avant\. Ici\.$/, 'Escape leaves a note to the text above it');

  await area.locator('p').filter({ hasText: 'Avant.' }).click({ clickCount: 3 });
  await page.keyboard.press('Delete');
  await page.keyboard.press('Backspace');
  await list(page).getByText('2 remarques dans le texte.').waitFor();
  await list(page).getByRole('listitem').filter({ hasText: 'premiere' }).waitFor();
  await page.keyboard.press('Control+z');
  await list(page).getByText('3 remarques dans le texte.').waitFor();
  t.match(await above(page, 'premiere'), /^p Soit/);
  await page.keyboard.press('Control+a');
  await page.keyboard.press('Delete');
  await notes(page).first().waitFor({ state: 'detached' });
  t.equal(await list(page).getByRole('listitem').count(), 5, 'all are listed');
  await page.keyboard.press('Control+z');
  await notes(page).nth(2).waitFor();
  await page.keyboard.press('Control+y');
  await notes(page).first().waitFor({ state: 'detached' });
  await page.keyboard.press('Control+z');
  await notes(page).nth(2).waitFor();
  await assertAccessible(t, page);
});
