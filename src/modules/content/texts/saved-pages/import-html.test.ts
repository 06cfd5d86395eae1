import JSZip from 'jszip';
import t from 'tap';
import { plainPng } from '../../../../../test/support/hostile-images.ts';
import { htmlOf, imported } from '../../../../../test/support/word-file.ts';

const png = plainPng(4, 2);
const data = `data:image/png;base64,${png.toString('base64')}`;

async function read(source: string | Buffer) {
  const { contenu, corrige, titre, remarques } = await imported(Buffer.from(source as string));
  return { html: htmlOf(contenu), corrige: corrige && htmlOf(corrige), titre, remarques };
}

const page = (body: string, head = '') => `<!DOCTYPE html>\n<html><head><meta charset="utf-8">${head}</head><body>${body}</body></html>`;

t.test('the title is the only first heading at the start, else that of the page', async (t) => {
  t.match(await read(page('<h1>Les suites</h1><p>Une suite.</p>', '<title>Site</title>')), {
    titre: 'Les suites',
    html: '<p>Une suite.</p>',
    remarques: [/^Le premier titre/],
  });
  t.match(await read(page('<p>a</p><h1>b</h1>', '<title>Suites &eacute;tranges</title>')), {
    titre: 'Suites étranges',
    html: '<p>a</p><h1>b</h1>',
  });
  t.match(await read(page('<p class="c1 title"><span>Les s&eacute;ries</span></p><p>a</p>')), { titre: 'Les séries', html: '<p>a</p>' });
  t.match(await read(page('<p>Énoncé</p><h2>Corrigé</h2><p>Réponse</p>')), { html: '<p>Énoncé</p>', corrige: '<p>Réponse</p>' });
});

t.test('scripts and styles never show; formulas of MathJax, MathML and TeX do', async (t) => {
  const { html } = await read(
    page(
      '<script>document.write("<p>absent</p>")</script><p>Soit <script type="math/tex">x^2</script>, <math><mfrac><mn>1</mn><mi>n</mi></mfrac></math> et \\(y_1\\).</p>' +
        '<p>\\[z=1\\]</p><style>p { content: "absent" }</style><svg><script>absent</script></svg><p onclick="absent()">fin</p>',
      '<script src="https://exemple.cm/mathjax.js"></script>',
    ),
  );
  t.equal(html, '<p>Soit <span>[x^2]</span>, <span>[\\frac{1}{n}]</span> et <span>[y_1]</span>.</p><div>[[z=1]]</div><p>fin</p>');
});

t.test('encodings: the mark, the meta element, UTF-8, and a guess that is named', async (t) => {
  const body = (charset: string) => `<html><head>${charset}</head><body><p>Été œuvre</p></body></html>`;
  const html = '<p>Été œuvre</p>';
  const windows = (text: string) => Buffer.from(text.replaceAll('œ', '\u009c'), 'latin1');
  t.match(await read(Buffer.from(`\uFEFF${body('<meta charset="windows-1252">')}`)), { html, remarques: [] });
  t.match(await read(Buffer.from(`\uFEFF${body('')}`, 'utf16le')), { html, remarques: [] });
  t.match(await read(windows(body('<meta http-equiv="Content-Type" content="text/html; charset=iso-8859-1">'))), { html, remarques: [] });
  t.match(await read(body('')), { html, remarques: [] });
  t.match(await read(windows(body('<meta charset="utf-8">'))), { html, remarques: [/UTF-8/] });
  t.match(await read(windows(body('<meta charset="inconnu">'))), { html, remarques: [/UTF-8/] });
});

t.test('pictures: in the page, on another site, and missing ones by name', async (t) => {
  const { html, remarques } = await read(
    page(
      `<p>a <img src="${data}" alt="Pile"> <img src="https://exemple.cm/b.png"> <img src="c_files/d.png" alt="Absente"><img src="${data}" width="10"></p>`,
    ),
  );
  t.equal(
    html,
    '<p>a <img src="/media/a.webp" alt="Pile" width="400" height="200"> <img src="https://exemple.cm/b.png" alt=""> <img src="/media/a.webp" alt="" width="10"></p>',
  );
  t.same(remarques, ["Image à ajouter, elle n'est pas dans le fichier : c_files/d.png (Absente)"]);
});

t.test('remarks hold no half of a character, and are as many as a save shows', async (t) => {
  const [remark = ''] = (await read(page(`<p>mot</p><img src="p.png" alt="${'a'.repeat(79)}😀">`))).remarques;
  t.match(remark, /^Image à ajouter.*p\.png \(a+\)$/);
  t.ok(remark.isWellFormed());
  const missing = (count: number) => page(`<p>a</p>${Array.from({ length: count }, (_, index) => `<img src="${index}.png">`).join('')}`);
  const { remarques } = await read(missing(1_000));
  t.match([remarques.length, remarques.at(-1)], [51, 'Et 950 autres remarques.']);
  t.match((await read(missing(51))).remarques.at(-1), /50\.png/, 'the last place tells a remark rather than that there is one');
});

t.test("links and pictures relative to the page's site are completed", async (t) => {
  const saved = '<!-- saved from url=(0026)https://exemple.cm/cours/a -->';
  t.equal(
    (await read(`<!DOCTYPE html>${saved}<html><body><p><a href="b">b</a></p></body></html>`)).html,
    '<p><a href="https://exemple.cm/cours/b">b</a></p>',
  );
  t.equal((await read(page('<p><a href="javascript:x()">b</a></p>', '<base href="https://exemple.cm/">'))).html, '<p>b</p>');
});

t.test("Google Docs' archive, and a browser's folder in an archive, bring their pictures", async (t) => {
  const zip = (files: Record<string, string | Buffer>) => {
    const archive = new JSZip();
    for (const [name, content] of Object.entries(files)) archive.file(name, content);
    return archive.generateAsync({ type: 'nodebuffer', compression: 'DEFLATE' });
  };
  const image = '<img src="/media/a.webp" alt="" width="400" height="200">';
  const google = await zip({ 'Lecon.html': '<html><body><p>a <img src="images/image1.png"></p></body></html>', 'images/image1.png': png });
  t.match(await read(google), { html: `<p>a ${image}</p>`, remarques: [] });
  const saved = await zip({
    'Cours/La pile.html': `<!DOCTYPE html><meta charset="windows-1252"><p>a <img src='./La%20pile_files/d.png?x=1'></p>`,
    'Cours/La pile_files/d.png': png,
    'Cours/La pile_files/cadre.html': '<html>absent</html>',
    '__MACOSX/Cours/._La pile.html': 'x',
  });
  t.match(await read(saved), { html: `<p>a ${image}</p>`, remarques: [] });
  const repeated = await zip({
    'a.html': `<html><body><p><img src="p.png"> <img src='./p.png?v=2'></p><p><img src=p.png></p></body></html>`,
    'p.png': png,
  });
  t.match(await read(repeated), { html: `<p>${image} ${image}</p><p>${image}</p>`, remarques: [] });
  const large = Object.fromEntries(Array.from({ length: 5 }, (_, index) => [`${index}.png`, Buffer.alloc(9_000_000)]));
  const shown = Object.keys(large).map((name) => `<img src="${name}">`);
  await t.rejects(read(await zip({ 'a.html': `<html>${shown.join('')}</html>`, ...large })), {
    name: 'AppError',
    message: /dépassent 40 Mo/,
  });
  const often = await zip({ 'a.html': `<html><p>a</p>${'<img src="p.png">'.repeat(20_000)}</html>`, 'p.png': Buffer.alloc(100_000) });
  t.equal((await read(often)).html.split('<img').length, 20_001, 'the page holds the picture once');
  const page = '<html><body>a</body></html>';
  await t.rejects(read(await zip({ 'a.html': page, 'b.html': page })), { message: /2 pages/ });
  await t.rejects(read(await zip({ 'a.csv': 'x' })), { message: /ni document Word, ni texte OpenDocument/ });
});

t.test('a page made to exhaust the server is refused, or read soon', async (t) => {
  const start = performance.now();
  const hostile = [
    `<!DOCTYPE html>${'<script>'.repeat(300_000)}`,
    `<html>${'<div>'.repeat(20_000)}`,
    `<!DOCTYPE html>${'<!--a-->'.repeat(200)}${'<img src=a '.repeat(100_000)}`,
    `${'<!---->'.repeat(250)}<p>a`,
    `<html>${'<p>a</p>'.repeat(70_000)}`,
    `<html><title>${'<title>'.repeat(100_000)}`,
    `<html>\\(${'\\('.repeat(100_000)}`,
    `<html>${'a'.repeat(4_000_000)}`,
    `<html><table>${'<tr><td>'.repeat(25_000)}`,
  ];
  for (const [index, source] of hostile.entries()) {
    const refusal = await read(source).then(
      () => null,
      (error: Error) => error.name,
    );
    t.ok(refusal === null || refusal === 'AppError', `${index}: ${refusal}`);
  }
  t.ok(performance.now() - start < 60_000, `${Math.round(performance.now() - start)} ms`);
});
