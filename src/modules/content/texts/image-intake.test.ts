import t from 'tap';
import { imageLibrary } from '../../../platform/files/image-library.ts';
import { ImageIntake } from './image-intake.ts';
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
  t.ok(await intake.keep('one', tiff));
  t.match(await imageLibrary()(stored[0]).metadata(), { format: 'webp', width: 60, height: 40 });
  t.equal(await intake.keep('two', tiff.subarray(0, 100)), null);
  t.match(remarks.list(), [/^1 image refusée : L'image est illisible/]);
});
