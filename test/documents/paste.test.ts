import { globSync } from 'node:fs';
import { join } from 'node:path';
import type { Node } from 'prosemirror-model';
import sharp from 'sharp';
import t from 'tap';
import { projectRoot } from '../../src/platform/paths.ts';
import { until } from '../support/journey.ts';
import { lossesOf } from './losses.ts';
import { openEmptyLesson } from './open-editor.ts';
import { area, empty, give, measurePaste, paste, textOn, told } from './paste-in-editor.ts';

// Other programs' HTML, pictures and files, pasted and dropped into the real editor.

const page = await openEmptyLesson(t);
const png = (
  await sharp({ create: { width: 8, height: 6, channels: 3, background: '#be0050' } })
    .png()
    .toBuffer()
).toString('base64');
const hex = Buffer.from(png, 'base64').toString('hex');
const file = (name: string, type = 'image/png') => ({ name, type, base64: png });

/** The pictures of the text, when all of them are stored. */
async function storedPictures(): Promise<Node[]> {
  let found: Node[] = [];
  await until(async () => {
    found = [];
    (await textOn(page)).descendants((node) => {
      if (node.attrs.src) found.push(node);
    });
    return found.length > 0 && found.every(({ attrs }) => attrs.src.startsWith('/media/'));
  });
  return found;
}

t.test('what programs put on the clipboard loses nothing in silence', async (t) => {
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
  t.same(await told(page), [], 'nothing is lost');
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
  await page.route('**/api/images', (route) => route.abort());
  const doc = await paste(page, {
    types: { 'text/html': `<p>Avant <img src="data:image/png;base64,${png}" alt="Carré"></p>`, 'text/plain': 'Avant' },
  });
  t.match(doc.firstChild?.lastChild?.attrs, { src: /^data:image\/png/, alt: 'Carré' });
  await until(async () => (await told(page)).length > 0);
  t.match(await told(page), [/avec le texte\.$/]);
  t.match((await textOn(page)).firstChild?.lastChild?.attrs.src, /^data:/);
  await page.unroute('**/api/images');

  const blob = await page.evaluate(
    (base64) => URL.createObjectURL(new Blob([Uint8Array.from(atob(base64), (byte) => byte.charCodeAt(0))], { type: 'image/png' })),
    png,
  );
  await paste(page, { types: { 'text/html': `<p>Photo <img src="${blob}"></p>`, 'text/plain': 'Photo' } });
  t.equal((await storedPictures()).length, 1);
});

t.test('a first block keeps what it is in an empty paragraph', async (t) => {
  const html = '<p style="text-align:center">au milieu</p>';
  const doc = await paste(page, { types: { 'text/html': html, 'text/plain': 'au milieu' } });
  t.match(doc.toJSON().content, [{ type: 'paragraph', attrs: { align: 'center' } }]);
  t.match((await paste(page, { types: { 'text/html': '<ul><li>un</li></ul>', 'text/plain': 'un' } })).firstChild?.type.name, 'bullet_list');
});

t.test('a copy of our own comes back as it was, and says formulas as LaTeX', async (t) => {
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

t.test('nothing that is pasted runs', async (t) => {
  const html = `<p>avant <img src=x onerror="window.ran=1"><svg onload="window.ran=2"></svg><a href="javascript:window.ran=3">lien</a><script>window.ran=4</script></p>
    <iframe srcdoc="<script>parent.ran=5</script>"></iframe><style>p{background:url(javascript:window.ran=6)}</style><p onclick="window.ran=7">après</p>`;
  const doc = await paste(page, { types: { 'text/html': html, 'text/plain': 'avant' } });
  t.equal(doc.textContent, 'avant lienaprès');
  await area(page).getByText('après').click();
  t.equal(await page.evaluate(() => (window as unknown as { ran?: number }).ran), undefined);
});
