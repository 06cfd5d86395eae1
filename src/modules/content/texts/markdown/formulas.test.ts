import t from 'tap';
import { seeded } from '../../../../../test/support/random.ts';
import { htmlOf, imported } from '../../../../../test/support/word-file.ts';
import { documentFromJson } from '../../../../shared/rich-text/document.ts';
import { readBody } from '../../seed/strict-body.ts';

/** Returns the HTML that the import makes of a Markdown text, with formulas as `[latex]` and `[[latex]]`. */
async function html(source: string): Promise<string> {
  const { contenu } = await imported(Buffer.from(source));
  return htmlOf(contenu);
}

const MATRIX = '\\begin{pmatrix}\n1 & 0 \\\\\n2 & 3\n\\end{pmatrix}';
const matrix = '\\begin{pmatrix} 1 &amp; 0 \\\\ 2 &amp; 3 \\end{pmatrix}';

t.test('formulas over several lines are kept together, and words between them stay words', async (t) => {
  const cases: [string, string][] = [
    [`Soit $A=${MATRIX}$ et $x+\ny=2$. Puis`, `<p>Soit <span>[A=${matrix}]</span> et <span>[x+ y=2]</span>. Puis</p>`],
    ['a\n\n$$\nA = B\n=\nC\n$$\n\nb', '<p>a</p><div>[[A = B\n=\nC]]</div><p>b</p>'],
    ...['-', '+', '*', '>', '1.', '---', '***', '|', '=', '===\n', '[^1]'].map((sign): [string, string] => [
      `$a\n${sign} b$ c`,
      `<p><span>[a ${sign.trim().replace('>', '&gt;')} b]</span> c</p>`,
    ]),
    ['$$\n- a\n> c\n1. d\n$$', '<div>[[- a\n&gt; c\n1. d]]</div>'],
    // No renderer accepts this formula, and its second line must not become a heading.
    ['$a\n# b$', '<p>$a # b$</p>'],
    ['$a_1*b$ c*d_e $f_2*g$', '<p><span>[a_1*b]</span> c*d_e <span>[f_2*g]</span></p>'],
    ['- a $x\n  - y$ b\n- c', '<ul><li>a <span>[x - y]</span> b</li><li>c</li></ul>'],
    ['1. a\n\n   $$\n   x\n   + y\n   $$\n\n   b', '<ol><li>a<div>[[x\n+ y]]</div><p>b</p></li></ol>'],
    ['> a $x\n> > 3$ b\n>\n> $$y\n> = z$$', '<blockquote><p>a <span>[x &gt; 3]</span> b</p><div>[[y\n= z]]</div></blockquote>'],
    ['- en $US/kg\n- en CA$', '<ul><li>en $US/kg</li><li>en CA$</li></ul>'],
    ['a\n\n$x\n\ny$', '<p>a</p><p>$x</p><p>y$</p>'],
    ['## Le $x\n$y$', '<h2>Le $x</h2><p><span>[y]</span></p>'],
    ['$\\text{si $x>0$ et}\ny$ b', '<p><span>[\\text{si $x&gt;0$ et} y]</span> b</p>'],
    ['$a % b\n c$ d', '<p><span>[a c]</span> d</p>'],
    [
      '\\(a\n= b\\) et\n\\begin{align*}\na &= b \\\\\n&= c\n\\end{align*}',
      '<p><span>[a = b]</span> et</p><div>[[\\begin{align*}\na &amp;= b \\\\\n&amp;= c\n\\end{align*}]]</div>',
    ],
    ['[^1] a\n\n[^1]: b $x\n    - y$ c', '<p><sup>[1]</sup> a</p><p><strong>Notes</strong></p><ol><li>b <span>[x - y]</span> c</li></ol>'],
  ];
  for (const [source, expected] of cases) t.equal(await html(source), expected, JSON.stringify(source));
});

t.test('dollars of prices, code and addresses open no formula', async (t) => {
  const cases: [string, string][] = [
    ['5 $ et 6 $', '<p>5 $ et 6 $</p>'],
    ['Le prix est de 5 000 $ et 20$ de frais, $x$.', '<p>Le prix est de 5 000 $ et 20$ de frais, <span>[x]</span>.</p>'],
    ['de $5 à $6', '<p>de $5 à $6</p>'],
    ['\\$x\\$ et $y\\$z$', '<p>$x$ et <span>[y\\$z]</span></p>'],
    ['\\\\$x$ \\$$y$', '<p>\\<span>[x]</span> $<span>[y]</span></p>'],
    ['`$x$` et ``a ` $y$``', '<p><code>$x$</code> et <code>a ` $y$</code></p>'],
    ['```\n$x$\n- $y\n```\n\n$z$', '<pre><code>$x$\n- $y</code></pre><p><span>[z]</span></p>'],
    ['- a\n\n  ~~~\n  $x$\n  ~~~\n- $y$', '<ul><li>a<pre><code>$x$</code></pre></li><li><span>[y]</span></li></ul>'],
    ['a\n\n    $x$ est\n      du code\n\n$y$', '<p>a</p><pre><code>$x$ est\n  du code</code></pre><p><span>[y]</span></p>'],
    ['- a\n\n      $x$\n      b', '<ul><li>a<pre><code>$x$\nb</code></pre></li></ul>'],
    ['[a $x$](https://a.cm/$b) et c$d', '<p><a href="https://a.cm/$b">a <span>[x]</span></a> et c$d</p>'],
    [
      '<https://a.cm/$b> c$ https://a.cm/$d e$',
      '<p><a href="https://a.cm/$b">https://a.cm/$b</a> c$ <a href="https://a.cm/$d">https://a.cm/$d</a> e$</p>',
    ],
    ['<u>$x$</u> <b title="$a">b$</b>', '<p><u><span>[x]</span></u> <strong>b$</strong></p>'],
    ['<div>\n<p>$x &lt; y$ et 5 $</p>\n</div>', '<p><span>[x &lt; y]</span> et 5 $</p>'],
    ['Un \u{f0024} et $x$', '<p>Un \u{f0024} et <span>[x]</span></p>'],
  ];
  for (const [source, expected] of cases) t.equal(await html(source), expected, JSON.stringify(source));
});

t.test('the characters next to a dollar tell money from mathematics', async (t) => {
  const cases: [string, string][] = [
    ["Le riz coûte 5$ et l'huile 6$, donc 11$.", "<p>Le riz coûte 5$ et l'huile 6$, donc 11$.</p>"],
    ['8 000 FCFA (13$) contre 3 000 FCFA (5$)', '<p>8 000 FCFA (13$) contre 3 000 FCFA (5$)</p>'],
    ['**5$** et *6$*, riz 5$/kg, sel 6$/kg, 3k$, 4k$', '<p><strong>5$</strong> et <em>6$</em>, riz 5$/kg, sel 6$/kg, 3k$, 4k$</p>'],
    ['5 US$, 6 US$ ; le dollar ($) vaut 600 FCFA ($x$)', '<p>5 US$, 6 US$ ; le dollar ($) vaut 600 FCFA (<span>[x]</span>)</p>'],
    [
      "Il paie 5$x$ puis 20$, $y=4$ et 7$, l'autre $z$.",
      "<p>Il paie 5<span>[x]</span> puis 20$, <span>[y=4]</span> et 7$, l'autre <span>[z]</span>.</p>",
    ],
    [
      '3$\\times$10$^{8}$ m, 2$x$ + 3$y$, 5$_1$, 25$^\\circ$C',
      '<p>3<span>[\\times]</span>10<span>[^{8}]</span> m, 2<span>[x]</span> + 3<span>[y]</span>, 5<span>[_1]</span>, 25<span>[^\\circ]</span>C</p>',
    ],
    [
      'Soit $ \\alpha^2 $ et $ x $ ou $ f(x) = 2 $.',
      '<p>Soit <span>[\\alpha^2]</span> et <span>[x]</span> ou <span>[f(x) = 2]</span>.</p>',
    ],
    ['5 $ x $ et $ de plus $ et 6 $ a $', '<p>5 $ x $ et $ de plus $ et 6 $ a $</p>'],
    ['$`a_1`$ et `$`', '<p><span>[a_1]</span> et <code>$</code></p>'],
  ];
  for (const [source, expected] of cases) t.equal(await html(source), expected, JSON.stringify(source));
});

t.test('a bar within a formula ends no cell', async (t) => {
  const table = await html('| a | $|x|$ |\n|---|---|\n| $\\{x \\mid y\\}$ | $\\|u\\| | v$ |');
  t.match(table, /<tr><td>.*\[\\\{x \\mid y\\\}\].*<\/td><td>.*\[\\\|u\\\| \| v\].*<\/td><\/tr>/);
  t.equal(table.split('<tr>').length - 1, 2);
});

t.test('text that pandoc indents below an item unknown to our Markdown keeps its formulas', async (t) => {
  const source =
    '(1) Un $a$\n\n    a) Deux $b$\n\n        i. Trois $c$\n\n            $$d\n            = e$$\n\nTerme\n\n:   Sens $f$\n\n    - $g$\n\nFin';
  const read = await html(source);
  t.notMatch(read, /<pre>/);
  t.equal(
    read,
    '<p>(1) Un <span>[a]</span></p><p>a) Deux <span>[b]</span></p><p>i. Trois <span>[c]</span></p><div>[[d\n = e]]</div>' +
      '<p>Terme</p><p>: Sens <span>[f]</span></p><ul><li><span>[g]</span></li></ul><p>Fin</p>',
  );
});

t.test("faults of dollars in an operator's file are reported with their line", async (t) => {
  const faults = (source: string): string[] => {
    const found: string[] = [];
    readBody(source, 'md', 1, (line, message) => found.push(`${line}: ${message.slice(0, 40)}`));
    return found;
  };
  t.same(faults('$a\n= b\n- c$ et\n\n$\\foo$'), ['5: Formule incorrecte : commande inconnue \\']);
  t.same(faults('5 $ et 6 $'), ["1: Un $ suivi d'une espace n'ouvre pas de f", '1: Formule non fermée : un $ est seul sur s']);
});

/** Returns a random formula that authors might break over lines, with characters that Markdown would interpret at the start of a line. */
function randomFormula(random: () => number): string {
  const pick = <T>(from: readonly T[]): T => from[Math.floor(random() * from.length)] as T;
  const pieces = [
    'x_1',
    'y^2',
    '= 3',
    '\\frac{a}{b}',
    '- z',
    '+ t',
    '* u',
    '> 5',
    '\\begin{pmatrix}\n1 & 0 \\\\\n- 2 & 3\n\\end{pmatrix}',
    '\\text{ si }',
    '|v|',
    '\\{w\\}',
    '\\# 7',
    '1. 8',
    '`',
    '<a b>',
    '[c](d)',
    '\\\\',
  ];
  const count = 1 + Math.floor(random() * 6);
  return ['x', ...Array.from({ length: count }, () => pick(pieces)), 'n'].reduce((all, piece) => all + pick([' ', '\n', '\n  ']) + piece);
}

t.test('random prose and formulas keep their order and content', async (t) => {
  const squeezed = (text: string): string => text.replaceAll(/\s+/g, ' ').trim();
  for (let seed = 1; seed <= 400; seed += 1) {
    const random = seeded(seed);
    const pick = <T>(from: readonly T[]): T => from[Math.floor(random() * from.length)] as T;
    const expected: string[] = [];
    const blocks = Array.from({ length: 1 + Math.floor(random() * 5) }, () => {
      const [first, next] = pick([
        ['', ''],
        ['', ''],
        ['- ', '  '],
        ['3. ', '   '],
        ['> ', '> '],
        ['> - ', '>   '],
        ['(a) ', '    '],
      ] as const);
      let text = first === '(a) ' ? '(a) ' : '';
      let words = text;
      for (let piece = 0; piece < 1 + random() * 6; piece += 1) {
        if (random() < 0.5) {
          const latex = randomFormula(random);
          const sign = random() < 0.3 ? '$$' : '$';
          text += `${sign}${latex}${sign}${pick([' ', ', ', '\n'])}`;
          if (words.trim() !== '') expected.push(squeezed(words));
          words = text.endsWith(', ') ? ', ' : '';
          expected.push(`[${squeezed(latex)}]`);
        } else {
          const word = pick(['soit', 'et', 'à 5 $ ou 6 $', 'une étoile * seule', 'puis', 'un_nom', 'a < b', 'donc (x) =', 'le 3e']);
          text += word + pick([' ', '\n']);
          words += `${word} `;
        }
      }
      if (words.trim() !== '') expected.push(squeezed(words));
      const lines = text.trimEnd().split('\n');
      return (first === '(a) ' ? '' : first) + lines.join(`\n${next}`);
    });
    const { contenu } = await imported(Buffer.from(blocks.join('\n\n***\n\n')));
    const found: string[] = [];
    const blockOf = documentFromJson(contenu);
    let words = '';
    const flush = (): void => {
      if (words.trim() !== '') found.push(squeezed(words));
      words = '';
    };
    blockOf.descendants((node) => {
      if (node.isText) words += node.text;
      else if (node.attrs.latex === undefined) flush();
      else {
        flush();
        found.push(`[${squeezed(node.attrs.latex)}]`);
      }
    });
    flush();
    if (
      !t.strictSame(
        found,
        expected.filter((piece) => piece !== ''),
        `seed ${seed}\n${blocks.join('\n\n***\n\n')}`,
      )
    )
      break;
  }
});
