import t from 'tap';
import { PNG } from '../../seed/test-folder.ts';
import { htmlOf, imported } from '../test-docx.ts';

async function read(source: string) {
  const { contenu, corrige, titre, remarques } = await imported(Buffer.from(source), 'a.md');
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

t.test('what the folder would refuse is carried over, and named with its line', async (t) => {
  const cases: [string, string, RegExp[]][] = [
    ['a\n\n# Un\n\n#### Deux', '<p>a</p><h1>Un</h1><h4>Deux</h4>', []],
    ['- [ ] a\n- [x] b', '<ul><li>☐ a</li><li>☒ b</li></ul>', [/^Ligne 1 : Case à cocher/, /^Ligne 2/]],
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
  t.equal(first.remarques.length, 2, 'both that it is the title, and that it was adapted');
  t.match(await read('# Un\n\na\n\n# Deux'), { titre: null, html: '<h1>Un</h1><p>a</p><h1>Deux</h1>' });
  const head = await read('---\ntitle: "Les suites"\nauteur: Moi\n---\na');
  t.match(head, { titre: 'Les suites', html: '<p>a</p>', remarques: [/^Ligne 3 : .*auteur : Moi/] });
  t.equal((await read('---\n\na: pas un en-tête ; b\n')).html, '<hr><p>a: pas un en-tête ; b</p>');
});

t.test('a file of another encoding is read, and that is said', async (t) => {
  const { contenu, remarques } = await imported(Buffer.from('été\r\n\r\nfin', 'latin1'), 'a.txt');
  t.equal(htmlOf(contenu), '<p>été</p><p>fin</p>');
  t.match(remarques, [/UTF-8/]);
});
