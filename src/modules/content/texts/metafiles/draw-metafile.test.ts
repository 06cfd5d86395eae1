import t from 'tap';
import { emf, wmf } from '../../../../../test/support/metafiles.ts';
import { seeded, seedOfRun } from '../../../../../test/support/random.ts';
import { docx, htmlOf, p, r } from '../../../../../test/support/word-file.ts';
import { imageLibrary } from '../../../../platform/files/image-library.ts';
import { ImageIntake } from '../image-intake.ts';
import { Remarks } from '../remarks.ts';
import { importDocument } from '../worker/import-document.ts';
import { drawMetafile, isMetafile } from './draw-metafile.ts';

const labels = [{ text: 'A', x: 20, y: 262 }];
/** The place of the label in the picture, at twice its size. */
const place = { left: 40, top: 528, width: 40, height: 50 };
/** The place of a side of the triangle. */
const side = { left: 400, top: 510, width: 100, height: 20 };

interface Area {
  left: number;
  top: number;
  width: number;
  height: number;
}

/** Returns the pixels of an area that are not white. */
async function inked(png: Buffer, area: Area): Promise<{ count: number; red: number }> {
  const { data } = await imageLibrary()(png).extract(area).removeAlpha().raw().toBuffer({ resolveWithObject: true });
  let count = 0;
  let red = 0;
  for (let at = 0; at < data.length; at += 3) {
    const [r = 0, g = 0, b = 0] = data.subarray(at, at + 3);
    if (r < 200 || g < 200 || b < 200) count += 1;
    if (r > 200 && g < 100 && b < 100) red += 1;
  }
  return { count, red };
}

t.test('lines and labels of EMF and WMF are drawn, at twice their size on white', async (t) => {
  for (const [name, bytes] of [
    ['EMF', emf(labels)],
    ['WMF', wmf(labels)],
    ['EMF with another font', emf(labels, 'Times New Roman')],
  ] as const) {
    t.ok(isMetafile(bytes), name);
    const drawn = await drawMetafile(bytes);
    t.equal(drawn?.width, 400, `${name}: the width at which it is shown`);
    if (!drawn) continue;
    t.match(await imageLibrary()(drawn.png).metadata(), { width: 800, height: 600, format: 'png' }, name);
    t.ok((await inked(drawn.png, side)).red > 100, `${name}: a red side`);
    t.ok((await inked(drawn.png, place)).count > 40, `${name}: the label`);
    t.equal((await inked(drawn.png, { left: 0, top: 0, width: 100, height: 100 })).count, 0, `${name}: white elsewhere`);
  }
  const without = await drawMetafile(emf());
  t.equal(without && (await inked(without.png, place)).count, 0, 'no label, no ink');
});

t.test('letters of symbol fonts are drawn as their signs; what has no equivalent is not drawn', async (t) => {
  const of = async (font: string, text: string) => (await drawMetafile(emf([{ text, x: 20, y: 262 }], font)))?.png;
  t.same(await of('Symbol', 'ab'), await of('DejaVu Sans Condensed', '\u03b1\u03b2'));
  t.notSame(await of('Symbol', 'a'), await of('Symbol', 'b'));
  t.equal(await of('MT Extra', 'K'), undefined);
});

t.test('what is no drawing, damaged, empty or too costly is null, and soon', async (t) => {
  const cases: [string, Buffer][] = [
    ['half of a header', emf().subarray(0, 60)],
    ['a header alone', Buffer.concat([Buffer.from([0xd7, 0xcd, 0xc6, 0x9a]), Buffer.alloc(30)])],
    ['too large', Buffer.concat([emf(), Buffer.alloc(5_000_000)])],
  ];
  for (const [name, bytes] of cases) t.equal(await drawMetafile(bytes), null, name);
  const many = emf(Array.from({ length: 20_000 }, (_, index) => ({ text: 'abc', x: index % 400, y: index % 300 })));
  t.equal(await drawMetafile(many, 20), null, 'a drawing that takes longer than its limit');
  t.ok(await drawMetafile(emf()), 'the next one is drawn');
  const start = performance.now();
  const seed = seedOfRun();
  t.comment(`SEED=${seed}`);
  const random = seeded(seed);
  for (let run = 0; run < 60; run += 1) {
    const bytes = Buffer.from(run % 2 ? emf(labels) : wmf(labels));
    for (let left = 0; left < 4; left += 1) bytes[Math.floor(random() * bytes.length)] = Math.floor(random() * 256);
    const drawn = await drawMetafile(bytes);
    if (drawn && !(drawn.width > 0 && drawn.width <= 4_000)) t.fail(`SEED=${seed}, run ${run}: ${drawn.width}`);
  }
  t.ok(performance.now() - start < 60_000, `${Math.round(performance.now() - start)} ms`);
});

t.test('a drawing of a Word document becomes a picture of its size; one that cannot be drawn is named', async (t) => {
  const vml = (id: string) => `<w:r><w:pict><v:shape><v:imagedata r:id="${id}"/></v:shape></w:pict></w:r>`;
  const file = await docx({
    body: p(r('a ') + vml('i1')) + p(r('b ') + vml('i2')),
    images: { i1: 'media/image1.emf', i2: 'media/image2.wmf' },
    files: { 'media/image1.emf': emf(labels), 'media/image2.wmf': Buffer.concat([wmf().subarray(0, 30), Buffer.alloc(10)]) },
  });
  const stored: Buffer[] = [];
  const { contenu, remarques } = await importDocument(file, async (bytes) => {
    stored.push(bytes);
    return { src: '/media/a.webp', width: 800, height: 600 };
  });
  t.equal(htmlOf(contenu), '<p>a <img src="/media/a.webp" alt="" width="400" height="300"></p><p>b</p>');
  t.equal(stored.length, 1);
  t.match(await imageLibrary()(stored[0]).metadata(), { format: 'png', width: 800 });
  t.match(remarques, [/^1 dessin au format EMF ou WMF de Windows, que le site ne sait pas dessiner/]);
});

t.test('drawings beyond the time of their document are named', async (t) => {
  const remarks = new Remarks();
  const kept = async () => ({ src: '/media/a.webp', width: 800, height: 600 });
  const intake = new ImageIntake(kept, remarks, 1);
  t.match(await intake.keep('one', () => emf()), { shownWidth: 400 });
  t.equal(await intake.keep('two', () => emf(labels)), null);
  t.match(remarks.list(), [/^1 dessin au format EMF ou WMF/]);
});
