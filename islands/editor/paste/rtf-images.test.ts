import t from 'tap';
import { rtfImages } from './rtf-images.ts';

const png = '89504e470d0a1a0a0000000d49484452';
const jpeg = 'ffd8ffe000104a464946000101010060';
const base64 = (hex: string): string => Buffer.from(hex, 'hex').toString('base64');

t.test('pictures are read in their order, each once', async (t) => {
  const rtf = String.raw`{\rtf1\ansi texte {\picttext non}
{\*\shppict{\pict{\*\picprop\shplid1025{\sp{\sn shapeType}{\sv 75}}}\picscalex100\picw800\pich600\pngblip\bliptag123{\*\blipuid 00ff}
${png.slice(0, 10)}
${png.slice(10)}}}{\nonshppict{\pict\picw8\wmetafile8 0100090000}}
{\shp{\*\shpinst{\sp{\sn pib}{\sv {\pict\picw10\jpegblip ${jpeg}}}}}}
{\pict\emfblip 0100000058000000aabbccdd}}`;
  t.same(rtfImages(rtf), [{ type: 'image/png', base64: base64(png) }, { type: 'image/jpeg', base64: base64(jpeg) }, null]);
});

t.test('what is no RTF, or breaks off, has no pictures and takes no time', async (t) => {
  t.same(rtfImages(''), []);
  t.same(rtfImages(String.raw`{\pict\pngblip 8950`), [null]);
  t.same(rtfImages(String.raw`{\pict\pngblip nothexnothexnothex}`), [null]);
  const start = performance.now();
  rtfImages(String.raw`{\pict`.repeat(50_000));
  rtfImages(`${String.raw`{\pict\pngblip `}${'ab'.repeat(2_000_000)}}`);
  t.ok(performance.now() - start < 3_000);
});
