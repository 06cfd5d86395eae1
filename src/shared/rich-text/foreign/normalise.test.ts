import { readFileSync } from 'node:fs';
import { parseHTML } from 'linkedom';
import t from 'tap';
import { escapeHtml } from '../../escapes.ts';
import { checkDocument } from '../document.ts';
import { documentFromDom } from '../parse.ts';
import { serialise } from '../serialise.ts';
import { normaliseForeign } from './normalise.ts';

/** Returns the canonical HTML of normalised HTML, with formulas as `[latex]`, and the notes about lost content. */
function carried(html: string): { html: string; notes: string[] } {
  const { document } = parseHTML(`<!DOCTYPE html><html><head></head><body>${html}</body></html>`);
  const { notes } = normaliseForeign(document.body as unknown as Element);
  const doc = documentFromDom(document.body as unknown as ParentNode);
  checkDocument(doc);
  const formula = (latex: string): string => `[${escapeHtml(latex)}]`;
  const written = serialise(doc, { formula, code: (text) => escapeHtml(text) });
  // Constant parts that the serialiser adds.
  const bare = written
    .replaceAll(' tabindex="0" role="group" aria-label="Formule"', '')
    .replaceAll('<div class="table-scroll" tabindex="0" role="group" aria-label="Tableau"><table>', '<table>')
    .replaceAll('</table></div>', '</table>')
    .replaceAll(' loading="lazy" decoding="async"', '')
    .replaceAll('&nbsp;', '_');
  return { html: bare.replace(/<span class="formula" data-latex="[^"]*">(\[[^<]*\])<\/span>/g, '$1'), notes };
}

const fixture = (name: string): string => readFileSync(new URL(`fixtures/${name}.html`, import.meta.url), 'utf8');

const FIXTURES: Record<string, { html: string[]; notes: RegExp[] }> = {
  'word-lesson': {
    html: [
      '<h1>La chute libre</h1>',
      '<h1>Définitions</h1>',
      `<p>Un corps est en <strong>chute libre</strong> quand il n'est soumis qu'à son <strong>poids</strong>_: voir <a href="https://exemple.cm/chute">ce cours</a>, le fichier et H<sub>2</sub>O.</p>`,
      '<p class="align-center"><em><span class="color-red">Attention au _ signe</span></em></p>',
      '<h2>Lois</h2>',
      `<ul><li><p>la masse <em>m</em></p><p>en kilogrammes</p></li><li>l'angle α</li></ul>`,
      '<p>Puis_:</p>',
      '<ol start="3" data-label="1)"><li>trois<ol type="a"><li>petit a</li></ol></li></ol>',
      '<table><thead><tr><th class="w-30" scope="col"><p class="align-center">t</p></th><th colspan="2" scope="col">z</th></tr></thead>',
      '<tbody><tr><td rowspan="2">0</td><td class="w-30"><span class="bg-yellow">1</span></td><td class="w-30"><s>2</s></td></tr></tbody></table>',
      '<p class="indent-1">Vitesse_:___ v</p>',
      '<p dir="rtl">سلام</p>',
      '<p></p>',
    ],
    notes: [/lien sans adresse/, /fond d'une cellule/, /^Une image n'a pas d'adresse/],
  },
  libreoffice: {
    html: [
      '<h2>Les suites</h2>',
      '<p class="align-justify">Une <strong>suite</strong> est une <em><span class="color-red">fonction</span></em> <span class="bg-yellow">de N</span> → R.</p>',
      '<ol start="2"><li>deux<ul><li>tiret</li></ul></li><li>trois</li></ol>',
      '<p class="indent-1">en retrait</p>',
      '<table><thead><tr><th class="w-30" scope="col"><p class="align-center">n</p></th><th class="w-80" scope="col"><p class="align-center">u</p></th></tr></thead>',
      '<tbody><tr><td>1</td><td></td></tr></tbody></table>',
      '<pre><code>for n in range(3):\n    print(n)</code></pre>',
      '<p class="indent-2"><u>fin</u></p>',
    ],
    notes: [],
  },
  'google-docs': {
    html: [
      '<h2>Le bilan</h2>',
      '<p class="align-center"><strong>Actif_ </strong><em><u>Passif</u></em><s> x</s><sup>2</sup></p>',
      '<p></p>',
      '<ul><li><span class="color-green">un</span><ul><li><a href="https://exemple.cm/">deux</a></li></ul></li></ul>',
      '<table><tbody><tr><td class="w-30">a</td><td class="w-80"><p class="align-right">b</p></td></tr></tbody></table>',
      '<p class="indent-2"><img src="https://lh7-rt.googleusercontent.com/docsz/abc?key=def" alt="" width="20" height="10"></p>',
    ],
    notes: [/Google/],
  },
  quill: {
    html: [
      '<h1 class="align-center">Droit</h1>',
      '<p class="indent-2">retrait</p>',
      '<p dir="rtl">حق</p>',
      '<ul><li>un<ul><li>un un<ul><li>un un un</li></ul></li></ul></li><li>deux</li></ul>',
      '<ol><li>a<ul><li>b</li></ul></li></ol>',
      '<ul><li>☑ c</li></ul>',
      '<pre><code>SELECT 1;\nSELECT 2;</code></pre>',
      '<p><span class="color-red"><span class="bg-yellow">rouge</span></span> [x^2] lien</p>',
      '<p></p>',
      '<div class="video" data-video="https://www.youtube.com/watch?v=dQw4w9WgXcQ"',
      '<blockquote><p>cité</p></blockquote>',
    ],
    notes: [/lien sans adresse/],
  },
  'web-page': {
    html: [
      '<h2>Énergie</h2>',
      '<p>Premier texte,<br>seconde ligne.</p>',
      '<p>Autre paragraphe avec <code>E = mc2</code>.</p>',
      '<p>Un bloc</p>',
      '<p>et la suite.</p>',
      '<p class="align-center">au milieu</p>',
      '<p>Soit [E = mc^2] puis [v_{0}] et [t].</p>',
      '<div class="formula-block" data-latex="\\int_0^1 x\\,dx">[\\int_0^1 x\\,dx]</div>',
      '<p>[\\frac{\\pi}{2}\\le\\sqrt{\\sin\\theta}]</p>',
      '<figure><img src="https://exemple.cm/petit.jpg" alt="Une pile" width="300" height="200"><figcaption>La <em>pile</em></figcaption></figure>',
      '<div class="video" data-video="https://vimeo.com/76979871" data-title="Film"',
      '<p><a href="https://exemple.cm/carte">https://exemple.cm/carte</a></p>',
      '<p>Nom</p>',
      '<pre><code class="language-python">def f():\n    pass</code></pre>',
    ],
    notes: [/menu de navigation/, /cadre est devenu un lien/, /^2 champs de formulaire/, /^2 images/, /dessin/, /masqué/],
  },
  'word-equations': {
    html: [
      '<p>Soit [\\Delta=b^2-4ac] positif.</p>',
      '<div class="formula-block" data-latex="\\frac{1}{n}&lt;\\sqrt{\\pi}">[\\frac{1}{n}&lt;\\sqrt{\\pi}]</div>',
    ],
    notes: [],
  },
  'word-online': {
    html: ['<h1><span class="color-teal">Le sol</span></h1>', '<ol><li><strong>un</strong><ul><li>un un</li></ul></li><li>deux</li></ol>'],
    notes: [],
  },
  excel: {
    html: [
      '<table><tbody><tr><td class="w-30"><p class="align-center"><strong>Note</strong></p></td><td class="w-70"><p class="align-center"><strong>Coef</strong></p></td></tr>',
      '<tr><td><p class="align-right"><span class="color-red">12,5</span></p></td><td><p class="align-right">3</p></td></tr></tbody></table>',
    ],
    notes: [/2 cellules/],
  },
};

for (const [name, { html, notes }] of Object.entries(FIXTURES)) {
  t.test(`a piece copied from ${name}`, async (t) => {
    const result = carried(fixture(name));
    let at = 0;
    for (const piece of html) {
      const found = result.html.indexOf(piece, at);
      t.equal(found === -1 ? `${result.html.slice(at)}` : 'in its place', 'in its place', piece);
      at = found === -1 ? at : found + piece.length;
    }
    t.equal(result.notes.length, notes.length, result.notes.join(' '));
    for (const note of notes)
      t.ok(
        result.notes.some((sentence) => note.test(sentence)),
        String(note),
      );
    const again = carried(
      result.html.replaceAll('_', '\u00a0').replace(/\[([^<[\]]*)\]/g, '<span class="formula" data-latex="$1"></span>'),
    );
    t.same(
      again.notes.filter((note) => !/Google/.test(note)),
      [],
      'canonical HTML loses nothing',
    );
  });
}

t.test('reads a VML picture of Word without an image for browsers', async (t) => {
  const shape = (src: string, more = '') =>
    `<v:shape id="a" alt="Une &quot;courbe&quot; &amp; x" style='margin-left:3pt;width:60pt;height:45pt' ${more}><v:imagedata src="${src}"/></v:shape>`;
  const comment = (content: string): string => `<!--[if gte vml 1]><v:shapetype id="t"></v:shapetype>${content}<![endif]-->`;
  const image = '<img src="https://a.cm/b.png" alt="Une &quot;courbe&quot; &amp; x" width="80" height="60">';
  const cases: [html: string, expected: string, notes: RegExp[]][] = [
    [comment(shape('https://a.cm/b.png')), `<p>a ${image} b</p>`, []],
    [shape('https://a.cm/b.png').replace('/></v:shape>', '></v:imagedata></v:shape>'), `<p>a ${image} b</p>`, []],
    [`${comment(shape('file:///C:/a.png'))}${comment(shape('file:///C:/c.png').replace('"a"', '"c"'))}`, '<p>a b</p>', [/^2 images/]],
    [
      `${comment(shape('file:///C:/a.png'))}<![if !vml]><img src="https://a.cm/c.png" v:shapes="a"><![endif]>`,
      '<p>a <img src="https://a.cm/c.png" alt=""> b</p>',
      [],
    ],
    [
      `${comment(shape('file:///C:/a.png'))}<![if !vml]><span><img src="https://a.cm/c.png"></span><![endif]>`,
      '<p>a <img src="https://a.cm/c.png" alt=""> b</p>',
      [],
    ],
    [comment(shape('file:///C:/a.png', 'o:bullet="t"')), '<p>a b</p>', []],
    [`<!--[if gte mso 9]>${shape('file:///C:/a.png')}<![endif]-->`, '<p>a b</p>', []],
  ];
  for (const [html, expected, notes] of cases) {
    const result = carried(`<p>a ${html} b</p>`);
    t.equal(result.html.replaceAll(/\s+/g, ' '), expected, html);
    t.match(result.notes, notes, html);
    t.equal(result.notes.length, notes.length, html);
  }
});

t.test('converts markup of various programs', async (t) => {
  const word = (attributes: string, marker: string, text: string): string =>
    `<p class=MsoListParagraph style='margin-left:36pt;text-indent:-18pt;mso-list:${attributes}'><span style='mso-list:Ignore'>${marker}<span>&nbsp;&nbsp; </span></span>${text}</p>`;
  const cases: Record<string, [html: string, expected: string, note?: RegExp]> = {
    'a numbered heading': [
      `<h2 style='margin-left:36pt;text-indent:-18pt;mso-list:l0 level2 lfo1'><span style='mso-list:Ignore'>I.2&nbsp;</span>Lois</h2>`,
      '<h2>I.2 Lois</h2>',
      /titre numéroté/,
    ],
    'a number among words': [word('l0 level1 lfo1', 'Exercice 1', 'Calculer.'), '<p>Exercice 1 Calculer.</p>', /avec des mots/],
    'Roman numerals': [word('l0 level1 lfo1', 'iv.', 'quatre'), '<ol start="4" type="i"><li>quatre</li></ol>'],
    'the last of several numbers': [
      word('l0 level1 lfo1', '2.b)', 'x'),
      '<ol start="2" type="a" data-label="a)"><li>x</li></ol>',
      /numéros composés/,
    ],
    'letters of HTML': [
      '<ol type="a"><li>x</li></ol><ol style="list-style:upper-roman inside" start="3"><li>y</li></ol><ol style="list-style-type:lower-greek"><li>z</li></ol>',
      '<ol type="a"><li>x</li></ol><ol start="3" type="I"><li>y</li></ol><ol><li>z</li></ol>',
      /autre alphabet/,
    ],
    'letters of Google Docs': [
      '<ol><li dir="ltr" style="list-style-type:decimal">x</li><ol><li style="list-style-type:lower-alpha">y</li><li style="list-style-type:lower-alpha">z</li></ol></ol>',
      '<ol><li>x<ol type="a"><li>y</li><li>z</li></ol></li></ol>',
    ],
    'letters of an exported page of Google Docs': [
      '<style>ol.lst-kix_a-0{list-style-type:none}.lst-kix_a-0 > li:before{content:"(" counter(lst-ctn-kix_a-0,lower-latin) ") "}</style><ol class="c1 lst-kix_a-0 start" start="2"><li>x</li></ol>',
      '<ol start="2" type="a" data-label="(a)"><li>x</li></ol>',
    ],
    'letters of Word Online': [
      '<ol start="3" style="list-style-type:lower-alpha"><li data-leveltext="%1)" data-listid="2" data-aria-level="1">x</li></ol>',
      '<ol start="3" type="a" data-label="a)"><li>x</li></ol>',
    ],
    'our own labels': ['<ol type="A" data-label="(A)" style="margin:0"><li>x</li></ol>', '<ol type="A" data-label="(A)"><li>x</li></ol>'],
    'labels that change within a list': [
      '<ol><li style="list-style-type:lower-alpha">x</li><li style="list-style-type:upper-alpha">y</li></ol>',
      '<ol type="a"><li>x</li></ol><ol type="A"><li>y</li></ol>',
    ],
    'a Roman numeral among words': [word('l0 level1 lfo1', 'Chapitre II', 'Les lois'), '<p>Chapitre II Les lois</p>', /avec des mots/],
    'two lists of Word in a row': [
      word('l0 level1 lfo1', '1.', 'a') + word('l1 level1 lfo2', '1.', 'b'),
      '<ol><li>a</li></ol><ol><li>b</li></ol>',
    ],
    'a list that goes on': [
      `${word('l0 level1 lfo1', '1.', 'a')}<p class=MsoNormal>x</p>${word('l0 level1 lfo1', '2.', 'b')}`,
      '<ol><li>a</li></ol><p>x</p><ol start="2"><li>b</li></ol>',
    ],
    'a list in two parts': [
      '<ol type="i"><li>a</li></ol><ol type="i" start="2"><li>b</li><li>c</li></ol>',
      '<ol type="i"><li>a</li><li>b</li><li>c</li></ol>',
    ],
    'a bullet of Word without its definition': [
      word('l0 level1 lfo1', '§', 'a') + word('l0 level2 lfo1', 'o', 'b'),
      '<ul><li>a<ul><li>b</li></ul></li></ul>',
    ],
    'a list that begins in its middle': ['<ul><ul><li>b</li></ul><li>a</li></ul>', '<ul><li>b</li></ul><ul><li>a</li></ul>'],
    'a list in a list': ['<ul><li>a</li><ul><li>b</li></ul></ul>', '<ul><li>a<ul><li>b</li></ul></li></ul>'],
    'a way within the document': ['<p><a href="#_ftn1"><sup>[1]</sup></a></p>', '<p><sup>[1]</sup></p>', /endroit/],
    'at the left, where lines start at the right': [
      '<p dir="rtl" style="text-align:left">x</p><p dir="rtl" align="right">y</p><p style="text-align:left">z</p><div class="align-left" dir="rtl">w</div>',
      '<p class="align-left" dir="rtl">x</p><p dir="rtl">y</p><p>z</p><p class="align-left" dir="rtl">w</p>',
    ],
    'addresses with spaces': [
      '<p><a href="https://a.cm/mon cours.pdf">un</a> <a href="tel:+237 699 00 11 22">deux</a> <img src="https://a.cm/mon image.png" alt=""></p>',
      '<p><a href="https://a.cm/mon%20cours.pdf">un</a> <a href="tel:+237699001122">deux</a> <img src="https://a.cm/mon%20image.png" alt=""></p>',
    ],
    'a link by name only': ['<p><a name="a">x</a></p>', '<p>x</p>'],
    'a line end of a page': ['<p>a<br style="page-break-before:always"></p>', '<p>a</p>'],
    'browser indentation': [
      '<blockquote style="margin:0 0 0 40px;border:none;padding:0"><p>a</p></blockquote>',
      '<p class="indent-1">a</p>',
    ],
    'bold undone inside': ['<p><b>a <span style="font-weight:normal">b</span></b></p>', '<p><strong>a </strong>b</p>'],
    'grey and black text, white paper': ['<p><span style="color:#222;background:white">a</span></p>', '<p>a</p>'],
    'MathJax with its script': [
      '<p><span class="MathJax_Preview"></span><span class="MathJax"><span>x2</span></span><script type="math/tex">x^2</script></p>',
      '<p>[x^2]</p>',
    ],
    'a drawn formula': [String.raw`<p><img src="https://latex.codecogs.com/svg.latex?\frac{a}{b}"></p>`, String.raw`<p>[\frac{a}{b}]</p>`],
    'an emoji': ['<p><img class="emoji" alt="😀" src="https://exemple.cm/e.png"></p>', '<p>😀</p>'],
    'a box to tick': ['<ul><li><input type="checkbox" checked> fait</li></ul>', '<ul><li>☑ fait</li></ul>'],
    'a spacer': ['<p>a<img src="https://exemple.cm/p.gif" width="1" height="1"></p>', '<p>a</p>'],
    'an empty item': ['<ul><li></li><li>b</li></ul>', '<ul><li></li><li>b</li></ul>'],
    'text beside cells': [
      '<table><caption>Titre</caption><tr><td>a</td></tr></table>',
      '<p>Titre</p><table><tbody><tr><td>a</td></tr></tbody></table>',
    ],
  };
  for (const [name, [html, expected, note]] of Object.entries(cases)) {
    const result = carried(html);
    t.equal(result.html, expected, name);
    if (note) t.match(result.notes, [note], name);
    else t.same(result.notes, [], name);
  }
});

t.test('reads numbers of Word lists whose rules were not copied', async (t) => {
  const item = (marker: string, list = 'l0 level1 lfo1'): string =>
    `<p class=MsoListParagraph style='margin-left:36pt;text-indent:-18pt;mso-list:${list}'><span style='mso-list:Ignore'>${marker}<span>&nbsp;&nbsp; </span></span>${marker}</p>`;
  const items = (markers: string): string =>
    markers
      .split(' ')
      .map((marker) => `<li>${marker}</li>`)
      .join('');
  const oneList: Record<string, [markers: string, start: number, label: string]> = {
    'upper-case Roman from one': ['I. II. III. IV. V. VI. VII. VIII. IX. X. XI.', 1, 'I.'],
    'lower-case Roman from one': ['i) ii) iii) iv) v) vi)', 1, 'i)'],
    'a single i': ['i)', 1, 'i)'],
    'a single I': ['I.', 1, 'I.'],
    'Roman in brackets': ['(i) (ii) (iii)', 1, '(i)'],
    'Roman before a slash': ['I/ II/ III/', 1, 'I.'],
    'Roman before a degree sign or a dash': ['I° II° III°', 1, 'I.'],
    'Roman without a sign': ['I II III', 1, 'I.'],
    'Roman from four': ['IV. V. VI.', 4, 'I.'],
    'Roman from five': ['V. VI.', 5, 'I.'],
    'a single V': ['V.', 5, 'I.'],
    'Roman from nine': ['IX. X.', 9, 'I.'],
    'Roman from ten': ['x. xi.', 10, 'i.'],
    'Roman from fifty': ['L. LI.', 50, 'I.'],
    'letters through i, v and x': [
      'a) b) c) d) e) f) g) h) i) j) k) l) m) n) o) p) q) r) s) t) u) v) w) x) y) z) aa) bb) cc) dd)',
      1,
      'a)',
    ],
    'letters from h to i': ['h) i)', 8, 'a)'],
    'letters from i': ['i) j)', 9, 'a)'],
    'letters from c': ['C. D.', 3, 'A.'],
    'letters from l': ['l. m.', 12, 'a.'],
    'a single c': ['c)', 3, 'a)'],
    'capital letters before a slash': ['A/ B/ C/', 1, 'A.'],
  };
  const attributes = (label: string): string =>
    `type="${label.replaceAll(/[().]/g, '')}"${label.endsWith('.') ? '' : ` data-label="${label}"`}`;
  for (const [name, [markers, start, label]] of Object.entries(oneList)) {
    const result = carried(
      markers
        .split(' ')
        .map((marker) => item(marker))
        .join(''),
    );
    t.equal(result.html, `<ol${start === 1 ? '' : ` start="${start}"`} ${attributes(label)}>${items(markers)}</ol>`, name);
    t.same(result.notes, [], name);
  }
  const inner = (marker: string): string => item(marker, 'l0 level2 lfo1');
  const [outerThenInner, outerThenBullet, twice, typed] = [
    ['I.', 'II.'].map((marker) => item(marker) + inner('a.') + inner('b.')).join('') +
      item('III.') +
      item('i.', 'l0 level2 lfo2') +
      item('ii.', 'l0 level2 lfo2'),
    item('I.') + inner('o') + inner('o') + item('II.'),
    item('I.') + item('II.') + item('I.', 'l1 level1 lfo2') + item('II.', 'l1 level1 lfo2'),
    '<p>I. un</p><p>II. deux</p><p>i) trois</p>',
  ].map((html) => carried(html).html);
  t.equal(
    outerThenInner,
    '<ol type="I"><li>I.<ol type="a"><li>a.</li><li>b.</li></ol></li><li>II.<ol type="a"><li>a.</li><li>b.</li></ol></li><li>III.<ol type="i"><li>i.</li><li>ii.</li></ol></li></ol>',
    'letters, and Roman numerals by an override of the same level, under Roman ones',
  );
  t.equal(outerThenBullet, '<ol type="I"><li>I.<ul><li>o</li><li>o</li></ul></li><li>II.</li></ol>', 'bullets under Roman numerals');
  t.equal(
    twice,
    '<ol type="I"><li>I.</li><li>II.</li></ol><ol type="I"><li>I.</li><li>II.</li></ol>',
    'the repeated numbers become two lists',
  );
  t.equal(typed, '<p>I. un</p><p>II. deux</p><p>i) trois</p>', 'typed numbers remain text');
});

t.test('keeps our own questions, and no part of a web page that looks like one', async (t) => {
  const sent =
    '<div><section class="question" id="x" data-kind="several" data-x="1"><header>Lesquels ?</header><article data-right><p>A<aside>Oui</aside></article><article></article><footer>Car.</footer></section></div>';
  t.equal(
    carried(sent).html,
    '<section class="question" data-kind="several"><header><p>Lesquels ?</p></header><article data-right=""><p>A</p><aside><p>Oui</p></aside></article><article><p></p></article><footer><p>Car.</p></footer></section>',
  );
  const page = '<header>Titre</header><section><article><p>Un</p><aside>Deux</aside></article></section><footer>Trois</footer>';
  t.equal(carried(page).html, '<p>Titre</p><p>Un</p><p>Deux</p><p>Trois</p>');
  t.notMatch(carried(`<ul><li>${sent}</li></ul>`).html, '<section');
});

t.test('takes linear time for any input', async (t) => {
  const many = (piece: string, count: number): string => piece.repeat(count);
  // Each input is deep where the parser allows it, otherwise wide. Code that searches neighbours could take quadratic time on it.
  const inputs: Record<string, string> = {
    'figures in figures': many('<figure>', 8_000),
    'lists in lists': many('<ul><li>', 8_000),
    'tables in tables': many('<table><tr><td>', 5_000),
    'formulas in formulas': many('<span class="katex">', 8_000),
    'hidden in hidden': many('<div style="display:none">', 8_000),
    'items of Word': many(`<p class=MsoListParagraph style='margin-left:36pt;mso-list:l0 level1 lfo1'>a</p>`, 4_000),
    'spans before a marker': `<p style='mso-list:l0 level1'>${many('<span>', 8_000)}x`,
    'comments in a style sheet': `<style>${many('/*', 200_000)}</style>`,
    'rules of a style sheet': `<style>${many('.a,.b,p{color:red}', 10_000)}</style>${many('<p class="a b">x</p>', 2_000)}`,
    'one long attribute': `<p style="${many('color:red;', 40_000)}">x</p>`,
    'an equation that never closes': `<p><!--[if gte msEquation 12]>${many('<m:oMath "', 20_000)}<![endif]-->x</p>`,
    'an equation in an equation': `<p><!--[if gte msEquation 12]>${many('<m:oMath><m:e>', 10_000)}<![endif]-->x</p>`,
    'spaces of a line': `<p style="white-space:pre">${many(' \t', 50_000)}x</p>`,
  };
  for (const [name, html] of Object.entries(inputs)) {
    const { document } = parseHTML(`<!DOCTYPE html><html><head></head><body>${html}</body></html>`);
    const start = performance.now();
    normaliseForeign(document.body as unknown as Element);
    const took = performance.now() - start;
    // Without the limits of the reader, each input takes minutes, and the test would time out.
    t.pass(`${name}: ${took.toFixed(0)} ms`);
    checkDocument(documentFromDom(document.body as unknown as ParentNode));
  }
});
