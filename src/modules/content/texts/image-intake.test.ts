import t from 'tap';
import { decodeBmp } from '../../../platform/files/bmp.ts';
import { imageLibrary } from '../../../platform/files/image-library.ts';
import { ImageIntake } from './image-intake.ts';
import { tooComplex } from './refusal.ts';
import { Remarks } from './remarks.ts';

t.test('a TIFF becomes a picture that browsers show, and a broken one is named', async (t) => {
  const pixels = { create: { width: 60, height: 40, channels: 3 as const, background: 'red' } };
  const tiff = await imageLibrary()(pixels).tiff().toBuffer();
  const stored: Buffer[] = [];
  const remarks = new Remarks();
  const intake = new ImageIntake(async (bytes) => {
    stored.push(bytes);
    return { src: '/media/a.webp', width: 60, height: 40 };
  }, remarks);
  t.ok(await intake.keep('one', () => tiff));
  t.match(await imageLibrary()(stored[0]).metadata(), { format: 'webp', width: 60, height: 40 });
  t.equal(await intake.keep('two', () => tiff.subarray(0, 100)), null);
  t.match(remarks.list(), [/^1 image refusée : L'image est illisible/]);
});

/** Returns a Windows bitmap of 2 by 2 pixels: red and green above blue and white. */
function bitmap(bits: 24 | 32 | 8 | 1, { compression = 0, size = 40, topDown = false } = {}): Buffer {
  const colors = [
    [0, 0, 255],
    [0, 255, 0],
    [255, 0, 0],
    [255, 255, 255],
  ] as const;
  const palette =
    bits === 8
      ? colors.map((color) => [...color, 0])
      : bits === 1
        ? [
            [...colors[0], 0],
            [...colors[3], 0],
          ]
        : [];
  const pixel = (index: number): number[] =>
    bits === 8 ? [index] : bits === 24 ? [...(colors[index] ?? [])] : [...(colors[index] ?? []), 255];
  const row = (y: number): Buffer => {
    const bytes = bits === 1 ? [y === 0 ? 0b01000000 : 0b10000000] : [...pixel(y * 2), ...pixel(y * 2 + 1)];
    return Buffer.concat([Buffer.from(bytes), Buffer.alloc((4 - (bytes.length % 4)) % 4)]);
  };
  const pixels = Buffer.concat(topDown ? [row(0), row(1)] : [row(1), row(0)]);
  const header = Buffer.alloc(14 + size);
  header.write('BM');
  header.writeUInt32LE(14 + size + palette.length * 4, 10);
  header.writeUInt32LE(size, 14);
  header.writeInt32LE(2, 18);
  header.writeInt32LE(topDown ? -2 : 2, 22);
  header.writeUInt16LE(1, 26);
  header.writeUInt16LE(bits, 28);
  header.writeUInt32LE(compression, 30);
  return Buffer.concat([header, Buffer.from(palette.flat()), pixels]);
}

t.test('a BMP becomes a picture that browsers show; other variants, and broken ones, are named', async (t) => {
  const expected = Buffer.from([255, 0, 0, 0, 255, 0, 0, 0, 255, 255, 255, 255]);
  for (const bits of [24, 32, 8] as const)
    for (const topDown of [false, true]) t.same(decodeBmp(bitmap(bits, { topDown })).data, expected, `${bits}`);
  t.same([...decodeBmp(bitmap(1)).data], [255, 0, 0, 255, 255, 255, 255, 255, 255, 255, 0, 0]);
  const remarks = new Remarks();
  const stored: Buffer[] = [];
  const intake = new ImageIntake(async (bytes) => {
    stored.push(bytes);
    return { src: '/media/a.webp', width: 2, height: 2 };
  }, remarks);
  t.ok(await intake.keep('one', () => bitmap(24)));
  t.match(await imageLibrary()(stored[0]).metadata(), { format: 'webp', width: 2, height: 2 });
  t.equal(await intake.keep('two', () => bitmap(8, { compression: 1 })), null);
  t.match(remarks.list(), [/^1 image refusée : Cette variante du format BMP/]);
  const whole = bitmap(24);
  for (let length = 0; length < whole.length; length += 1) t.throws(() => decodeBmp(whole.subarray(0, length)), { name: 'ImageError' });
  const large = bitmap(24);
  large.writeInt32LE(1_000_000, 18);
  large.writeInt32LE(1_000_000, 22);
  t.throws(() => decodeBmp(large), { name: 'ImageError', message: /trop grande/ });
});

t.test('photographs of a camera are reduced; what is beyond the bounds is named, and the others are kept', async (t) => {
  const remarks = new Remarks();
  const widths: (number | undefined)[] = [];
  const intake = new ImageIntake(async (bytes) => {
    widths.push((await imageLibrary()(bytes).metadata()).width);
    return { src: `/media/${widths.length}.webp`, width: 1, height: 1 };
  }, remarks);
  const heavy = (bytes: Buffer) => Buffer.concat([bytes, Buffer.alloc(3 * 1024 * 1024)]);
  const photograph = (progressive: boolean) =>
    imageLibrary()({ create: { width: 8_000, height: 6_000, channels: 3, background: '#456' } })
      .jpeg({ quality: 30, progressive })
      .toBuffer();
  const [camera, passes] = [await photograph(false), await photograph(true)];
  t.ok(await intake.keep('one', () => heavy(camera)));
  t.equal(await intake.keep('two', () => heavy(passes)), null);
  t.equal(
    await intake.keep('three', () => {
      throw tooComplex();
    }),
    null,
  );
  t.ok(await intake.keep('four', () => bitmap(24)));
  t.same(widths, [1600, 2]);
  t.match(remarks.list(), [/^1 image refusée : L'image a 48 millions de pixels, 40 au plus sont lus/, /^1 image abîmée ou trop lourde/]);
});
