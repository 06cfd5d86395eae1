import t from 'tap';
import { PNG } from '../../../../../test/support/content-folder.ts';
import { htmlOf, imported } from '../../../../../test/support/word-file.ts';
import { lex } from './dialect.ts';

async function read(source: string) {
  const { contenu, corrige, titre, remarques } = await imported(Buffer.from(source));
  return { html: htmlOf(contenu), corrige: corrige && htmlOf(corrige), titre, remarques };
}

t.test('the dialect of the content folder', async (t) => {
  t.same(await read('---\ntitre: Les suites\n---\n## Un\n\nSoit $u_n$.\n\n$$x^2$$\n\n<!-- corrigé -->\n\nFin.'), {
    titre: 'Les suites',
    html: '<h2>Un</h2><p>Soit <span>[u_n]</span>.</p><div>[[x^2]]</div>',
    corrige: '<p>Fin.</p>',
    remarques: ['Le texte qui suit le titre « Corrigé » est devenu le corrigé.'],
  });
  t.equal(
    (await read('| a | b |\n|:-:|--:|\n| 1 | $x$ |')).html.replaceAll(/<\/?(?:div|thead|tbody|tr)>/g, ''),
    '<table><th><p class="align-center">a</p></th><th><p class="align-right">b</p></th>' +
      '<td><p class="align-center">1</p></td><td><p class="align-right"><span>[x]</span></p></td></table>',
  );
});

t.test('content that the folder would refuse is kept, and reported with its line', async (t) => {
  const cases: [string, string, RegExp[]][] = [
    ['a\n\n# Un\n\n#### Deux', '<p>a</p><h1>Un</h1><h4>Deux</h4>', []],
    ['- [ ] a\n- [x] b', '<ul><li>☐ a</li><li>☒ b</li></ul>', [/^Ligne 1 : Case à cocher/, /^Ligne 2/]],
    ['- [ ] a\n- [x] b\n\n  c', '<ul><li>☐ a</li><li><p>☒ b</p><p>c</p></li></ul>', [/^Ligne 1 : Case à cocher/, /^Ligne 2 : Case/]],
    [
      'a\n\nSoit $\\foo$ et 5 $.',
      '<p>a</p><p>Soit $\\foo$ et 5 $.</p>',
      [/^Ligne 3 : Formule incorrecte/, /^Ligne 3 : Formule non fermée/],
    ],
    [
      '[a](https://a.cm "b") [c](javascript:d)',
      '<p><a href="https://a.cm">a</a> c</p>',
      [/^Ligne 1 : Le titre d'un lien/, /^Ligne 1 : Lien retiré/],
    ],
    ['a\n\n<!-- note -->\n\nb', '<p>a</p><p>b</p>', [/^Ligne 3 : Commentaire laissé de côté/]],
    [
      'a\n\n![Une courbe](courbe.png "De $f$")',
      '<p>a</p><p>De <span>[f]</span></p>',
      [/^Ligne 3 : Image à ajouter.*courbe\.png \(Une courbe\)/],
    ],
    ['a ![b](c.png) d', '<p>a d</p>', [/^Ligne 1 : Image à ajouter/]],
    ['![b](https://a.cm/c.png)', '<figure><img src="https://a.cm/c.png" alt="b"></figure>', []],
    ['## Avec $$x$$', '<h2>Avec <span>[x]</span></h2>', [/^Ligne 1 : Une formule hors texte/]],
    ['<p style="text-align:center"><font color="red">a</font></p>', '<p class="align-center"><span class="color-red">a</span></p>', []],
    ['<section><p>a</p><p onclick="b()">c</p></section>', '<p>a</p><p>c</p>', []],
    ['a <u>b</u> <script>alert(1)</script>c', '<p>a <u>b</u> c</p>', []],
  ];
  for (const [source, html, remarks] of cases) {
    const result = await read(source);
    t.equal(result.html, html, source);
    t.match(result.remarques, remarks, source);
    if (!source.includes('script')) t.equal(result.remarques.length, remarks.length, result.remarques.join('\n'));
  }
});

t.test('a picture in the text itself is stored', async (t) => {
  const { html } = await read(`![a](data:image/png;base64,${PNG.toString('base64')} "b")`);
  t.equal(html, '<figure><img src="/media/a.webp" alt="a" width="400" height="200"><figcaption>b</figcaption></figure>');
});

t.test('the title: of the front matter, or a first heading of the first level', async (t) => {
  const first = await read('# Les suites : un TD\n\na');
  t.match([first.titre, first.html], ['Les suites un TD', '<p>a</p>']);
  t.equal(first.remarques.length, 2, 'one remark for the title, one for its adaptation');
  t.match(await read('# Un\n\na\n\n# Deux'), { titre: null, html: '<h1>Un</h1><p>a</p><h1>Deux</h1>' });
  const head = await read('---\ntitle: "Les suites"\nauteur: Moi\n---\na');
  t.match(head, { titre: 'Les suites', html: '<p>a</p>', remarques: [/^Ligne 3 : .*auteur : Moi/] });
  t.equal((await read('---\n\na: pas un en-tête ; b\n')).html, '<hr><p>a: pas un en-tête ; b</p>');
});

t.test('a file in another encoding is read, with a remark', async (t) => {
  const { contenu, remarques } = await imported(Buffer.from('été\r\n\r\nfin', 'latin1'));
  t.equal(htmlOf(contenu), '<p>été</p><p>fin</p>');
  t.match(remarques, [/UTF-8/]);
});

t.test('cells beyond the header of a table get columns of their own', async (t) => {
  const { html, remarques } = await read('| a | b |\n|---|---|\n| 1 | 2 | surplus |\n| seul |\n| x \\| y | z |');
  t.match(html, /<tr><td>1<\/td><td>2<\/td><td>surplus<\/td><\/tr><tr><td>seul<\/td><td><\/td><td><\/td><\/tr>/);
  t.match(html, /<td>x \| y<\/td><td>z<\/td><td><\/td>/);
  t.match(remarques, [/^Ligne 3 : .*plus de cellules/]);
  t.equal(remarques.length, 1, 'rows with fewer cells cause no remark');
});

t.test('notes are placed at the end of the text that refers to them', async (t) => {
  const notes = '[^a]: Une *note*\n    sur deux lignes\n[^b]: Deux\n[^c]: Orpheline\n';
  const expected = {
    html: '<p>A<sup>[1]</sup>.</p><p><strong>Notes</strong></p><ol><li>Une <em>note</em> sur deux lignes</li></ol>',
    corrige: '<p>B<sup>[1]</sup> [^absente]</p><p>[^c]:</p><p>Orpheline</p><p><strong>Notes</strong></p><ol><li>Deux</li></ol>',
  };
  for (const mark of ['<!-- corrigé -->', '## Corrigé']) {
    const { remarques, ...texts } = await read(`A[^a].\n\n${mark}\n\nB[^b] [^absente]\n\n${notes}`);
    t.match(texts, expected, mark);
    t.match(remarques, [/^Ligne 5 : .*\[\^absente\]/, /^Ligne 10 : .*\[\^c\]/]);
  }
});

t.test('unused definitions and dropped content are reported', async (t) => {
  const cases: [string, string, RegExp[]][] = [
    ['H~2~O et ~~non~~', '<p>H~2~O et <s>non</s></p>', []],
    ['a\n\n<script>\nb()\n</script>\n\n<style>p{}</style>', '<p>a</p>', [/^Ligne 3 : .*<script> b\(\)/, /^Ligne 7 : .*<style>/]],
    ['a <? php ?> b', '<p>a b</p>', [/^Ligne 1 : .*<\? php \?>/]],
    ['[Voir](note.md)', '<p>Voir</p>', [/^Ligne 1 : Lien retiré \(note\.md\), son texte reste : Voir$/]],
    ['[a]: https://a.cm\n\nb', '<p>b</p>', [/^Ligne 1 : .*https:\/\/a\.cm/]],
    ['[b][a]\n\n[a]: https://a.cm', '<p><a href="https://a.cm">b</a></p>', []],
    ['<abbr title="Lycée">L</abbr>', '<p>L</p>', [/Lycée/]],
    ['```{.python .x}\na\n```', '<pre><code class="language-python">a</code></pre>', [/^Ligne 1 : .*\{\.python \.x\}/]],
    ['a\n\n<!-- ouvert\n\nb', '<p>a</p><p>&lt;!-- ouvert b</p>', [/^Ligne 3 : Balise jamais fermée/]],
    ['a <script> b\n\nc', '<p>a &lt;script&gt; b</p><p>c</p>', []],
    ['a <video src="x"> b', '<p>a b</p>', [/<video>/]],
    ['Prix 5$ et 6$ et $x$', '<p>Prix 5$ et 6$ et <span>[x]</span></p>', [/^Ligne 1 : Signe dollar/]],
  ];
  for (const [source, html, remarks] of cases) {
    const result = await read(source);
    t.equal(result.html, html, source);
    t.match(result.remarques, remarks, source);
    t.equal(result.remarques.length, remarks.length, `${source}: ${result.remarques}`);
  }
});

t.test('formulas between the delimiters of TeX', async (t) => {
  t.same(await read('Soit \\(x_1*y_1*z\\) et \\[1\\] `\\(x\\)`.\n\n\\[\n\\frac{1}{2}\n\\]\n\n\\begin{align}a&=b\\end{align}'), {
    titre: null,
    html: '<p>Soit <span>[x_1*y_1*z]</span> et [1] <code>\\(x\\)</code>.</p><div>[[\\frac{1}{2}]]</div><div>[[\\begin{align}a&amp;=b\\end{align}]]</div>',
    corrige: null,
    remarques: [],
  });
});

t.test('a front matter with lists in it', async (t) => {
  t.match(await read('---\ntitre: Les suites\ntags:\n  - a\n  - b\n---\nc'), {
    titre: 'Les suites',
    html: '<p>c</p>',
    remarques: [/^Ligne 3 : .*tags : - a - b/],
  });
});

t.test('UTF-16 is refused with its name', async (t) => {
  await t.rejects(imported(Buffer.from('\ufeffété', 'utf16le')), { status: 400, message: /UTF-16/ });
});

t.test('an unclosed sign does not cause a search to the end of the text', async (t) => {
  for (const sign of ['\\begin{align} ', '~~a~ ', '\\[ ', '[^a ']) {
    const { user } = process.cpuUsage();
    lex(sign.repeat(20_000));
    t.ok(process.cpuUsage().user - user < 1.5e6, `microseconds for ${sign}`);
  }
  const read = lex('~~a~ b~~ c $x$ [d[^1] `~~`e~~f~~ ~~g\n\n[^1]: h')[0];
  t.same(read && 'tokens' in read && read.tokens?.map(({ type }) => type), [
    'del',
    'text',
    'formula',
    'text',
    'noteReference',
    'text',
    'codespan',
    'text',
    'del',
    'text',
  ]);
});

t.test('thousands of dollars in one paragraph take linear time', async (t) => {
  for (const line of ['$a\n', '$$a\n']) {
    const { user } = process.cpuUsage();
    await imported(Buffer.from(line.repeat(30_000 / line.length))).catch(() => {});
    t.ok(process.cpuUsage().user - user < 3e6, '30,000 characters of dollars take less than 3 s of processor time');
  }
});
