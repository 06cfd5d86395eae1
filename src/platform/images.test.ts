import { readdir, readFile } from 'node:fs/promises';
import { join } from 'node:path';
import sharp from 'sharp';
import t, { type Test } from 'tap';
import { coverPicture, coverPreview, storeContentImage, storeCover } from './images.ts';
import { localFileStore } from './storage.ts';

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

t.test('a cover: two widths of 16 by 9 and a JPEG for link previews, whatever the source', async (t) => {
  const { store, files, look } = open(t);
  const base = await storeCover(store, png);
  t.match(base, /^covers\/[0-9a-f]{32}$/);
  t.match(await look(`${base}-480.webp`), { format: 'webp', width: 480, height: 270 });
  t.match(await look(`${base}-960.webp`), { format: 'webp', width: 960, height: 540 });
  t.match(await look(`${base}-og.jpg`), { format: 'jpeg', width: 1200, height: 630, hasAlpha: false });
  t.equal((await files()).length, 3, 'nothing half-written stays');
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

t.test('the same bytes are the same file, other bytes another', async (t) => {
  const { store, files } = open(t);
  t.equal(await storeCover(store, png), await storeCover(store, png));
  t.equal((await files()).length, 3);
  t.not(await storeCover(store, await image(10, 10).png().toBuffer()), await storeCover(store, png));
});

t.test('what the photographer wrote into the picture does not stay', async (t) => {
  const { store, look } = open(t);
  const tagged = await image(1600, 900)
    .jpeg()
    .withExif({ IFD0: { Copyright: 'secret' } })
    .toBuffer();
  t.ok((await sharp(tagged).metadata()).exif);
  const base = await storeCover(store, tagged);
  for (const name of ['-960.webp', '-og.jpg']) t.notOk('exif' in (await look(base + name)), name);
});

t.test('an image of a text: WebP, never wider than 1,200 pixels, with its size', async (t) => {
  const { store, look } = open(t);
  const small = await storeContentImage(store, await image(320, 200).png().toBuffer());
  t.match(small, { src: /^\/media\/content\/[0-9a-f]{32}\.webp$/, width: 320, height: 200 }, 'not enlarged');
  const large = await storeContentImage(store, await image(2400, 600).jpeg().toBuffer());
  t.match(large, { width: 1200, height: 300 });
  t.match(await look(large.src.replace('/media/', '')), { format: 'webp', width: 1200, height: 300 });
});

t.test('a photograph taken sideways stands upright', async (t) => {
  const { store } = open(t);
  const sideways = await image(400, 200).jpeg().withMetadata({ orientation: 6 }).toBuffer();
  t.match(await storeContentImage(store, sideways), { width: 200, height: 400 });
});

t.test('what moves keeps moving, and counts as one picture', async (t) => {
  const { store, look } = open(t);
  const frames = await Promise.all(
    [10, 200].map((grey) =>
      sharp({ create: { width: 40, height: 30, channels: 3, background: { r: grey, g: 0, b: 0 } } })
        .png()
        .toBuffer(),
    ),
  );
  const gif = await sharp(frames, { join: { animated: true } })
    .gif()
    .toBuffer();
  const stored = await storeContentImage(store, gif);
  t.match(stored, { width: 40, height: 30 });
  t.match(await look(stored.src.replace('/media/', '')), { pages: 2 });
});

t.test('cut off, empty, another thing, too many pixels: refused in French, and nothing is stored', async (t) => {
  const bomb = Buffer.from(
    '<svg xmlns="http://www.w3.org/2000/svg" width="30000" height="30000"><rect width="30000" height="30000"/></svg>',
  );
  const noise = await sharp({
    create: { width: 300, height: 300, channels: 3, background: '#000', noise: { type: 'gaussian', mean: 128, sigma: 50 } },
  })
    .jpeg()
    .toBuffer();
  for (const [name, bytes] of [
    ['truncated PNG', png.subarray(0, png.length / 2)],
    ['truncated JPEG', noise.subarray(0, noise.length / 2)],
    ['header only', png.subarray(0, 16)],
    ['empty', Buffer.alloc(0)],
    ['text', Buffer.from('bonjour')],
    ['too many pixels', bomb],
  ] as const) {
    const { store, files } = open(t);
    await t.rejects(storeCover(store, bytes), { name: 'ImageError', message: "L'image est illisible." }, `cover, ${name}`);
    await t.rejects(storeContentImage(store, bytes), { name: 'ImageError', message: "L'image est illisible." }, `content, ${name}`);
    t.same(await files(), [], name);
  }
});
