import JSZip from 'jszip';
import t from 'tap';
import { htmlOf } from '../../../../../test/support/word-file.ts';
import { importDocument } from '../worker/import-document.ts';

const store = async (bytes: Buffer) => ({ src: `/media/${bytes}.webp`, width: 400, height: 200 });

async function read(source: string | Buffer, { hasTitle = true, hasCorrection = true } = {}) {
  const places = { hasTitle, hasCorrection, hasQuestions: false };
  const { contenu, corrige, titre, remarques } = await importDocument(Buffer.from(source), store, places, false, true);
  return { html: htmlOf(contenu), corrige: corrige && htmlOf(corrige), titre, remarques };
}
/** Returns a source as a document with a preamble. */
const document = (body: string, preamble = ''): string =>
  `\\documentclass{article}\n${preamble}\n\\begin{document}\n${body}\n\\end{document}\n`;

t.test('structure and signs of a course', async (t) => {
  const cases: [source: string, html: string][] = [
    ['\\section{Un}\\subsection{Deux}\\section*{Trois}', '<h2>1. Un</h2><h3>1.1. Deux</h3><h2>Trois</h2>'],
    ['\\paragraph{Un} deux', '<h5>Un</h5><p>deux</p>'],
    ['un\ndeux\n\ntrois\\par quatre', '<p>un deux</p><p>trois</p><p>quatre</p>'],
    ['un % reste\n   deux%\n   trois', '<p>un deuxtrois</p>'],
    ["l'\\'et\\'e, \\c ca, na\\\"\\i f, c\\oe ur, \\`A~\\^{o}", "<p>l'été, ça, naïf, cœur, À&nbsp;ô</p>"],
    ['\\og oui \\fg{} << non >> a--b---c \\% \\$ \\& \\_ \\{\\}', '<p>«&nbsp;oui&nbsp;» «&nbsp;non&nbsp;» a–b—c % $ &amp; _ {}</p>'],
    [
      '\\emph{a} \\textbf{b} {\\it c {\\bf d}} \\texttt{e} \\underline{f} x\\textsuperscript{2}',
      '<p><em>a</em> <strong>b</strong> <em>c <strong>d</strong></em> <code>e</code> <u>f</u> x<sup>2</sup></p>',
    ],
    ['$a$ \\(b\\) \\[c\\] $$d$$', '<p><span>[a]</span> <span>[b]</span></p><div>[[c]]</div><div>[[d]]</div>'],
    ['\\begin{equation*}x\\end{equation*}', '<div>[[x]]</div>'],
    ['\\begin{eqnarray}a&=&b\\end{eqnarray}', '<div>[[\\begin{array}{rcl}a&amp;=&amp;b\\end{array}]]</div>'],
    ['\\begin{align}a&=b\\nonumber\\\\c&=d\\end{align}', '<div>[[\\begin{align*}a&amp;=b\\\\c&amp;=d\\end{align*}]]</div>'],
    ['$\\begin{array}{c@{}p{3cm}}a&b\\end{array}$', '<p><span>[\\begin{array}{cl}a&amp;b\\end{array}]</span></p>'],
    [
      '\\href{https://a.cm/b%20c}{lien} \\url{https://a.cm/d_e}',
      '<p><a href="https://a.cm/b%20c">lien</a> <a href="https://a.cm/d_e">https://a.cm/d_e</a></p>',
    ],
    ['\\verb|a%{b|', '<p><code>a%{b</code></p>'],
    ['\\begin{verbatim}\n a % b\n\\end{verbatim}', '<pre><code> a % b</code></pre>'],
    ['\\begin{lstlisting}[language=Python]\nx\n\\end{lstlisting}', '<pre><code class="language-python">x</code></pre>'],
    ['\\begin{center}a\\end{center}b', '<p class="align-center">a</p><p>b</p>'],
    ['a\\footnote{n $x$} b', '<p>a<sup>[1]</sup> b</p><p><strong>Notes</strong></p><ol><li>n <span>[x]</span></li></ol>'],
    ['{\\color{red}a} b', '<p><span class="color-red">a</span> b</p>'],
    ['a\\\\[2mm]b\\vspace{1cm}\\vskip 2cm c', '<p>a<br>b c</p>'],
  ];
  for (const [source, html] of cases) {
    const result = await read(document(source));
    t.equal(result.html, html, source);
    t.same(
      result.remarques.filter((remark) => !remark.includes('(%)')),
      [],
      source,
    );
  }
});

t.test('lists with their labels', async (t) => {
  const item = (before: string, inside = '\\item x \\item y', name = 'enumerate') =>
    document(`\\begin{${name}}${before}${inside}\\end{${name}}`);
  const items = '<li>x</li><li>y</li>';
  const cases: [source: string, html: string][] = [
    [item(''), `<ol>${items}</ol>`],
    [item('[a)]'), `<ol type="a" data-label="a)">${items}</ol>`],
    [item('[label=(\\roman*)]'), `<ol type="i" data-label="(i)">${items}</ol>`],
    [item('[label=\\textbf{\\Alph*.},start=3]'), `<ol start="3" type="A">${items}</ol>`],
    [item('[Q1.]'), '<ul><li>Q1. x</li><li>Q2. y</li></ul>'],
    [item('', '\\item[b)] x \\item[c)] y'), `<ol start="2" type="a" data-label="b)">${items}</ol>`.replace('"b)"', '"a)"')],
    [item('', '\\setcounter{enumi}{4}\\item x \\item y'), `<ol start="5">${items}</ol>`],
    [item('', '\\item x \\begin{enumerate}\\item y\\end{enumerate}'), '<ol><li>x<ol type="a" data-label="(a)"><li>y</li></ol></li></ol>'],
    [item('\\def\\labelenumi{(\\arabic{enumi})}\n\\setcounter{enumi}{2}\n'), `<ol start="3" data-label="(1)">${items}</ol>`],
    [item('', '\\item x \\item[--] y', 'itemize'), `<ul>${items}</ul>`],
    [item('', '\\item[x] y', 'description'), '<ul><li><strong>x</strong> y</li></ul>'],
    [
      document('\\begin{enumerate}\\item x\\end{enumerate}', '\\renewcommand{\\labelenumi}{\\alph{enumi})}'),
      '<ol type="a" data-label="a)"><li>x</li></ol>',
    ],
  ];
  for (const [source, html] of cases) t.equal((await read(source)).html, html, source);
});

t.test('labels that a list defines for itself are its own', async (t) => {
  const list = (label: string, inside = '') =>
    `\\begin{enumerate}\n\\def\\labelenumi{${label}}\n\\tightlist\n\\item x${inside}\n\\item y\n\\end{enumerate}\n`;
  const { html } = await read(document(list('(\\arabic{enumi})') + list('\\alph{enumi})') + list('\\Roman{enumi}.')));
  t.same(
    [...html.matchAll(/<ol[^>]*>/g)].map(([tag]) => tag),
    ['<ol data-label="(1)">', '<ol type="a" data-label="a)">', '<ol type="I">'],
  );
});

t.test('what pandoc writes: targets of links, spaces, numbers of sections, heads of long tables', async (t) => {
  const cases: [source: string, html: string][] = [
    ['\\hypertarget{un-titre}{%\n\\section{Un titre}\\label{un-titre}}\n\nTexte.', '<h2>1. Un titre</h2><p>Texte.</p>'],
    ['Voir \\protect\\hyperlink{un-titre}{plus haut}.', '<p>Voir plus haut.</p>'],
    ['\\(a,\\mspace{6mu} b\\)', '<p><span>[a,\\mskip6mu b]</span></p>'],
    ['\\[\\left\\{ x \\right.\\ \\]', '<div>[[\\left\\{ x \\right.]]</div>'],
    [
      '\\(x\\ \\) et \\(\\begin{matrix} a\\\\ \\end{matrix}\\)',
      '<p><span>[x]</span> et <span>[\\begin{matrix} a\\\\ \\end{matrix}]</span></p>',
    ],
  ];
  for (const [source, html] of cases) t.equal((await read(document(source))).html, html, source);
  for (const depth of ['-\\maxdimen', '-2', '0'])
    t.equal(
      (await read(document('Texte.\\section{Un}\\subsection{Deux}', `\\setcounter{secnumdepth}{${depth}} % sans numéro`))).html,
      '<p>Texte.</p><h2>Un</h2><h3>Deux</h3>',
      depth,
    );
  t.equal((await read(document('\\section{Un}', '\\setcounter{section}{3}'))).html, '<h2>4. Un</h2>', 'a course in several files');
  const { html, remarques } = await read(
    document(
      '\\begin{longtable}[]{@{}ll@{}}\n\\caption{Légende}\\tabularnewline\n\\toprule\na & b \\\\\n\\midrule\n\\endfirsthead\n\\toprule\na & b \\\\\n' +
        '\\midrule\n\\endhead\n\\midrule\nSuite & page suivante \\\\\n\\endfoot\n\\bottomrule\nFin & du tableau \\\\\n\\endlastfoot\nc & d \\\\\n\\end{longtable}',
      '% Options for packages loaded elsewhere',
    ),
  );
  t.equal(
    html
      .replaceAll(/<[^>]*>/g, ' ')
      .replaceAll(/\s+/g, ' ')
      .trim(),
    'Légende a b c d Fin du tableau',
  );
  t.same(remarques, [], 'comments of the preamble are no part of the text');
});

t.test('tables', async (t) => {
  const bare = (html: string): string => html.replaceAll(/<\/?(?:div|tbody|thead|p)[^>]*>/g, '').replaceAll(/<(\/?)t([rdh])/g, '<$1$2');
  const cases: [source: string, html: string][] = [
    [
      '\\begin{tabular}{|l|r|}\\hline a&b\\\\\\hline c&d\\\\[1mm]\\hline\\end{tabular}',
      '<table><r><d>a</d><d>b</d></r><r><d>c</d><d>d</d></r></table>',
    ],
    [
      '\\begin{tabular}{cc}a&\\multirow{2}{*}{b}\\\\c\\\\\\end{tabular}',
      '<table><r><d>a</d><d rowspan="2">b</d></r><r><d>c</d></r></table>',
    ],
    [
      '\\begin{tabular}{ccc}\\multicolumn{2}{c}{a}&b\\\\c&d&e\\end{tabular}',
      '<table><r><d colspan="2">a</d><d>b</d></r><r><d>c</d><d>d</d><d>e</d></r></table>',
    ],
    ['\\begin{tabular}{cc}\\multirow{2}{*}{a}&b\\\\&c\\end{tabular}', '<table><r><d rowspan="2">a</d><d>b</d></r><r><d>c</d></r></table>'],
    [
      '\\begin{tabular}{cc}\\toprule a&b\\\\\\midrule c&d\\\\\\bottomrule\\end{tabular}',
      '<table><r><h>a</h><h>b</h></r><r><d>c</d><d>d</d></r></table>',
    ],
    ['\\begin{tabularx}{5cm}{lX}a\\\\b&c\\end{tabularx}', '<table><r><d>a</d><d></d></r><r><d>b</d><d>c</d></r></table>'],
  ];
  for (const [source, html] of cases) t.equal(bare((await read(document(source))).html), html, source);
});

t.test('theorems are titled blocks with the numbers that references name', async (t) => {
  const { html, remarques } = await read(
    document(
      '\\section{Un}\\begin{thm}[de \\textit{Thalès}]\\label{t} a\\end{thm}\\begin{defi}b\\end{defi}\\begin{preuve}c\\end{preuve}\\begin{exo}d\\end{exo}' +
        '\\begin{equation}x=1\\label{e}\\end{equation} Voir \\ref{t}, \\eqref{e} et \\ref{non}.',
      "\\newtheorem{thm}{Th\\'eor\\`eme}[section]\n\\newtheorem{defi}[thm]{Définition}",
    ),
  );
  t.equal(
    html,
    '<h2>1. Un</h2><blockquote><p><strong>Théorème 1.1 (de </strong><em><strong>Thalès</strong></em><strong>)</strong></p><p>a</p></blockquote>' +
      '<blockquote><p><strong>Définition 1.2</strong></p><p>b</p></blockquote><blockquote><p><em>Preuve</em></p><p>c</p></blockquote>' +
      '<h3>Exercice</h3><p>d</p><div>[[x=1\\tag{1}]]</div><p>Voir 1.1, (1) et ??.</p>',
  );
  t.match(remarques, [/^Ligne 5 : Renvoi à compléter.*\\ref\{non\}/]);
});

t.test('commands and environments of the author', async (t) => {
  const { html } = await read(
    document(
      '\\exo{3} $\\norm{x}$, $y^\\deux$. \\debut x=1 \\fin \\begin{cadre*}a\\end{cadre*}',
      '\\newcommand{\\exo}[1]{\\textbf{Exercice #1.}}\n\\newcommand{\\norm}[1]{\\|#1\\|}\\newcommand{\\deux}{22}\n' +
        '\\def\\debut{\\begin{equation}}\\def\\fin{\\end{equation}}\n\\newenvironment{cadre*}{\\begin{quote}\\bf}{\\end{quote}}',
    ),
  );
  t.equal(
    html,
    '<p><strong>Exercice 3.</strong> <span>[\\|x\\|]</span>, <span>[y^{22}]</span>.</p><div>[[x=1]]</div><blockquote><p><strong>a</strong></p></blockquote>',
  );
});

t.test('what is not known is quoted with its line, and its text stays', async (t) => {
  const cases: [source: string, html: string, remarks: RegExp[]][] = [
    ['a \\foo{b} \\foo{c}', '<p>a b c</p>', [/^Commande inconnue \\foo\{b\} \(ligne 4\) : le texte/]],
    ['\n\\begin{truc}a\\end{truc}', '<p>a</p>', [/^Environnement inconnu \\begin\{truc\} \(ligne 5\)/]],
    [
      '\\begin{tikzpicture}\\node{A};\\end{tikzpicture}',
      '<pre><code>\\begin{tikzpicture}\\node{A};\\end{tikzpicture}</code></pre>',
      [/^Ligne 4 : Dessin tikzpicture/],
    ],
    ['$\\foo{x}$', '<p>$\\foo{x}$</p>', [/^Ligne 4 : Formule incorrecte : commande inconnue \\foo.*\$\\foo\{x\}\$/]],
    ['a } b { c $ d', '<p>a b c $ d</p>', [/^Ligne 4 : Accolade \}/, /^Ligne 4 : Formule non fermée/]],
    ['\\begin{itemize}\\item a', '<ul><li>a</li></ul>', [/^Ligne 4 : \\begin\{itemize\} jamais fermé/]],
    ['\\includegraphics{courbe}a', '<p>a</p>', [/^Ligne 4 : Image à ajouter.*courbe/]],
    ['\\input{partie}a', '<p>a</p>', [/^Ligne 4 : Fichier à ajouter.*partie/]],
    ['a\n\\end{document}\nb', '<p>a</p>', [/^Ligne 5 : Texte après \\end\{document\}.* b/]],
  ];
  for (const [source, html, remarks] of cases) {
    const result = await read(document(source));
    t.equal(result.html, html, source);
    t.match(result.remarques, remarks, source);
  }
});

t.test('the title and the words of a preamble', async (t) => {
  const source = document('\\maketitle a', "\\title{Les suites : l'essentiel}\\author{M. Nkolo}\\date{Mars 2024}\\lhead{Lycée}");
  const own = await read(source);
  t.match([own.titre, own.html], ['Les suites l essentiel', '<p>a</p>']);
  t.match(own.remarques, [/Auteur.*M\. Nkolo/, /Date.*Mars 2024/, /En-tête.*Lycée/, /adapté/]);
  t.match(await read(source, { hasTitle: false }), { titre: null, html: "<h1>Les suites : l'essentiel</h1><p>a</p>" });
});

t.test('solutions become the correction, with the exercise and the question that they belong to', async (t) => {
  const source = document(
    '\\begin{exercice}Énoncé.\\begin{enumerate}[a)]\\item Un\\begin{solution}Oui.\\end{solution}\\item Deux\\end{enumerate}\\end{exercice}',
  );
  const { html, corrige, remarques } = await read(source);
  t.equal(html, '<h2>Exercice</h2><p>Énoncé.</p><ol type="a" data-label="a)"><li>Un</li><li>Deux</li></ol>');
  t.equal(corrige, '<h3>Exercice</h3><p><strong>Question a)</strong></p><p>Oui.</p>');
  t.match(remarques, [/^1 solution/]);
  t.match(await read(source, { hasCorrection: false }), {
    corrige: null,
    html: /<blockquote><p><strong>Corrigé<\/strong><\/p><p>Oui\.<\/p><\/blockquote>/,
  });
  t.match(await read(document('a\\section*{Corrigé} b')), { html: '<p>a</p>', corrige: '<p>b</p>' });
});

t.test('encodings', async (t) => {
  const text = document('été œ', '\\usepackage[utf8]{inputenc}');
  t.equal((await read(`\ufeff${text}`)).html, '<p>été œ</p>');
  const latin = await read(Buffer.from(document('été\r\n\r\nfin', '\\usepackage[latin1]{inputenc}'), 'latin1'));
  t.match(latin, { html: '<p>été</p><p>fin</p>', remarques: [] });
  t.equal(latin.remarques.length, 0, 'the file says its encoding');
  t.match((await read(Buffer.from(document('été'), 'latin1'))).remarques, [/UTF-8/]);
  const mac = Buffer.concat([
    Buffer.from(document('', '\\usepackage[applemac]{inputenc}').split('\\end')[0] ?? ''),
    Buffer.from([0x8e]),
    Buffer.from('\\end{document}'),
  ]);
  t.equal((await read(mac)).html, '<p>é</p>');
});

t.test('an archive with pictures and parts', async (t) => {
  const zip = (files: Record<string, string>) => {
    const archive = new JSZip();
    for (const [name, content] of Object.entries(files)) archive.file(name, content);
    return archive.generateAsync({ type: 'nodebuffer', compression: 'DEFLATE' });
  };
  const { html, remarques } = await read(
    await zip({
      'cours/cours.tex': document('\\begin{figure}\\includegraphics[width=100px]{img/a}\\caption{Une courbe}\\end{figure}\\input{suite}'),
      'cours/suite.tex': 'Suite $x$.\n\\foo',
      'cours/img/a.png': 'a',
      '__MACOSX/cours/._cours.tex': 'x',
    }),
  );
  t.equal(
    html,
    '<figure><img src="/media/a.webp" alt="" width="100" height="50"><figcaption>Figure 1 : Une courbe</figcaption></figure><p>Suite <span>[x]</span>.</p>',
  );
  t.match(remarques, [/\\foo \(suite, ligne 2\)/]);
  const two = await zip({ 'a.tex': document('a'), 'b.tex': document('b') });
  await t.rejects(read(two), { status: 400, message: /plusieurs documents TeX : a\.tex, b\.tex/ });
});

t.test('a TeX file is recognised by its class, whatever its name; Markdown about TeX is not one', async (t) => {
  const named = async (source: string) => htmlOf((await importDocument(Buffer.from(source), store)).contenu);
  t.equal(await named(`% Cours\n${document('\\textbf{a}')}`), '<p><strong>a</strong></p>');
  t.match(await named('Un fichier commence par `\\documentclass`.\n\n- a'), /<ul><li>a<\/li><\/ul>/);
});

t.test('a file made to exhaust the server is refused, or read in time', async (t) => {
  const hostile: Record<string, string> = {
    groups: '{'.repeat(200_000),
    'groups that close': `${'{'.repeat(5_000)}a${'}'.repeat(5_000)}`,
    environments: '\\begin{quote}'.repeat(20_000),
    lists: '\\begin{itemize}\\item '.repeat(100),
    footnotes: '\\footnote{'.repeat(140),
    dollars: '$a{'.repeat(20_000),
    'display formulas': '\\[a'.repeat(10_000),
    'environments of formulas': '\\begin{align}a'.repeat(5_000),
    verbatim: '\\begin{verbatim}'.repeat(5_000),
    verb: '\\verb|'.repeat(10_000),
    brackets: '\\item['.repeat(10_000),
    options: '\\section['.repeat(5_000),
    labels: '\\begin{enumerate}['.repeat(90),
    'an endless command': document('\\a', '\\newcommand{\\a}{\\a\\a}'),
    'commands that double': document(
      '\\e',
      'abcde'.replaceAll(
        /./g,
        (name) =>
          `\\newcommand{\\${name}}{${name === 'a' ? 'x'.repeat(500) : `\\${String.fromCharCode(name.charCodeAt(0) - 1)}`.repeat(50)}}\n`,
      ),
    ),
    'an endless environment': document('\\begin{q}', '\\newenvironment{q}{\\begin{q}}{\\end{q}}'),
    cells: `\\begin{tabular}{${'c'.repeat(1000)}}${'&'.repeat(20_000)}\\end{tabular}`,
    columns: '\\begin{tabular}{*{99}{*{99}{*{99}{c}}}}a\\end{tabular}',
    spans: `\\begin{tabular}{c}${'\\multicolumn{100}{c}{\\multirow{100}{*}{a}}\\\\'.repeat(200)}\\end{tabular}`,
    paragraphs: 'a\n\n'.repeat(30_000),
    comments: '%a\n'.repeat(100_000),
    accents: "\\'".repeat(20_000),
    'an input of itself': '\\input{cours}'.repeat(1_000),
    addresses: '\\url{'.repeat(20_000),
    'too long': 'a'.repeat(1_000_001),
  };
  for (const [name, source] of Object.entries(hostile)) {
    const start = process.cpuUsage();
    try {
      await read(source);
    } catch (error) {
      t.match(error, { name: 'AppError', status: 400, message: /trop/ }, name);
    }
    const { user, system } = process.cpuUsage(start);
    t.ok((user + system) / 1e6 < 20, `${name}: ${((user + system) / 1e6).toFixed(1)} s`);
  }
});
