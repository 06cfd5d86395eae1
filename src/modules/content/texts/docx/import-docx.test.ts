import t from 'tap';
import { plainPng } from '../../../../../test/support/hostile-images.ts';
import { htmlOf, imported, item, p, picture, r, style } from '../../../../../test/support/word-file.ts';

/** Returns the canonical HTML of a body, and the remarks of its import. */
async function read(body: string, more: Omit<Parameters<typeof imported>[0] & object, 'body'> = {}) {
  const { contenu, corrige, titre, remarques } = await imported({ ...more, body });
  return { html: htmlOf(contenu), corrige: corrige && htmlOf(corrige), titre, remarques };
}

t.test('headings are recognised by the properties of their style, not by its name', async (t) => {
  const { html, remarques } = await read(
    p(r('Un'), style('Titre1')) +
      p(r('Deux', '<w:color w:val="FF0000"/>'), style('Titre2')) +
      p(r('Trois'), style('Partie')) +
      p(r('Quatre'), style('Plan')),
  );
  t.equal(html, '<h1>Un</h1><h2><span class="color-red">Deux</span></h2><h2>Trois</h2><h3>Quatre</h3>');
  t.same(remarques, []);
});

t.test('the number that Word shows before a heading becomes part of the heading', async (t) => {
  const heading = (text: string, depth: number) =>
    p(r(text), `${style(depth ? 'Titre2' : 'Titre1')}<w:numPr><w:ilvl w:val="${depth}"/><w:numId w:val="4"/></w:numPr>`);
  const { html, remarques } = await read(heading('Suites', 0) + heading('Limites', 0) + heading('Définition', 1));
  t.equal(html, '<h1>I. Suites</h1><h1>II. Limites</h1><h2>II.1 Définition</h2>');
  t.match(remarques, [/^3 titres numérotés/]);
});

t.test('emphasis is read from every place where Word can define it', async (t) => {
  const { html } = await read(
    p(r('a', '<w:b/>') + r('b', '<w:b w:val="0"/><w:i/>') + r('c', '<w:u w:val="wave"/>') + r('d', '<w:u w:val="none"/><w:dstrike/>')) +
      p(r('x') + r('2', '<w:vertAlign w:val="superscript"/>') + r('n', '<w:vertAlign w:val="subscript"/>')) +
      p(
        r('e', '<w:rStyle w:val="Accentuation"/>') +
          r('f', '<w:highlight w:val="yellow"/><w:color w:val="0000FF"/>') +
          r('g', '<w:shd w:fill="00FF00"/>'),
      ) +
      // The paragraph's style and the character style both switch bold on, which toggles it off again.
      p(r('h') + r('i', '<w:rStyle w:val="Accentuation"/>') + r('j', '<w:b w:val="false"/>'), style('Consigne')),
  );
  t.equal(
    html,
    '<p><strong>a</strong><em>b</em><u>c</u><s>d</s></p><p>x<sup>2</sup><sub>n</sub></p>' +
      '<p><em><strong>e</strong></em><span class="color-blue"><span class="bg-yellow">f</span></span><span class="bg-green">g</span></p>' +
      '<p class="align-justify"><strong>h</strong><em>i</em>j</p>',
  );
});

t.test('alignment, indentation and direction', async (t) => {
  const { html } = await read(
    p(r('a'), '<w:jc w:val="center"/>') +
      p(r('b'), '<w:jc w:val="end"/><w:ind w:left="1440"/>') +
      p(r('ج'), '<w:bidi/><w:jc w:val="start"/>') +
      p(r('d'), '<w:ind w:left="99999" w:firstLine="400"/>'),
  );
  t.equal(html, '<p class="align-center">a</p><p class="align-right indent-2">b</p><p dir="rtl">ج</p><p class="indent-8">d</p>');
});

t.test('lists: depth, kind, continued and restarted numbers', async (t) => {
  const nested = item('a', 1) + item('b', 1, 1) + item('c', 1, 1) + item('d', 1, 2) + item('e', 1);
  t.equal(
    (await read(nested)).html,
    '<ol><li>a<ol type="a" data-label="a)"><li>b</li><li>c<ol><li>d</li></ol></li></ol></li><li>e</li></ol>',
  );
  const interrupted = item('a', 1) + p(r('entre')) + item('b', 1) + item('c', 3) + item('d', 3);
  t.equal(
    (await read(interrupted)).html,
    '<ol><li>a</li></ol><p>entre</p><ol start="2"><li>b</li></ol><ol start="5"><li>c</li><li>d</li></ol>',
  );
  const mixed =
    item('a', 2) +
    item('b', 2, 1) +
    p(r('suite de b'), '<w:ind w:left="1440"/>') +
    p(r('suite de a'), style('Paragraphedeliste')) +
    item('c', 1);
  t.equal((await read(mixed)).html, '<ul><li>a<ul><li><p>b</p><p>suite de b</p></li></ul><p>suite de a</p></li></ul><ol><li>c</li></ol>');
  const words = await read(item('Suites', 5) + item('Limites', 5));
  t.equal(words.html, '<p>Exercice 1 : Suites</p><p>Exercice 2 : Limites</p>');
  t.match(words.remarques, [/^2 paragraphes numérotés/]);
});

t.test('labels of lists: letters, Roman numerals, brackets, restarts', async (t) => {
  const levels = await read(item('a', 6) + item('b', 6, 1) + item('c', 6, 2) + item('d', 6, 2) + item('e', 6, 1) + item('f', 6));
  t.equal(
    levels.html,
    '<ol type="I"><li>a<ol type="A" data-label="A)"><li>b<ol type="i" data-label="(i)"><li>c</li><li>d</li></ol></li><li>e</li></ol></li><li>f</li></ol>',
  );
  t.same(levels.remarques, []);
  const restarted = await read(item('a', 6) + item('b', 6, 1) + item('c', 7, 1) + item('d', 7, 1) + item('e', 6, 4));
  t.equal(
    restarted.html,
    '<ol type="I"><li>a<ol type="A" data-label="A)"><li>b</li></ol><ol start="3" type="a"><li>c</li><li>d<ol data-label="(1)"><li>e</li></ol></li></ol></li></ol>',
  );
  const composed = await read(item('a', 6) + item('b', 6, 2) + item('c', 6, 3));
  t.match(composed.html, '<ol type="i" data-label="(i)"><li>b<ol><li>c</li></ol></li></ol>');
  t.same(composed.remarques, ['Des numéros de listes sont simplifiés (i.1 est devenu 1., par exemple).']);
});

t.test('tables: spans, header rows, content of cells', async (t) => {
  const cell = (content: string, properties = '') => `<w:tc><w:tcPr>${properties}</w:tcPr>${content}</w:tc>`;
  const row = (cells: string, properties = '') => `<w:tr><w:trPr>${properties}</w:trPr>${cells}</w:tr>`;
  const { html } = await read(
    `<w:tbl><w:tblPr/><w:tblGrid><w:gridCol w:w="1000"/><w:gridCol w:w="3000"/></w:tblGrid>${
      row(cell(p('')) + cell(p(r('x'))), '<w:tblHeader/>') +
      row(cell(p(r('a')), '<w:vMerge w:val="restart"/>') + cell(item('un', 2) + item('deux', 2))) +
      row(cell(p(''), '<w:vMerge/>') + cell(p(r('b'), '<w:jc w:val="right"/>'))) +
      row(cell(p(r('c')), '<w:gridSpan w:val="2"/>')) +
      row(cell(p(r('d'))), '<w:gridBefore w:val="1"/>')
    }</w:tbl>`,
  );
  t.equal(
    html,
    '<div><table><thead><tr><td class="w-30"></td><th class="w-80">x</th></tr></thead><tbody><tr><td rowspan="2">a</td>' +
      '<td><ul><li>un</li><li>deux</li></ul></td></tr><tr><td><p class="align-right">b</p></td></tr><tr><td colspan="2">c</td></tr><tr><td></td><td>d</td></tr></tbody></table></div>',
  );
  const styled = (look: string) =>
    `<w:tbl><w:tblPr><w:tblStyle w:val="Grille"/><w:tblLook w:val="${look}"/></w:tblPr>${row(cell(p(r('a')))) + row(cell(p(r('b'))))}</w:tbl>`;
  t.match((await read(styled('04A0'))).html, /<th>a<\/th>/);
  t.notMatch((await read(styled('0480'))).html, /<th/);
});

t.test('links: both kinds of Word links, without their colour, with allowed addresses only', async (t) => {
  const field = (code: string, text: string) =>
    `<w:r><w:fldChar w:fldCharType="begin"/></w:r><w:r><w:instrText>${code}</w:instrText></w:r><w:r><w:fldChar w:fldCharType="separate"/></w:r>${text}<w:r><w:fldChar w:fldCharType="end"/></w:r>`;
  const { html, remarques } = await read(
    p(`<w:hyperlink r:id="l">${r('a', '<w:rStyle w:val="Lien"/>')}${r('b', '<w:rStyle w:val="Lien"/><w:b/>')}</w:hyperlink>`) +
      p(field(' HYPERLINK "https://b.cm/?x=1&amp;amp;y=2" \\t "_blank" ', r('c'))) +
      p(
        `<w:fldSimple w:instr="DATE">${r('hier')}</w:fldSimple><w:hyperlink r:id="bad">${r('d')}</w:hyperlink><w:hyperlink w:anchor="x">${r('e')}</w:hyperlink>`,
      ),
    { links: { l: 'https://a.cm/mon cours', bad: 'javascript:alert(1)' } },
  );
  t.equal(
    html,
    '<p><a href="https://a.cm/mon%20cours">a<strong>b</strong></a></p><p><a href="https://b.cm/?x=1&amp;amp;y=2">c</a></p><p>hierde</p>',
  );
  t.match(remarques, [/^1 lien vers un fichier/, /^1 lien d'un endroit à l'autre/]);
});

t.test('pictures: a figure with caption when alone, an inline image otherwise, at their displayed width', async (t) => {
  const { html, remarques } = await read(
    p(picture('i', { alt: 'Une courbe', width: 200 })) +
      p(r('Figure 1 : ') + r('la courbe', '<w:b/>'), style('Lgende')) +
      p(r('a ') + picture('i', { width: 900, alt: 'C:\\a.png' }) + picture('linked')) +
      p(picture('emf') + r('fin')),
    {
      images: { i: 'media/a.png', emf: 'media/b.emf' },
      links: { linked: 'file:///C:/a.png' },
      files: { 'media/a.png': 'png', 'media/b.emf': Buffer.concat([Buffer.alloc(40), Buffer.from(' EMF')]) },
    },
  );
  t.equal(
    html,
    '<figure><img src="/media/a.webp" alt="Une courbe" width="200" height="100"><figcaption>Figure 1 : <strong>la courbe</strong></figcaption></figure>' +
      '<p>a <img src="/media/a.webp" alt="" width="400" height="200"></p><p>fin</p>',
  );
  t.match(remarques, [/^1 image liée/, /^1 dessin au format EMF/]);
});

t.test('pictures that are drawn in VML', async (t) => {
  const drawn = (attributes: string, outer = 'w:pict') =>
    `<w:r><${outer}><v:shape alt="Une courbe" style="width:60pt"><v:imagedata ${attributes}/></v:shape></${outer}></w:r>`;
  const { html, remarques } = await read(
    p(r('a ') + drawn('r:id="i"') + r(' b ') + drawn('o:relid="i"') + r(' c ') + drawn('r:href="web"') + r(' d ') + drawn('r:id="none"')) +
      p(r('e ') + drawn('r:id="i"', 'w:object')),
    { images: { i: 'media/a.png' }, links: { web: 'https://a.cm/b.png' }, files: { 'media/a.png': 'png' } },
  );
  const image = '<img src="/media/a.webp" alt="Une courbe" width="400" height="200">';
  t.equal(html, `<p>a ${image} b ${image} c <img src="https://a.cm/b.png" alt="Une courbe"> d</p><p>e ${image}</p>`);
  t.match(remarques, [/^1 image sans contenu/, /^1 objet incorporé/]);
});

t.test('equations: in a line, on lines of their own, among text', async (t) => {
  const math = (text: string) =>
    `<m:oMath><m:sSup><m:e><m:r><m:t>${text}</m:t></m:r></m:e><m:sup><m:r><m:t>2</m:t></m:r></m:sup></m:sSup></m:oMath>`;
  const { html, remarques } = await read(
    p(r('Soit ') + math('x') + r('.')) +
      p(`<m:oMathPara>${math('a')}${math('b')}</m:oMathPara>`) +
      p(`${r('avant')}<m:oMathPara>${math('c')}</m:oMathPara>${r('après')}`) +
      item('', 1).replace('</w:p>', `<m:oMathPara>${math('d')}</m:oMathPara></w:p>`) +
      p(math('e') + r(' en titre'), style('Titre1')),
  );
  t.equal(
    html,
    '<p>Soit <span>[x^2]</span>.</p><div>[[a^2]]</div><div>[[b^2]]</div><p>avant</p><div>[[c^2]]</div><p>après</p>' +
      '<ol><li><div>[[d^2]]</div></li></ol><h1><span>[e^2]</span> en titre</h1>',
  );
  t.same(remarques, []);
});

t.test('notes are placed at the end of the text that refers to them', async (t) => {
  const note = (id: number, text: string) => `<w:footnote w:id="${id}">${p(`<w:r><w:footnoteRef/></w:r>${r(text)}`)}</w:footnote>`;
  const reference = (id: number) => `<w:r><w:rPr><w:vertAlign w:val="superscript"/></w:rPr><w:footnoteReference w:id="${id}"/></w:r>`;
  const { html, corrige } = await read(p(r('a') + reference(2)) + p(r('Corrigé'), style('Titre1')) + p(r('b') + reference(3)), {
    footnotes: `<w:footnote w:id="0" w:type="separator">${p('')}</w:footnote>${note(2, 'Un')}${note(3, 'Deux')}`,
  });
  t.equal(html, '<p>a<sup>[1]</sup></p><p><strong>Notes</strong></p><ol><li>Un</li></ol>');
  t.equal(corrige, '<p>b<sup>[2]</sup></p><p><strong>Notes</strong></p><ol start="2"><li>Deux</li></ol>');
});

t.test('content that cannot be kept is reported', async (t) => {
  const graphic = (uri: string) =>
    `<w:r><w:drawing><wp:inline><a:graphic><a:graphicData uri="http://x/${uri}"/></a:graphic></wp:inline></w:drawing></w:r>`;
  const { html, remarques } = await read(
    p(`${r('a')}<w:r><w:commentReference w:id="1"/></w:r>`) +
      p(`${graphic('chart') + graphic('diagram')}<w:r><w:object><o:OLEObject ProgID="Equation.3"/></w:object></w:r>`) +
      p(
        `<w:r><mc:AlternateContent><mc:Choice Requires="wps"><w:drawing><wps:txbx><w:txbxContent>${p(r('encadré'))}</w:txbxContent></wps:txbx></w:drawing></mc:Choice><mc:Fallback><w:pict><v:textbox><w:txbxContent>${p(r('encadré'))}</w:txbxContent></v:textbox></w:pict></mc:Fallback></mc:AlternateContent></w:r>${r('b')}`,
      ) +
      p(
        `<w:del w:id="1"><w:r><w:delText>effacé</w:delText></w:r></w:del><w:ins w:id="2">${r('ajouté')}</w:ins>${r('caché', '<w:vanish/>')}`,
      ) +
      p(r('Chapitre 1 ..... 3'), style('TM1')) +
      p(r('Fin.', '<w:caps/>')),
    { comments: `<w:comment w:id="1">${p(r('Revoir'))}</w:comment>`, header: p(r('Lycée')) },
  );
  t.equal(html, '<p>a</p><p>b</p><p>encadré</p><p>ajouté</p><p>Fin.</p>');
  for (const named of [
    /^1 graphique/,
    /^1 dessin SmartArt/,
    /^1 équation d'un ancien éditeur/,
    /^1 zone de texte/,
    /suivi des modifications/,
    /^1 passage masqué/,
    /table des matières/,
    /majuscules de mise en forme/,
    /^1 commentaire/,
    /en-tête/,
  ])
    t.ok(
      remarques.some((remark) => named.test(remark)),
      String(named),
    );
  t.equal(remarques.length, 10, remarques.join('\n'));
});

t.test('quotations, code, lines across, symbols, check boxes', async (t) => {
  const box =
    '<w:r><w:fldChar w:fldCharType="begin"><w:ffData><w:checkBox><w:checked/></w:checkBox></w:ffData></w:fldChar></w:r><w:r><w:instrText>FORMCHECKBOX</w:instrText></w:r><w:r><w:fldChar w:fldCharType="end"/></w:r>';
  const { html } = await read(
    p(r('a'), style('Citation')) +
      p(r('b'), style('Citation')) +
      p(r('x = 1'), style('Code')) +
      p(r('y  = 2'), style('Code')) +
      p('', '<w:pBdr><w:bottom w:val="single"/></w:pBdr>') +
      p(`${r('\uf061', '<w:rFonts w:ascii="Symbol"/>')}<w:r><w:sym w:font="Symbol" w:char="F062"/></w:r>`) +
      p(box + r(' oui')),
  );
  t.equal(html, '<blockquote><p>a</p><p>b</p></blockquote><pre><code>x = 1\ny  = 2</code></pre><hr><p>αβ</p><p>☒ oui</p>');
});

t.test('text that continues in the next paragraph, even when no paragraph follows', async (t) => {
  const deleted = '<w:rPr><w:del w:id="1"/></w:rPr>';
  const { html } = await read(
    p(r('a'), deleted) + p(r('b')) + p(r('L'), '<w:framePr w:dropCap="drop"/>') + p(r('e mot')) + p(r('fin'), deleted),
  );
  t.equal(html, '<p>ab</p><p>Le mot</p><p>fin</p>');
});

t.test('code keeps its pictures and equations, and losses are reported', async (t) => {
  const { html, remarques } = await read(p(r('x', '<w:b/>'), style('Code')) + p(picture('i'), style('Code')) + p(r('y'), style('Code')), {
    images: { i: 'media/a.png' },
    files: { 'media/a.png': 'png' },
  });
  t.equal(html, '<pre><code>x</code></pre><p><img src="/media/a.webp" alt="" width="100" height="50"></p><pre><code>y</code></pre>');
  t.match(remarques, [/^Blocs de code : 1 passage/]);
});

t.test('the title is removed from the text and adapted to the rule for titles', async (t) => {
  const titled = await read(p(r("L'étude des suites : TD n° 1"), style('Titre')) + p(r('a')));
  t.equal(titled.titre, 'L étude des suites TD n 1');
  t.equal(titled.html, '<p>a</p>');
  t.match(titled.remarques, [/a été adapté/]);
  t.equal((await read(p(r('a')), { title: 'Suites &amp; limites' })).titre, 'Suites limites');
  t.equal((await read(p(r('a')))).titre, null);
});

t.test('the only heading of the first level at the start is the title, unless it has a number', async (t) => {
  const heading = (text: string) => p(r(text), style('Titre1'));
  const titled = await imported({ body: heading("L'année 1960 : repères") + p(r('a')) });
  t.match([titled.titre, titled.intitule, htmlOf(titled.contenu)], ['L année 1960 repères', "L'année 1960 : repères", '<p>a</p>']);
  for (const start of ['1. Introduction', 'II) Les suites']) t.equal((await read(heading(start) + p(r('a')))).titre, null, start);
  t.equal((await read(heading('Suites') + p(r('a')) + heading('Limites') + p(r('b')))).titre, null, 'two parts');
});

t.test('a correction starts at a heading or at a separate line', async (t) => {
  const after = async (start: string) => {
    const { html, corrige } = await read(p(r('Énoncé')) + start + p(r('Solution')));
    return [html, corrige];
  };
  t.same(await after(p(r('CORRIGÉ :', '<w:b/>'))), ['<p>Énoncé</p>', '<p>Solution</p>']);
  t.same(await after(p(r("Corrigé de l'exercice 2"), style('Titre2'))), [
    '<p>Énoncé</p>',
    "<h2>Corrigé de l'exercice 2</h2><p>Solution</p>",
  ]);
  t.same(await after(p(r('Corrigé en classe hier'))), ['<p>Énoncé</p><p>Corrigé en classe hier</p><p>Solution</p>', null]);
  t.same(await after(p(r('Corrigéstan'), style('Titre2'))), ['<p>Énoncé</p><h2>Corrigéstan</h2><p>Solution</p>', null]);
});

t.test('content under merged cells or in a deleted row is reported', async (t) => {
  const cell = (content: string, properties = '') => `<w:tc><w:tcPr>${properties}</w:tcPr>${p(r(content))}</w:tc>`;
  const { html, remarques } = await read(
    `<w:tbl><w:tr>${cell('a', '<w:vMerge w:val="restart"/>')}${cell('b')}</w:tr><w:tr>${cell('dessous', '<w:vMerge/>')}${cell('c')}</w:tr>` +
      `<w:tr>${cell('d', '<w:hMerge w:val="restart"/>')}${cell('à côté', '<w:hMerge/>')}</w:tr><w:tr><w:trPr><w:del w:id="1"/></w:trPr>${cell('e')}${cell('f')}</w:tr></w:tbl>`,
  );
  t.match(html, /<td rowspan="2">a<\/td><td>b<\/td><\/tr><tr><td>c<\/td><\/tr><tr><td colspan="2">d<\/td>/);
  t.match(remarques.toSorted(), [/suivi des modifications/, /fusionnée, non repris : dessous/, /fusionnée, non repris : à côté/]);
});

t.test('fields that draw a character or a choice, a page that ends in a sentence', async (t) => {
  const field = (code: string, data = '') =>
    `<w:r><w:fldChar w:fldCharType="begin">${data}</w:fldChar></w:r><w:r><w:instrText>${code}</w:instrText></w:r><w:r><w:fldChar w:fldCharType="end"/></w:r>`;
  const list = '<w:ffData><w:ddList><w:result w:val="1"/><w:listEntry w:val="A"/><w:listEntry w:val="B"/></w:ddList></w:ffData>';
  const { html } = await read(
    p(field(' SYMBOL 97 \\f "Symbol" ')) + p(field(' FORMDROPDOWN ', list)) + p(`${r('un')}<w:r><w:br w:type="page"/></w:r>${r('deux')}`),
  );
  t.equal(html, '<p>α</p><p>B</p><p>un<br>deux</p>');
});

t.test('a note with two references appears under both numbers', async (t) => {
  const reference = '<w:r><w:footnoteReference w:id="2"/></w:r>';
  const footnotes = `<w:footnote w:id="2">${p(r('Un'))}</w:footnote>`;
  const { html } = await read(p(r('a') + reference + r('b') + reference), { footnotes });
  t.match(html, /<ol><li>Un<\/li><li>Un<\/li><\/ol>$/);
  const both = await read(p(r('a') + reference) + p(r('Corrigé')) + p(r('b') + reference), { footnotes });
  t.match(
    [both.html, both.corrige],
    [/<ol><li>Un<\/li><\/ol>$/, /<ol start="2"><li>Un<\/li><\/ol>$/],
    'a note is in the text and in the correction that refer to it',
  );
});

t.test('a logo on each of 120 pages is read once', async (t) => {
  const logo = Buffer.concat([plainPng(4, 2), Buffer.alloc(1_170_000)]);
  const { html, remarques } = await read(p(picture('i')).repeat(120), { images: { i: 'media/a.png' }, files: { 'media/a.png': logo } });
  t.equal(html.split('<img').length, 121);
  t.same(remarques, []);
});
