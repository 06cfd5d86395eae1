import t from 'tap';
import { plainPng } from '../../../../../test/support/hostile-images.ts';
import { cell, formula, h, item, list, note, odt, p, picture, row, span, table } from '../../../../../test/support/odt-file.ts';
import { htmlOf, imported } from '../../../../../test/support/word-file.ts';

type Parts = Parameters<typeof odt>[0];

/** Returns the canonical HTML of a body, and the remarks of its import. */
async function read(body: string, more: Omit<Parts, 'body'> = {}) {
  const { contenu, corrige, titre, remarques } = await imported(await odt({ ...more, body }));
  return { html: htmlOf(contenu), corrige: corrige && htmlOf(corrige), titre, remarques };
}

const png = plainPng(4, 2);

t.test('headings by their level, with the number that the document shows', async (t) => {
  t.match(await read(h('Un') + h('Deux', 2) + h('Sept', 7)), {
    html: '<h1>Un</h1><h2>Deux</h2><h6>Sept</h6>',
    remarques: [/niveau 7 à 10/],
  });
  const level = (number: number, format: string) =>
    `<text:outline-level-style text:level="${number}" style:num-format="${format}" style:num-suffix="." text:display-levels="${number}"/>`;
  const numbered = await read(h('Suites') + h('Limites', 2) + h('Bornes', 2) + h('Séries'), { outline: level(1, 'I') + level(2, 'a') });
  t.equal(numbered.html, '<h1>I. Suites</h1><h2>I.a. Limites</h2><h2>I.b. Bornes</h2><h1>II. Séries</h1>');
  t.match(numbered.remarques, [/^4 titres numérotés/]);
});

t.test('emphasis from automatic, named and paragraph styles; spaces, tabs and line breaks', async (t) => {
  const { html } = await read(
    p(`${span('a', 'B')}${span('b', 'I')}${span('c', 'U')}${span('d', 'S')}x${span('2', 'Sup')}${span('n', 'Sub')}`) +
      p(`${span('r', 'Red')} ${span(`g${span('h', 'I')}`, 'Strong_20_Emphasis')} ${span('k', 'Source_20_Text')}`) +
      p(`e${span('f', 'Plain')}`, 'PB') +
      p('  deux\n mots <text:s text:c="2"/>puis<text:tab/>loin<text:line-break/>bas'),
  );
  t.equal(
    html,
    '<p><strong>a</strong><em>b</em><u>c</u><s>d</s>x<sup>2</sup><sub>n</sub></p>' +
      '<p><span class="color-red"><span class="bg-yellow">r</span></span> <strong>g</strong><em><strong>h</strong></em> <code>k</code></p>' +
      '<p><strong>e</strong>f</p><p>deux mots puis loin<br>bas</p>',
  );
});

t.test('paragraphs: alignment without page breaks, indentation, quotations, code, rules', async (t) => {
  const { html } = await read(
    p('a', 'PC') +
      p('b', 'PI') +
      p('c', 'Quotations') +
      p('d', 'Preformatted_20_Text') +
      p('e <text:s text:c="3"/>f', 'Preformatted_20_Text') +
      p('', 'Horizontal_20_Line') +
      p('g<text:soft-page-break/>h'),
  );
  t.equal(
    html,
    '<p class="align-center">a</p><p class="indent-2">b</p><blockquote><p>c</p></blockquote><pre><code>d\ne    f</code></pre><hr><p>gh</p>',
  );
});

t.test('lists keep labels, depth, starts and restarts', async (t) => {
  const nested = list(item(p('a') + list(item(p('b')) + item(p('c') + list(item(p('d')))))) + item(p('e') + p('e2')), 'L1');
  t.equal(
    (await read(nested)).html,
    '<ol><li>a<ol type="a" data-label="a)"><li>b</li><li>c<ol type="i" data-label="(i)"><li>d</li></ol></li></ol></li><li><p>e</p><p>e2</p></li></ol>',
  );
  t.equal(
    (await read(list(item(p('a')) + item(p('b'), 9) + item(p('c')), 'L5'))).html,
    '<ol type="A"><li>a</li></ol><ol start="9" type="A"><li>b</li><li>c</li></ol>',
  );
  const split = (more: string) => list(item(p('a')), 'L3', ' xml:id="x"') + p('entre') + list(item(p('b')), 'L3', more);
  const continued = '<ol start="5" data-label="(1)"><li>a</li></ol><p>entre</p><ol start="6" data-label="(1)"><li>b</li></ol>';
  t.equal((await read(split(' text:continue-numbering="true"'))).html, continued);
  t.equal((await read(split(' text:continue-list="x"'))).html, continued);
  t.equal((await read(split(''))).html, continued.replace('start="6"', 'start="5"'));
  t.equal((await read(list(item(p('a') + list(item(p('b')))), 'L2'))).html, '<ul><li>a<ul><li>b</li></ul></li></ul>');
});

t.test('a deeper list that starts on its own belongs to the item before it', async (t) => {
  const { html } = await read(list(item(p('a')), 'L1') + list(item(list(item(p('b')) + item(p('c')))), 'L1'));
  t.equal(html, '<ol><li>a<ol type="a" data-label="a)"><li>b</li><li>c</li></ol></li></ol>');
});

t.test('labels with words or of several levels, and lists without labels', async (t) => {
  t.match(await read(list(item(p('Calculer.')) + item(p('Montrer.')), 'L4')), {
    html: '<p class="indent-1">Exercice 1 : Calculer.</p><p class="indent-1">Exercice 2 : Montrer.</p>',
    remarques: [/^2 paragraphes numérotés avec des mots \(Exercice 1 :\)/],
  });
  t.match(await read(list(item(p('a') + list(item(p('b')))), 'L3')), {
    html: '<ol start="5" data-label="(1)"><li>a<ol><li>b</li></ol></li></ol>',
    remarques: [/5\.1 est devenu 1\./],
  });
  t.equal((await read(list(item(p('a')), 'L6'))).html, '<p class="indent-1">a</p>');
  t.match(await read(list(item(h('Titre')) + item(p('b')), 'L1')), { html: '<h1>1. Titre</h1><ol start="2"><li>b</li></ol>' });
});

t.test('tables: header rows, merged and repeated cells, widths', async (t) => {
  const columns = '<table:table-column table:style-name="Wide"/><table:table-column table:style-name="Thin"/>';
  const head = `<table:table-header-rows>${row(cell(p('n')) + cell(p('u')))}</table:table-header-rows>`;
  const merged = row(cell(p('a'), ' table:number-rows-spanned="2"') + cell(p('b'))) + row(`<table:covered-table-cell/>${cell(p('c'))}`);
  const across = row(
    `${cell(p('d'), ' table:number-columns-spanned="2"')}<table:covered-table-cell><text:p>caché</text:p></table:covered-table-cell>`,
  );
  const repeated = row(cell(p('z'), ' table:number-columns-repeated="2"'), ' table:number-rows-repeated="2"');
  const { html, remarques } = await read(table(columns + head + merged + across + repeated));
  t.equal(
    html.replaceAll(/<\/?div>/g, ''),
    '<table><thead><tr><th class="w-80">n</th><th class="w-20">u</th></tr></thead><tbody><tr><td rowspan="2">a</td><td>b</td></tr>' +
      '<tr><td>c</td></tr><tr><td colspan="2">d</td></tr><tr><td>z</td><td>z</td></tr><tr><td>z</td><td>z</td></tr></tbody></table>',
  );
  t.same(remarques, ['Texte caché sous une cellule fusionnée, non repris : caché']);
});

t.test('formulas: MathML, stretched brackets, displayed when alone; others by their source', async (t) => {
  const fence = (form: string, sign: string) => `<mo fence="true" form="${form}" stretchy="true">${sign}</mo>`;
  const { html, remarques } = await read(
    p(`Soit ${formula('Object 1')} <text:s/>ici`) +
      p(formula('Object 2')) +
      p(`Puis ${formula('Object 3')}`) +
      p(`Enfin ${formula('Rien')}.`),
    {
      formulas: {
        'Object 1': '<semantics><mfrac><mn>1</mn><mi>x</mi></mfrac><annotation encoding="StarMath 5.0">1 over x</annotation></semantics>',
        'Object 2': `<mrow>${fence('prefix', '{')}<mtable><mtr><mtd><mi>a</mi></mtd></mtr><mtr><mtd><mi>b</mi></mtd></mtr></mtable>${fence('postfix', '')}</mrow>`,
        'Object 3': `<semantics>${'<mrow>'.repeat(80)}<mi>x</mi>${'</mrow>'.repeat(80)}<annotation encoding="StarMath 5.0">{x}</annotation></semantics>`,
      },
    },
  );
  t.equal(
    html,
    '<p>Soit <span>[\\frac{1}{x}]</span> ici</p><div>[[\\left\\{ \\begin{matrix}a \\\\ b\\end{matrix} \\right.]]</div><p>Puis {x}</p><p>Enfin .</p>',
  );
  t.match(remarques, [
    '1 équation illisible, après « Puis » : son texte est repris, à retaper.',
    '1 objet incorporé (feuille de calcul, équation…), après « Enfin » : à refaire, ou à ajouter comme image.',
  ]);
});

t.test('pictures of the file with description and width; captions; what is outside is named with its place', async (t) => {
  const caption = `<draw:frame><draw:text-box>${p(`${picture('Pictures/a.png')}Figure 1 : une pile`, 'Figure')}</draw:text-box></draw:frame>`;
  const { html, remarques } = await read(
    p(`Avant ${picture('Pictures/a.png', { alt: 'Une pile' })}`) +
      p(caption) +
      p(`Voir ${picture('../ailleurs.png')}`) +
      p(picture('Pictures/absent.png')) +
      p('<draw:line/>Trait'),
    { files: { 'Pictures/a.png': png } },
  );
  t.equal(
    html,
    '<p>Avant <img src="/media/a.webp" alt="Une pile" width="96" height="48"></p>' +
      '<figure><img src="/media/a.webp" alt="" width="96" height="48"><figcaption>Figure 1 : une pile</figcaption></figure><p>Voir </p><p>Trait</p>'.replace(
        'Voir </p>',
        'Voir</p>',
      ),
  );
  t.match(remarques, [
    /^1 zone de texte/,
    '2 images liées, après « Voir », en début de paragraphe : hors du document : à ajouter.',
    /^1 forme dessinée \(trait, flèche, cadre…\), en début de paragraphe/,
  ]);
});

t.test('links, notes, changes, comments, hidden text, contents and page edges', async (t) => {
  const link = (href: string) => `<text:a xlink:href="${href}">ici</text:a>`;
  const { html, remarques } = await read(
    `<text:tracked-changes><text:changed-region><text:deletion>${p('supprimé')}</text:deletion></text:changed-region></text:tracked-changes>` +
      `<text:table-of-content><text:index-body>${p('Sommaire')}</text:index-body></text:table-of-content>` +
      p(`Un${note('Une note')} ${link('https://exemple.cm/')} ${link('#place')}<office:annotation>${p('relire')}</office:annotation>`) +
      p(`vu${span('caché', 'Hid')}`) +
      `<text:section text:display="none">${p('secret')}</text:section><text:section>${p('dans une section')}</text:section>`,
    { footer: 'Lycée' },
  );
  t.equal(
    html,
    '<p>Un<sup>[1]</sup> <a href="https://exemple.cm/">ici</a> ici</p><p>vu</p><p>dans une section</p>' +
      '<p><strong>Notes</strong></p><ol><li>Une note</li></ol>',
  );
  t.match(remarques, [
    /suivi des modifications/,
    /table des matières/,
    /d'un endroit à l'autre/,
    /commentaire/,
    /^2 passages masqués/,
    /pied de page/,
  ]);
});

t.test('the title is that of the style, else that of the properties; a correction is split off', async (t) => {
  t.match(await read(p('Les suites', 'Title') + p('Texte'), { title: 'Autre' }), { titre: 'Les suites', html: '<p>Texte</p>' });
  t.match(await read(p('Texte'), { title: 'Les séries' }), { titre: 'Les séries' });
  t.match(await read(p('Énoncé') + h('Corrigé') + p('Réponse')), { html: '<p>Énoncé</p>', corrige: '<p>Réponse</p>' });
});

t.test('other OpenDocument files and encrypted ones are refused with advice', async (t) => {
  const manifest =
    '<manifest:manifest xmlns:manifest="m"><manifest:file-entry><manifest:encryption-data/></manifest:file-entry></manifest:manifest>';
  await t.rejects(imported(await odt({ body: '', mimetype: 'application/vnd.oasis.opendocument.spreadsheet' })), {
    message: /n'est pas un texte/,
  });
  await t.rejects(imported(await odt({ body: '', files: { 'META-INF/manifest.xml': manifest } })), { message: /mot de passe/ });
  await t.rejects(imported((await odt({ body: p('a') })).subarray(0, 900)), { name: 'AppError', message: /illisible/ });
});

t.test('a logo on each of 120 pages is read once', async (t) => {
  const logo = Buffer.concat([png, Buffer.alloc(1_170_000)]);
  const { html, remarques } = await read(p(picture('Pictures/a.png')).repeat(120), { files: { 'Pictures/a.png': logo } });
  t.equal(html.split('<img').length, 121);
  t.same(remarques, []);
});
