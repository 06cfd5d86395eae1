import { readdir, readFile } from 'node:fs/promises';
import { join } from 'node:path';
import sharp from 'sharp';
import t, { type Test } from 'tap';
import { noise, plainPng } from '../../../../test/support/hostile-images.ts';
import { localFileStore } from '../../../platform/files/storage.ts';
import { coverFiles, coverPicture, coverPreview, prepareCover, storeCover, storePrepared } from './cover-images.ts';

const image = (width: number, height: number) =>
  sharp({ create: { width, height, channels: 4, background: { r: 190, g: 0, b: 80, alpha: 0.5 } } });
const png = await image(1000, 1000).png().toBuffer();

function open(t: Test) {
  const folder = t.testdir({});
  return {
    store: localFileStore(folder),
    files: async () => (await readdir(folder, { recursive: true, withFileTypes: true })).filter((entry) => entry.isFile()),
    look: async (name: string) => sharp(await readFile(join(folder, name))).metadata(),
  };
}

t.test('a cover is stored in two widths of 16 by 9 and as a JPEG for link previews, from any source', async (t) => {
  const { store, files, look } = open(t);
  const base = await storeCover(store, png);
  t.match(base, /^covers\/[0-9a-f]{32}$/);
  t.match(await look(`${base}-480.webp`), { format: 'webp', width: 480, height: 270 });
  t.match(await look(`${base}-960.webp`), { format: 'webp', width: 960, height: 540 });
  t.match(await look(`${base}-og.jpg`), { format: 'jpeg', width: 1200, height: 630, hasAlpha: false });
  t.equal((await files()).length, 3, 'no partial file remains');
  t.same(coverPicture(base), {
    src: `/media/${base}-960.webp`,
    srcset: `/media/${base}-480.webp 480w, /media/${base}-960.webp 960w`,
    width: 960,
    height: 540,
  });
  t.same(coverPreview(base, 'https://prepa.example'), {
    image: `https://prepa.example/media/${base}-og.jpg`,
    width: 1200,
    height: 630,
  });
  t.equal(coverPicture(null), null);
});

t.test('the same bytes give the same file name, other bytes another one', async (t) => {
  const { store, files } = open(t);
  t.equal(await storeCover(store, png), await storeCover(store, png));
  t.equal((await files()).length, 3);
  t.not(await storeCover(store, await image(10, 10).png().toBuffer()), await storeCover(store, png));
});

t.test('the metadata of a picture is removed', async (t) => {
  const { store, look } = open(t);
  const tagged = await image(1600, 900)
    .jpeg()
    .withExif({ IFD0: { Copyright: 'secret' } })
    .toBuffer();
  t.ok((await sharp(tagged).metadata()).exif);
  const base = await storeCover(store, tagged);
  for (const name of ['-960.webp', '-og.jpg']) t.notOk('exif' in (await look(base + name)), name);
});

t.test("a cover's type is recognised by its bytes", async (t) => {
  const photo = await noise(300, 300).jpeg().toBuffer();
  const small = plainPng(64, 36);
  const broken = Buffer.from(small);
  // Damages the pixel data: the last 12 bytes are the end chunk.
  broken.writeUInt32BE(0, broken.length - 16);
  const format = "L'image doit être au format JPG ou PNG.";
  const unreadable = "L'image est illisible.";
  const tooLarge = (from: string, to: string) => `L'image est trop grande : ${from} pixels. Réduisez-la à ${to} au plus.`;
  const refused: Record<string, [Buffer, string]> = {
    empty: [Buffer.alloc(0), format],
    text: [Buffer.from('bonjour'), format],
    WebP: [await image(20, 20).webp().toBuffer(), format],
    'more than 2 MiB': [Buffer.alloc(2 * 1024 * 1024 + 1), "L'image dépasse 2 Mo."],
    'a PNG cut off': [png.subarray(0, png.length / 2), unreadable],
    'a PNG without its end': [png.subarray(0, -12), unreadable],
    'a PNG of its signature': [png.subarray(0, 8), unreadable],
    'a PNG with a wrong checksum': [broken, unreadable],
    'a PNG of which rows are missing': [plainPng(64, 360, { rows: 36 }), unreadable],
    'a JPEG cut off': [photo.subarray(0, photo.length / 2), unreadable],
    'a JPEG of its signature': [photo.subarray(0, 3), unreadable],
    'announces 30,000 × 30,000': [plainPng(30_000, 30_000, { rows: 1 }), tooLarge('30 000 × 30 000', '6 300 × 6 300')],
    'too wide': [plainPng(20_000, 100, { rows: 1 }), tooLarge('20 000 × 100', '8 000 × 40')],
  };
  for (const [name, [bytes, message]] of Object.entries(refused))
    await t.rejects(prepareCover(bytes), { name: 'ImageError', message }, name);
});

t.test('formats that are decoded in memory as a whole have a lower size limit', async (t) => {
  const photo = () => sharp({ create: { width: 4000, height: 3000, channels: 3, background: '#be0050' } });
  await t.resolves(
    prepareCover(await photo().jpeg().withMetadata({ orientation: 6 }).toBuffer()),
    'the rotated photograph of a phone is accepted',
  );
  await t.resolves(prepareCover(plainPng(3840, 2160)), 'a picture of 3840 × 2160 pixels is accepted');
  await t.rejects(
    prepareCover(await photo().jpeg({ progressive: true }).toBuffer()),
    { message: "L'image est trop grande : 4 000 × 3 000 pixels. Réduisez-la à 2 300 × 1 700 au plus." },
    'a large progressive JPEG is refused',
  );
});

t.test('a prepared cover is not stored yet, and its names are those to remove', async (t) => {
  const { store, files } = open(t);
  const cover = await prepareCover(png);
  t.same(await files(), []);
  t.same(
    cover.files.map(([name]) => name),
    coverFiles(cover.base),
  );
  await storePrepared(store, cover);
  t.equal(await storeCover(store, png), cover.base, 'the seed stores the same files');
  t.equal((await files()).length, 3);
  await store.remove([...coverFiles(cover.base), 'covers/absent.webp']);
  t.same(await files(), []);
});

t.test('pictures wait in a queue, for a limited time', async (t) => {
  const covers = await Promise.allSettled(Array.from({ length: 48 }, () => prepareCover(Buffer.from('bonjour'))));
  const messages = covers.map((cover) => cover.status === 'rejected' && cover.reason.message);
  const busy = "Trop d'images sont en cours de traitement. Réessayez dans un instant.";
  t.same(messages, [...Array(40).fill("L'image doit être au format JPG ou PNG."), ...Array(8).fill(busy)]);
  await t.resolves(prepareCover(plainPng(64, 36)), 'the queue accepts pictures again');
});
