import { mkdir, readdir, readFile } from 'node:fs/promises';
import { join } from 'node:path';
import sharp from 'sharp';
import t, { type Test } from 'tap';
import { plainPng } from '../../../test/support/hostile-images.ts';
import { prepareContentImage } from './images.ts';
import { type FileStore, localFileStore } from './storage.ts';

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

async function storeContentImage(store: FileStore, bytes: Buffer) {
  const { name, data, image } = await prepareContentImage(bytes);
  await store.write(name, data);
  return image;
}

t.test('stores an image of a text as WebP, at most 1,200 pixels wide, with its size', async (t) => {
  const { store, look } = open(t);
  const small = await storeContentImage(store, await image(320, 200).png().toBuffer());
  t.match(small, { src: /^\/media\/content\/[0-9a-f]{32}\.webp$/, width: 320, height: 200 }, 'a small picture is not enlarged');
  const large = await storeContentImage(store, await image(2400, 600).jpeg().toBuffer());
  t.match(large, { width: 1200, height: 300 });
  t.match(await look(large.src.replace('/media/', '')), { format: 'webp', width: 1200, height: 300 });
});

t.test('rotates a photograph upright', async (t) => {
  const { store } = open(t);
  const sideways = await image(400, 200).jpeg().withMetadata({ orientation: 6 }).toBuffer();
  t.match(await storeContentImage(store, sideways), { width: 200, height: 400 });
});

t.test('keeps an animation as one picture', async (t) => {
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

t.test('refuses an unreadable image in French and stores nothing', async (t) => {
  const { store, files } = open(t);
  for (const [name, bytes] of [
    ['cut off', png.subarray(0, png.length / 2)],
    ['empty', Buffer.alloc(0)],
    ['text', Buffer.from('bonjour')],
    ['too many pixels', plainPng(30_000, 30_000, { rows: 1 })],
  ] as const) {
    await t.rejects(storeContentImage(store, bytes), { name: 'ImageError', message: "L'image est illisible." }, name);
  }
  t.same(await files(), []);
});

t.test('the folder store leaves no file after a failed write', async (t) => {
  const { store, files } = open(t);
  await store.write('covers/a', Buffer.from('a'));
  await t.rejects(store.write('covers/a/b', Buffer.from('b')));
  await mkdir(join(t.testdirName, 'covers/dossier'));
  await t.rejects(store.write('covers/dossier', Buffer.from('c')));
  t.equal(await store.has('covers/dossier'), false);
  t.equal((await files()).length, 1);
});
