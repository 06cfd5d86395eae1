import t from 'tap';
import { rtfPictures } from './rtf-images.ts';

const png = '89504e470d0a1a0a0000000d49484452';
const jpeg = 'ffd8ffe000104a464946000101010060';
const rtfImages = (rtf: string) => rtfPictures(rtf).map(({ image }) => image);
const base64 = (hex: string): string => Buffer.from(hex, 'hex').toString('base64');

t.test('pictures are read in order, each once', async (t) => {
  const rtf = String.raw`{\rtf1\ansi texte {\picttext non}
{\*\shppict{\pict{\*\picprop\shplid1025{\sp{\sn shapeType}{\sv 75}}}\picscalex100\picw800\pich600\pngblip\bliptag123{\*\blipuid 00ff}
${png.slice(0, 10)}
${png.slice(10)}}}{\nonshppict{\pict\picw8\wmetafile8 0100090000}}
{\shp{\*\shpinst{\sp{\sn pib}{\sv {\pict\picw10\jpegblip ${jpeg}}}}}}
{\pict\emfblip 0100000058000000aabbccdd}}`;
  t.same(rtfImages(rtf), [{ type: 'image/png', base64: base64(png) }, { type: 'image/jpeg', base64: base64(jpeg) }, null]);
});

t.test('a floating picture is read once, with the number of its shape', async (t) => {
  const rtf = String.raw`{\rtf1{\header{\pict\pngblip ${png}}}{\*\listpicture{\*\shppict{\pict\pngblip ${png}}}}
{\shp{\*\shpinst\shpleft0\shptop0\shpright1500\shpbottom750\shplid1026{\sp{\sn rotation}{\sv 5898240}}{\sp{\sn pib}{\sv {\pict\picscalex100\picwgoal9\jpegblip\bliptag-12
${jpeg}}}}}{\shprslt\par\pard{\pict\wmetafile8 0100090000000000}}}
{\*\shppict{\pict{\*\picprop\shplid1025{\sp{\sn a}{\sv 1}}}\picscalex50\picscaley50\picwgoal3000\pichgoal1500\pngblip\bliptag7 ${png}}}{\nonshppict{\pict\wmetafile8 0100090000000000}}
{\shp{\*\shpinst\shplid1027{\sp{\sn a}{\sv b}}}{\shprslt{\pict\wmetafile8 0100090000000000}}}{\pict\pngblip\bin3 }}{}}`;
  t.same(
    rtfPictures(rtf).map(({ image, ...rest }) => ({ type: image?.type, ...rest })),
    [
      { type: 'image/jpeg', isFloating: true, shape: 1026, width: 100, height: 50 },
      { type: 'image/png', isFloating: false, shape: 1025, width: 100, height: 50 },
      { type: undefined, isFloating: false, shape: null, width: 0, height: 0 },
    ],
  );
});

t.test('a rotated picture is inline', async (t) => {
  const rtf = String.raw`{\shp{\*\shpinst\shplid1025{\sp{\sn pib}{\sv {\pict\pngblip ${png}}}}{\sp{\sn fPseudoInline}{\sv 1}}}{\shprslt{\pict\pngblip ${png}}}}`;
  t.match(rtfPictures(rtf), [{ isFloating: false, shape: 1025, image: { type: 'image/png' } }]);
});

t.test('invalid or truncated RTF has no pictures and is read quickly', async (t) => {
  t.same(rtfImages(''), []);
  t.same(rtfImages(String.raw`{\pict\pngblip 8950`), [null]);
  t.same(rtfImages(String.raw`{\pict\pngblip nothexnothexnothex}`), [null]);
  const start = performance.now();
  rtfImages(String.raw`{\pict`.repeat(50_000));
  rtfImages(`${String.raw`{\pict\pngblip `}${'ab'.repeat(2_000_000)}}`);
  t.ok(performance.now() - start < 3_000);
});
