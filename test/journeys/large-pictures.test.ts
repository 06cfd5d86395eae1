import type { Page } from 'playwright-core';
import sharp, { type Sharp } from 'sharp';
import t, { type Test } from 'tap';
import { button, editor, field, openScreen, readToast } from '../support/authoring.ts';
import { createAdministrator, createDiscipline, createItem } from '../support/factories.ts';
import { islandIs, presentAdministrator, shareSite } from '../support/journey.ts';

// Photographs are reduced in the browser before they are uploaded, whichever way they come in.

const site = await shareSite(t);
const administrator = await createAdministrator(site);

/** A picture with the grain of a photograph, red in its first eighth of rows. */
async function photograph(width: number, height: number): Promise<Sharp> {
  const create = { width, height, channels: 3, background: '#888', noise: { type: 'gaussian', mean: 128, sigma: 30 } } as const;
  const mark = await sharp({ create: { width, height: Math.round(height / 8), channels: 3, background: '#f00' } })
    .png()
    .toBuffer();
  return sharp({ create }).composite([{ input: mark, left: 0, top: 0 }]);
}

/** Returns a function that gives the size of each body that the page has sent to a path, in bytes. */
function sent(page: Page, path: string): () => Promise<number[]> {
  const sizes: Promise<number>[] = [];
  page.on('request', (request) => {
    if (request.method() !== 'GET' && new URL(request.url()).pathname === path)
      sizes.push(request.allHeaders().then((headers) => Number(headers['content-length'])));
  });
  return () => Promise.all(sizes);
}

async function desk(t: Test) {
  const { id: discipline } = await createDiscipline(site);
  const { id } = await createItem(site, discipline, { titre: 'Suites' });
  const page = await site.page(t, { width: 1280, fresh: true });
  await openScreen(page, site, administrator, discipline, `?type=course&item=${id}`);
  const area = editor(page, 'Contenu');
  await area.click();
  return { page, area, sizes: sent(page, '/api/images') };
}

type Area = ReturnType<typeof editor>;

const drop = (area: Area, type: string, bytes: Buffer) =>
  area.evaluate(
    (element, { type, base64 }) => {
      const dataTransfer = new DataTransfer();
      const bytes = Uint8Array.from(atob(base64), (character) => character.charCodeAt(0));
      dataTransfer.items.add(new File([bytes], 'photo de classe', { type }));
      const { left: clientX, top: clientY } = element.getBoundingClientRect();
      element.dispatchEvent(new DragEvent('drop', { dataTransfer, clientX, clientY, bubbles: true, cancelable: true }));
    },
    { type, base64: bytes.toString('base64') },
  );

async function storedPicture(page: Page, area: Area): Promise<Buffer> {
  const image = area.locator('img[src^="/media/"]').first();
  await image.waitFor();
  return (await page.request.get(new URL((await image.getAttribute('src')) as string, page.url()).href)).body();
}

/** Returns the colour of a pixel, as red, green, blue and alpha. */
async function pixel(picture: Buffer, left: number, top: number): Promise<number[]> {
  return [...(await sharp(picture).ensureAlpha().extract({ left, top, width: 1, height: 1 }).raw().toBuffer())];
}

t.test('a photograph of 12 million pixels, held sideways, costs a tenth and stands upright', async (t) => {
  const { page, area, sizes } = await desk(t);
  // Orientation 6: the first rows of the file are the right side of the picture.
  const bytes = await (await photograph(4000, 3000)).jpeg({ quality: 98 }).withMetadata({ orientation: 6 }).toBuffer();
  t.ok(bytes.length > 5_000_000, `${bytes.length} bytes`);
  await page.getByRole('toolbar').getByRole('button', { name: 'Image', exact: true }).click();
  const dialog = page.getByRole('dialog', { name: 'Insérer une image' });
  await dialog.getByLabel('Fichier').setInputFiles({ name: 'photo.jpg', mimeType: 'image/jpeg', buffer: bytes });
  await dialog.getByRole('img', { name: 'Aperçu' }).waitFor();
  await dialog.getByRole('button', { name: 'Insérer', exact: true }).click();
  const stored = await storedPicture(page, area);
  t.match(await sharp(stored).metadata(), { width: 1200, height: 1600 });
  t.match(await pixel(stored, 1190, 1400), [/2[45]\d/, /^\d$|^1\d$/, /^\d$|^1\d$/, 255], 'the mark is on the right');
  const [size = 0, ...further] = await sizes();
  t.ok(size > 1_000 && size < 700_000, `${bytes.length} bytes, of which ${size} were sent`);
  t.same(further, []);
});

t.test('a dropped drawing keeps its transparency, an animation all its pictures', async (t) => {
  const { page, area, sizes } = await desk(t);
  const grain = await (await photograph(2400, 1200)).png().toBuffer();
  const drawing = await sharp({ create: { width: 2400, height: 2400, channels: 4, background: { r: 0, g: 0, b: 0, alpha: 0 } } })
    .composite([{ input: grain, left: 0, top: 1200 }])
    .png()
    .toBuffer();
  t.ok(drawing.length > 2_200_000, `${drawing.length} bytes`);
  await drop(area, 'image/png', drawing);
  const stored = await storedPicture(page, area);
  t.match(await sharp(stored).metadata(), { width: 1200, height: 1200 });
  t.equal((await pixel(stored, 600, 300))[3], 0);
  t.equal((await pixel(stored, 600, 900))[3], 255);
  const [size = 0] = await sizes();
  t.ok(size > 1_000 && size < 900_000, `${size} bytes were sent`);

  const second = await desk(t);
  const frames = await Promise.all([1, 2].map(async () => (await photograph(1800, 600)).png().toBuffer()));
  const animation = await sharp(frames, { join: { animated: true } })
    .webp({ quality: 80 })
    .toBuffer();
  t.ok(animation.length > 320_000 && animation.length < 2_000_000, `${animation.length} bytes`);
  await drop(second.area, 'image/webp', animation);
  t.equal((await sharp(await storedPicture(second.page, second.area)).metadata()).pages, 2);
});

t.test('a picture that the browser cannot read is not sent beyond the limit', async (t) => {
  const { page, area, sizes } = await desk(t);
  await drop(area, 'image/jpeg', Buffer.alloc(2 * 1024 * 1024 + 1, 1));
  await readToast(page, "L'image dépasse 2 Mo", 'error');
  t.same(await sizes(), []);
});

t.test('a cover of 5 MB is accepted', async (t) => {
  const page = await site.page(t, { width: 1280, fresh: true });
  await presentAdministrator(page, site, administrator);
  await page.goto('/admin/dashboard');
  await islandIs(page, 'admin-catalogue', 'ready');
  await button(page, 'Nouvelle préparation').click();
  const dialog = page.getByRole('dialog', { name: 'Nouvelle préparation', exact: true });
  for (const [label, value] of Object.entries({ Nom: 'ENS de Maroua', Description: 'Le concours.', 'Prix (XAF)': '15000' }))
    await dialog.getByLabel(label, { exact: true }).fill(value);
  const buffer = await (await photograph(4000, 3000)).jpeg({ quality: 98 }).toBuffer();
  const sizes = sent(page, '/api/prepas');
  await field(dialog, 'Image').setInputFiles({ name: 'photo.jpg', mimeType: 'image/jpeg', buffer });
  await dialog.getByText('Aperçu de la nouvelle image').waitFor();
  await button(dialog, 'Créer').click();
  await readToast(page, 'Préparation créée avec succès');
  const [row] = await site.rows<{ image: string | null }>("select image from prepa where nom = 'ENS de Maroua'");
  t.ok(row?.image);
  const [size = 0] = await sizes();
  t.ok(size > 1_000 && size < 700_000, `${buffer.length} bytes, of which ${size} were sent`);
});
