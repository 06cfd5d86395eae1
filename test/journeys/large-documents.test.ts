import { randomBytes } from 'node:crypto';
import { join } from 'node:path';
import JSZip from 'jszip';
import type { Page } from 'playwright-core';
import sharp from 'sharp';
import t, { type Test } from 'tap';
import { button, openScreen, readToast } from '../support/authoring.ts';
import { createAdministrator, createDiscipline } from '../support/factories.ts';
import { shareSite } from '../support/journey.ts';
import { odt, p as odtParagraph, picture as odtPicture } from '../support/odt-file.ts';
import { docx, p, picture, r } from '../support/word-file.ts';

// Documents of more than 10 MB, the server's limit: their photographs are reduced in the browser before they are sent.

const site = await shareSite(t);
const administrator = await createAdministrator(site);
const limit = 10 * 1024 * 1024;

const photograph = await sharp({
  create: { width: 4000, height: 3000, channels: 3, background: '#888', noise: { type: 'gaussian', mean: 128, sigma: 50 } },
})
  .jpeg({ quality: 100 })
  .toBuffer();
const word = (image: Buffer) =>
  docx({
    body: p(r('La pile se décharge.')) + p(picture('a', { width: 600 })),
    images: { a: 'media/a.jpg' },
    files: { 'media/a.jpg': image },
  });

async function open(t: Test) {
  const { id: discipline } = await createDiscipline(site);
  const page = await site.page(t, { width: 1280, fresh: true });
  const sizes: number[] = [];
  page.on('request', async (request) => {
    if (new URL(request.url()).pathname === '/api/imports') sizes.push(Number((await request.allHeaders())['content-length']));
  });
  await openScreen(page, site, administrator, discipline);
  return { page, discipline, sizes };
}

/** Returns the texts of a discipline's drafts, and the stored picture of each. */
async function draftsOf(page: Page, discipline: number) {
  const rows = await site.rows<{ contenu: string }>('select contenu from item_draft where discipline_id = $1 order by id', [discipline]);
  return Promise.all(
    rows.map(async ({ contenu }) => {
      const src = /<img[^>]*\ssrc="(\/media\/[^"]+)"/.exec(contenu)?.[1] ?? '';
      const stored = await page.request.get(new URL(src, page.url()).href);
      const { width, height } = await sharp(await stored.body()).metadata();
      return { text: contenu.replaceAll(/<[^>]*>/g, '').trim(), width, height };
    }),
  );
}

const kept = { text: 'La pile se décharge.', width: 1200, height: 900 };

t.test('a Word document with a photograph of 14 MB becomes a draft with its picture', async (t) => {
  t.ok(photograph.length > limit + 1_000_000, `${photograph.length} bytes`);
  const { page, discipline, sizes } = await open(t);
  await button(page, 'Nouvelle Leçon').click();
  const form = page.getByRole('dialog');
  await form
    .getByLabel('Importer un document (Word, LibreOffice, HTML, Markdown ou TeX)')
    .setInputFiles({ name: 'pile.docx', mimeType: '', buffer: await word(photograph) });
  await form.getByText('Réduction des images...').waitFor();
  await form.getByText(/^Document lu/).waitFor();
  await form.getByLabel('Titre', { exact: true }).fill('La pile');
  await button(form, 'Créer').click();
  await readToast(page, 'Brouillon créé');
  t.same(await draftsOf(page, discipline), [kept]);
  t.ok((sizes[0] ?? limit) < 2_000_000, `${photograph.length} bytes, of which ${sizes} were sent`);
});

t.test(
  'several files: an OpenDocument text, and a page of an archive, with photographs; one that stays too large says what to do',
  async (t) => {
    const { page, discipline } = await open(t);
    const archive = new JSZip();
    archive.file('Cours/b pile.html', '<!DOCTYPE html><meta charset="utf-8"><p>La pile se décharge.</p><p><img alt="" src="pile.jpg"></p>');
    archive.file('Cours/pile.jpg', photograph);
    await button(page, 'Importer plusieurs fichiers').filter({ visible: true }).click();
    const dialog = page.getByRole('dialog', { name: /^Importer plusieurs fichiers/ });
    const files = {
      'a pile.odt': await odt({
        body: odtParagraph('La pile se décharge.') + odtParagraph(odtPicture('Pictures/a.jpg', { width: 16 })),
        files: { 'Pictures/a.jpg': photograph },
      }),
      'c bruit.docx': await word(randomBytes(limit)),
      'cours.zip': await archive.generateAsync({ type: 'nodebuffer' }),
    };
    const folder = t.testdir(files);
    await dialog.locator('input[type=file]').setInputFiles(Object.keys(files).map((name) => join(folder, name)));
    await dialog.getByText('2 brouillons créés, 1 fichier refusé', { exact: true }).waitFor();
    t.match(
      await dialog.locator('[data-state="failed"]').innerText(),
      /^c bruit\.docx Ce fichier dépasse 10 Mo, même avec ses images réduites\./,
    );
    t.same(await draftsOf(page, discipline), [kept, kept]);
  },
);
