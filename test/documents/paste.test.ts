import { globSync } from 'node:fs';
import { join } from 'node:path';
import type { Node } from 'prosemirror-model';
import sharp from 'sharp';
import t from 'tap';
import { projectRoot } from '../../src/platform/settings/project-root.ts';
import { until } from '../support/journey.ts';
import { lossesOf } from './losses.ts';
import { openEmptyLesson } from './open-editor.ts';
import { area, empty, give, measurePaste, paste, textOn, told } from './paste-in-editor.ts';

// Pastes and drops HTML of other programs, pictures and files into the real editor.

const page = await openEmptyLesson(t);
/** One route for the whole file, so that no request meets an interception that is being added or removed. */
let picturesAreLost = false;
await page.route('**/api/images', (route) => (picturesAreLost ? route.abort() : route.continue()));
const png = (
  await sharp({ create: { width: 8, height: 6, channels: 3, background: '#be0050' } })
    .png()
    .toBuffer()
).toString('base64');
const hex = Buffer.from(png, 'base64').toString('hex');
const file = (name: string, type = 'image/png') => ({ name, type, base64: png });

async function picturesOnPage(): Promise<Node[]> {
  const found: Node[] = [];
  (await textOn(page)).descendants((node) => {
    if (node.attrs.src) found.push(node);
  });
  return found;
}

const isStored = ({ attrs }: Node): boolean => attrs.src.startsWith('/media/');

/** Waits until all pictures of the text are stored; returns them. */
async function storedPictures(): Promise<Node[]> {
  let found: Node[] = [];
  await until(async () => {
    found = await picturesOnPage();
    return found.length > 0 && found.every(isStored);
  });
  return found;
}

t.test('pasting HTML of other programs loses nothing without a message', async (t) => {
  const paths = globSync('src/shared/rich-text/foreign/fixtures/*.html', { cwd: projectRoot }).sort();
  t.ok(paths.length > 5);
  for (const path of paths) {
    const measured = await measurePaste(page, join(projectRoot, path));
    t.same(
      lossesOf(measured).filter(({ reason }) => reason === null),
      [],
      measured.file,
    );
  }
});

t.test("Word's pictures come from the text beside its HTML", async (t) => {
  const html = `<p class=MsoNormal>Voir <img width=80 height=60 src="file:///C:/Temp/clip_image001.png" v:shapes="_x0000_i1025"> ici</p>`;
  const rtf = String.raw`{\rtf1{\*\shppict{\pict{\*\picprop}\picw8\pich6\pngblip ${hex}}}{\nonshppict{\pict\wmetafile8 0100}}}`;
  await paste(page, { types: { 'text/html': html, 'text/rtf': rtf, 'text/plain': 'Voir ici' } });
  const [picture, ...more] = await storedPictures();
  t.same(more, []);
  t.match(picture?.attrs, { width: 80, height: 60 });
  t.same(await told(page), [], 'no message about losses');
});

/** Returns a picture of one colour, as hexadecimal digits and as base64. */
async function coloured(background: string): Promise<{ hex: string; base64: string }> {
  const bytes = await sharp({ create: { width: 8, height: 6, channels: 3, background } })
    .png()
    .toBuffer();
  return { hex: bytes.toString('hex'), base64: bytes.toString('base64') };
}

/** Returns the text with the positions of the three pictures, which are recognised by their data URL before they are stored. */
function placesOf(doc: Node, pictures: readonly { base64: string }[]): string {
  let found = '';
  doc.descendants((node) => {
    if (node.isText) found += node.text;
    else if (node.attrs.src) found += `[${pictures.findIndex(({ base64 }) => node.attrs.src.endsWith(base64))}]`;
  });
  return found.replaceAll(/\s+/g, ' ').trim();
}

t.test("Word's pictures with text around them, turned, drawn only in VML or in a group arrive in their places", async (t) => {
  picturesAreLost = true;
  const three = await Promise.all(['#c00000', '#00c000', '#0000c0'].map(coloured));
  const [a, b, c] = three.map((picture) => picture.hex) as [string, string, string];
  const inLine = (digits: string, shape = '', size = '') =>
    String.raw`{\*\shppict{\pict{\*\picprop${shape}{\sp{\sn shapeType}{\sv 75}}}${size}\pngblip\bliptag-5 ${digits}}}{\nonshppict{\pict\wmetafile8 0100090000000000}}`;
  const shape = (digits: string, number = '', more = '') =>
    String.raw`{\shp{\*\shpinst\shpwr2${number}{\sp{\sn pib}{\sv {\pict\pngblip ${digits}}}}${more}}{\shprslt\par{\pict\wmetafile8 0100090000000000}}}`;
  const img = (shapes: string, size = '') =>
    `<![if !vml]><img ${size} src="file:///C:/Temp/clip_image001.png" v:shapes="${shapes}"><![endif]>`;
  const vml = (id: string, spid: string) =>
    `<!--[if gte vml 1]><v:shape id="${id}" o:spid="${spid}" alt="Une &quot;courbe&quot;" style='position:absolute;width:60pt;height:45pt'><v:imagedata src="file:///C:/Temp/a.png" o:title="x"/></v:shape><![endif]-->`;
  const inline = (number: number) => vml(`Image_x0020_${number}`, `_x0000_i${number}`) + img(`Image_x0020_${number}`);
  const cases: [string, string, string, string, RegExp[]][] = [
    [
      'text wraps around one picture',
      `${inline(1025)} un ${vml('Image_x0020_9', '_x0000_s1026')}${img('Image_x0020_9')} deux ${inline(1026)}`,
      inLine(a, '\\shplid1025') + shape(b, '\\shplid1026') + inLine(c, '\\shplid1026'),
      '[0] un [1] deux [2]',
      [],
    ],
    [
      'the one with text around it comes first in the RTF',
      `${inline(1025)} un ${vml('Image_x0020_9', '_x0000_s1030')}${img('Image_x0020_9')} deux ${inline(1026)}`,
      shape(b) + inLine(a) + inLine(c),
      '[0] un [1] deux [2]',
      [],
    ],
    [
      'one picture is rotated',
      `${inline(1025)} un ${inline(1026)} deux ${inline(1027)}`,
      inLine(a) + shape(b, '', String.raw`{\sp{\sn rotation}{\sv 5898240}}{\sp{\sn fPseudoInline}{\sv 1}}`) + inLine(c),
      '[0] un [1] deux [2]',
      [],
    ],
    ['nothing tells their shapes', `${img('')} un ${img('')} deux ${img('')}`, inLine(a) + shape(b) + inLine(c), '[0] un [1] deux [2]', []],
    [
      'one is drawn in VML only',
      `${inline(1025)} un ${vml('Image_x0020_2', '_x0000_i1026')} deux ${inline(1027)}`,
      inLine(a) + inLine(b) + inLine(c),
      '[0] un [1] deux [2]',
      [],
    ],
    [
      'the RTF lacks one, and numbers tell which',
      `${inline(1025)} un ${inline(1026)} deux ${inline(1027)}`,
      inLine(a, '\\shplid1025') + inLine(c, '\\shplid1027'),
      '[0] un deux [2]',
      [/^Une image .*à ajouter à la main/],
    ],
    [
      'the RTF lacks one, and sizes tell which',
      `${img('', 'width=10 height=20')} un ${img('', 'width=30 height=40')} deux ${img('', 'width=50 height=60')}`,
      inLine(a, '', String.raw`\picwgoal150\pichgoal300`) + inLine(c, '', String.raw`\picwgoal750\pichgoal900`),
      '[0] un deux [2]',
      [/^Une image .*à ajouter à la main/],
    ],
    [
      'pictures that cannot be matched with the RTF',
      `un ${img('')} deux ${vml('Image_x0020_2', '_x0000_i1026')} trois`,
      '',
      'un deux trois',
      [/^2 images .*à ajouter à la main/],
    ],
    [
      'two pictures are in a group',
      `un <!--[if gte vml 1]><v:group id="g" o:spid="_x0000_s1030"><v:shape id="h" o:spid="_x0000_s1031"><v:imagedata src="file:///C:/h.png"/></v:shape>
        <v:shape id="k" o:spid="_x0000_s1032"><v:imagedata src="file:///C:/k.png"/></v:shape></v:group><![endif]-->${img('g h k')} deux ${inline(1025)}`,
      String.raw`{\shpgrp{\*\shpinst\shplid1030${shape(a, '\\shplid1031')}${shape(b, '\\shplid1032')}}}${inLine(c, '\\shplid1025')}`,
      'un [0][1] deux [2]',
      [],
    ],
  ];
  for (const [name, content, rtf, expected, notes] of cases) {
    const doc = await paste(page, {
      types: { 'text/html': `<p class=MsoNormal>mot ${content}</p>`, 'text/rtf': `{\\rtf1 ${rtf}}`, 'text/plain': 'mot' },
    });
    t.equal(placesOf(doc, three).replace(/^mot ?/, ''), expected, name);
    const said = (await told(page)).filter((text) => !/avec le texte\.$/.test(text));
    t.match(said, notes, name);
    t.equal(said.length, notes.length, `${name}: ${said}`);
  }
  picturesAreLost = false;
});

t.test('a screenshot, and pictures that are dropped, become figures', async (t) => {
  await paste(page, { files: [file('image.png')] });
  t.match(await storedPictures(), [{ type: { name: 'figure' }, attrs: { width: 8, height: 6 } }]);
  await empty(page);
  await give(page, 'drop', { files: [file('a.png'), file('b.png')] });
  await until(async () => (await storedPictures()).length === 2);
  await give(page, 'drop', { files: [file('cours.pdf', 'application/pdf')] });
  await until(async () => (await told(page)).length > 0);
  t.match(await told(page), ['Seules les images peuvent être déposées dans le texte.']);
});

t.test("a picture that cannot be sent stays, and a picture of Safari's is read", async (t) => {
  picturesAreLost = true;
  const [doc] = await Promise.all([
    paste(page, { types: { 'text/html': `<p>Avant <img src="data:image/png;base64,${png}" alt="Carré"></p>`, 'text/plain': 'Avant' } }),
    page.waitForEvent('requestfailed', (request) => request.url().endsWith('/api/images')),
  ]);
  t.match(doc.firstChild?.lastChild?.attrs, { src: /^data:image\/png/, alt: 'Carré' });
  await until(async () => (await told(page)).length > 0);
  t.match(await told(page), [/avec le texte\.$/]);
  t.match((await textOn(page)).firstChild?.lastChild?.attrs.src, /^data:/);
  picturesAreLost = false;

  const blob = await page.evaluate(
    (base64) => URL.createObjectURL(new Blob([Uint8Array.from(atob(base64), (byte) => byte.charCodeAt(0))], { type: 'image/png' })),
    png,
  );
  await paste(page, { types: { 'text/html': `<p>Photo <img src="${blob}"></p>`, 'text/plain': 'Photo' } });
  t.equal((await storedPictures()).length, 1);
});

t.test('a picture whose data cannot be read does not hold up the others', async (t) => {
  const pictures = `<img src="data:image/png;base64,AAAAA"> <img src="data:image/png;base64,${png}">`;
  await paste(page, { types: { 'text/html': `<p>Photos ${pictures}</p>`, 'text/plain': 'Photos' } });
  await until(async () => (await picturesOnPage()).some(isStored));
  t.match(
    (await picturesOnPage()).map(({ attrs }) => attrs.src),
    ['data:image/png;base64,AAAAA', /^\/media\//],
  );
  await until(async () => (await told(page)).length > 0);
  t.match(await told(page), [/Une image sera envoyée avec le texte\.$/]);
});

t.test('a first block keeps its type in an empty paragraph', async (t) => {
  const html = '<p style="text-align:center">au milieu</p>';
  const doc = await paste(page, { types: { 'text/html': html, 'text/plain': 'au milieu' } });
  t.match(doc.toJSON().content, [{ type: 'paragraph', attrs: { align: 'center' } }]);
  t.match((await paste(page, { types: { 'text/html': '<ul><li>un</li></ul>', 'text/plain': 'un' } })).firstChild?.type.name, 'bullet_list');
});

t.test('a copy from our own editor is pasted unchanged, with formulas as LaTeX in its plain text', async (t) => {
  const html = '<h3>Suites</h3><p dir="rtl">a <span data-latex="u_n">u</span></p><ol start="4"><li>quatre</li></ol>';
  const before = await paste(page, { types: { 'text/html': html, 'text/plain': '' } });
  await page.keyboard.press('Control+A');
  const copied = await area(page).evaluate((element) => {
    const clipboardData = new DataTransfer();
    element.dispatchEvent(new ClipboardEvent('copy', { clipboardData, bubbles: true, cancelable: true }));
    return { html: clipboardData.getData('text/html'), text: clipboardData.getData('text/plain') };
  });
  t.match(copied.text, '$u_n$');
  const after = await paste(page, { types: { 'text/html': copied.html, 'text/plain': copied.text } });
  t.same(after.toJSON(), before.toJSON());
});

t.test('text without formatting stays as it is', async (t) => {
  const doc = await paste(page, { types: { 'text/plain': '# Titre\n- un\nsoit $x^2$' } });
  t.same(
    doc.toJSON().content.map(({ type, content }: { type: string; content: { text: string }[] }) => [type, content[0]?.text]),
    [
      ['paragraph', '# Titre'],
      ['paragraph', '- un'],
      ['paragraph', 'soit $x^2$'],
    ],
  );
});

t.test('pasted scripts do not run', async (t) => {
  const html = `<p>avant <img src=x onerror="window.ran=1"><svg onload="window.ran=2"></svg><a href="javascript:window.ran=3">lien</a><script>window.ran=4</script></p>
    <iframe srcdoc="<script>parent.ran=5</script>"></iframe><style>p{background:url(javascript:window.ran=6)}</style><p onclick="window.ran=7">après</p>`;
  const doc = await paste(page, { types: { 'text/html': html, 'text/plain': 'avant' } });
  t.equal(doc.textContent, 'avant lienaprès');
  await area(page).getByText('après').click();
  t.equal(await page.evaluate(() => (window as unknown as { ran?: number }).ran), undefined);
});
