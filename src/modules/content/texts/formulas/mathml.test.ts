import t from 'tap';
import { renderFormulaOrSource } from '../../../../../test/support/forgiving-html.ts';
import { FormulaError, formulaTimeLimitMs, renderFormula } from './mathml.ts';

const TYPICAL = String.raw`
x^2 + y_1^3
\dfrac{a+b}{c} = \frac{1}{2}
\sqrt{x} + \sqrt[3]{x+1}
\left(1 + \dfrac{a}{n}\right)^n
\left\lvert x \right\rvert \leq \varepsilon
\lim\limits_{x \to 0^+} x \ln x = 0
\sum_{k=1}^{n} k^2 = \dfrac{n(n+1)(2n+1)}{6}
\int_0^1 f(t)\,\mathrm{d}t = \big[F(t)\big]_0^1
\iint_D f\,\mathrm{d}x\,\mathrm{d}y \quad \oint
\begin{pmatrix} 1 & 2 \\ 3 & 4 \end{pmatrix}
\begin{vmatrix} a & b \\ c & d \end{vmatrix} = ad - bc
\left(\begin{array}{cc|c} 1 & 2 & 3 \\ \hline 4 & 5 & 6 \end{array}\right)
\begin{array}{|l|r||c:} \hline a & b & c \\[1em] \hdashline d & e & f \\ \hline\hline \end{array}
\begin{cases} x & \text{si } x > 0 \\ -x & \text{sinon} \end{cases}
\begin{aligned} a &= b + c \\ &= d \end{aligned}
\begin{align*} a &= b \\ c &= d \end{align*}
\begin{gather} a = b \\ c = d \end{gather}
\begin{smallmatrix} 1 & 0 \\ 0 & 1 \end{smallmatrix}
\begin{multline} a + b \\ + c \end{multline}
\left\{\begin{array}{l} x + y = 1 \\ x - y = 2 \end{array}\right.
\mathbb{R} \setminus \{0\} \subset \mathbb{C}
\mathcal{C}_f, \mathscr{L}, \mathfrak{g}, \mathbf{u}, \boldsymbol{x}, \mathtt{x}
\overrightarrow{AB} \cdot \vec{u} = \lVert \vec{v} \rVert
\widehat{ABC} = 60^\circ, \overline{z}, \hat{x}, \tilde{x}, \dot{x}
\underbrace{1 + \dots + 1}_{n \text{ fois}} + \overbrace{a}^{b}
\binom{n}{k} = \mathrm{C}_n^k
f' = f'' \circ g^{-1}
\forall x \in \mathbb{R},\ \exists y : x \neq y \iff \neg P
A \xrightarrow{k_1} B \rightleftharpoons C
\ce{2H2O -> 2H2 + O2}
\ce{SO4^2- + Ba^2+ <=> BaSO4 v}
\boxed{E = mc^2}
\fcolorbox{red}{yellow}{x} \colorbox{#eee}{y} \textcolor{blue}{z}
\cancel{x} + \bcancel{y} + \xcancel{z} + \sout{a} + \cancelto{0}{b}
x \! y \, z \; t \quad u \mkern-5mu v \kern-1em w
\mathrlap{x} y \mathllap{z} \mathclap{t} \phantom{u} \smash{v}
\overset{a}{b} \underset{c}{d} \stackrel{def}{=}
\tag{1} a = b
\operatorname{Re}(z) + \arg z + \ln x + \sin^2 \theta
\raisebox{1em}{x} \rule{1em}{2pt} \Huge x
0{,}68 \lt \alpha \gt 3 \times 10^{-5}\ \text{mol} \cdot \text{L}^{-1}
`
  .trim()
  .split('\n');

t.test('typical formulas carry no style, script or address', async (t) => {
  t.ok(TYPICAL.length >= 40);
  for (const latex of TYPICAL) {
    const mathml = renderFormula(latex, true);
    t.match(mathml, /^<math display="block">.*<\/math>$/s, latex);
    // Quoted values are emptied first, so that only real attributes match.
    t.notMatch(mathml.replaceAll(/"[^"]*"/g, '""'), /\s(?:style|href|src|id|on\w+)=|<(?:script|img|a|svg)\b/, latex);
  }
});

t.test('inline styles of Temml become classes', async (t) => {
  t.match(renderFormula('\\begin{array}{|l|}\\hline x\\end{array}', false), /<mtd class="tml-left f-bt f-pl0 f-pr4 f-bl f-br">/);
  t.match(renderFormula('x\\!y', false), '<mrow class="f-neg3">');
  t.match(renderFormula('\\textcolor{red}{x}', false), '<mi mathcolor="#ff0000">x</mi>');
  t.match(renderFormula('\\boxed{x}', false), 'class="f-boxed"');
  t.equal(
    renderFormula('x^2', false),
    '<math><msup><mi>x</mi><mrow><mphantom>^</mphantom><mn class="tml-sml-pad">2</mn></mrow></msup></math>',
  );
});

t.test('a prime is a sign on the line, not a superscript', async (t) => {
  const prime = '<mo lspace="0em" rspace="0em">′</mo>';
  t.equal(renderFormula("f'", false), `<math><mrow><mi>f</mi>${prime}</mrow></math>`);
  t.equal(
    renderFormula("u_n'", false),
    `<math><mrow><msub><mi>u</mi><mrow><mphantom>_</mphantom><mi>n</mi></mrow></msub>${prime}</mrow></math>`,
  );
  t.match(renderFormula("(fg)'", false), '<msup><mrow>', 'a prime after brackets is not moved, since brackets may be tall');
});

t.test('several primes have no space between them', async (t) => {
  const prime = '<mo lspace="0em" rspace="0em">′</mo>';
  t.equal(renderFormula("f''", false), `<math><mrow><mi>f</mi>${prime}${prime}</mrow></math>`);
});

t.test('dots are spaced according to their neighbours, and no line breaks after them', async (t) => {
  const dots = (mathml: string) => /<mo lspace="([^"]+)" rspace="([^"]+)">[…⋯]<\/mo>(<mo>\+<\/mo>)?/.exec(mathml)?.slice(1);
  t.same(dots(renderFormula(String.raw`u_0 + u_1 + \cdots + u_{n-1} + u_n`, false)), ['0em', '0em', '<mo>+</mo>']);
  t.same(dots(renderFormula(String.raw`x_1 x_2 \cdots x_n`, false))?.slice(0, 2), ['0.1667em', '0.1667em']);
  t.same(dots(renderFormula(String.raw`1, 2, \dots, n`, true))?.slice(0, 2), ['0em', '0em']);
});

t.test('a long formula within a line can be broken at its operators', async (t) => {
  const latex = 'a + b = c + d + e + f + g';
  t.match(renderFormula(latex, false), /^<math class="f-rows"><mrow><mi>a<\/mi><mo>\+<\/mo><\/mrow><mrow><mi>b<\/mi> <mo>=<\/mo> <\/mrow>/);
  t.notMatch(renderFormula(latex, true), '</mrow><mrow>');
  t.notMatch(renderFormula('a + b = c', false), '</mrow><mrow>');
  t.match(renderFormula(`\\displaystyle ${latex}`, false), '<mo>+</mo></mstyle><mstyle scriptlevel="0" displaystyle="true"><mi>b</mi>');
});

t.test('text of a formula is escaped', async (t) => {
  const mathml = renderFormula('\\text{</math><script>alert(1)</script><img src=x onerror="a">}', false);
  t.notMatch(mathml, /<(?:script|img)/);
  t.match(mathml, '&lt;script&gt;');
});

t.test('faults are reported in French', async (t) => {
  const faulty: [string, string, RegExp][] = [
    ['', 'EMPTY', /vide/],
    ['  ', 'EMPTY', /vide/],
    ['x'.repeat(2001), 'TOO_LONG', /2000/],
    ['\\foo', 'INVALID', /commande inconnue \\foo \(caractère 1\)/],
    ['\\frac{1}{2', 'INVALID', /une accolade manque/],
    ['\\href{javascript:alert(1)}{x}', 'INVALID', /commande inconnue \\href/],
    ['\\class{a}{x}', 'INVALID', /commande interdite \\class/],
    ['\\includegraphics{a.png}', 'INVALID', /interdite/],
    ['x_1_2', 'INVALID', /deux indices/],
    ['\\begin{foo}x\\end{foo}', 'INVALID', /environnement inconnu foo/],
    ['\\def\\a{x}\\a', 'FORBIDDEN', /\\def n'est pas admise/],
    ['\\newcommand{\\a}{x}', 'FORBIDDEN', /macro/],
    ['\\begin{matrix}a\\end{pmatrix}', 'INVALID', /\\begin\{matrix\} est fermé par \\end\{pmatrix\}/],
  ];
  for (const [latex, fault, message] of faulty)
    t.throws(() => renderFormula(latex, false), { name: 'FormulaError', fault, message }, latex.slice(0, 40));
});

t.test('no fault message comes from the converter or the JavaScript engine', async (t) => {
  const faulty: [string, RegExp][] = [
    ['^'.repeat(1000), /^Formule incorrecte$/],
    ['\\char"FFFFFFF', /^Formule incorrecte : caractère interdit$/],
    ['\\char"Z', /^Formule incorrecte : numéro de caractère incorrect/],
    ['\\color{url(x)}x', /^Formule incorrecte : couleur inconnue \(caractère \d\)$/],
    ['ab\0', /^Formule incorrecte : caractère interdit \(caractère 3\)$/],
    ['\\rule{1zz}{1em}', /^Formule incorrecte : longueur incorrecte \(caractère \d\)$/],
    ['\\begin{array}{q}1\\end{array}', /^Formule incorrecte : colonnes à aligner par l, c ou r/],
    ['\\text{\u0001}', /^Formule incorrecte : caractère interdit \(caractère 7\)$/],
    ['a}b', /^Formule incorrecte : "}" au lieu de la fin de la formule \(caractère 2\)$/],
    ['\\sqrt{a', /^Formule incorrecte : (?:un argument ou une accolade manque|la fin de la formule au lieu de "}")/],
    ['\\text{at position 9}\\sfrac{x}{2}', /^Formule incorrecte \(caractère \d\d\)$/],
    ['\\providecommand ', /^Formule incorrecte \(à la fin\)$/],
  ];
  for (const [latex, message] of faulty)
    t.throws(() => renderFormula(latex, false), { name: 'FormulaError', fault: 'INVALID', message }, latex.slice(0, 40));
});

t.test('a character that HTML cannot hold is refused, whatever its notation', async (t) => {
  const message = 'La formule contient un caractère interdit';
  for (const latex of ['\\char"0', '\\char"1', '\\char"D800', 'x + \\text{\\char"0} + y']) {
    for (const display of [true, false])
      t.throws(() => renderFormula(latex, display), { name: 'FormulaError', fault: 'FORBIDDEN', message }, latex);
  }
  t.equal(renderFormulaOrSource('\\char"0', false), '<code>\\char"0</code>', 'a text shows the LaTeX of the refused formula');
  t.match(renderFormula('\\char"41', false), '>A<');
  t.match(renderFormula('\\char"1F600', false), '😀');
});

t.test('a hostile formula is stopped by the time limit', async (t) => {
  const nested = (open: string, close: string, levels: number): string => open.repeat(levels) + close.repeat(levels);
  const hostile = [
    nested('\\cancelto{1}{', '}', 140),
    nested('\\mathllap{', '}', 180),
    nested('{', '}', 990),
    nested('\\sqrt{', '}', 285),
    nested('x^{', '}', 400),
    nested('\\left(', '\\right)', 140),
    `\\ce{${'('.repeat(1900)}}`,
    `\\ce{${'a->[b]'.repeat(300)}}`,
    `\\begin{matrix}${'&'.repeat(1900)}\\end{matrix}`,
    `\\begin{matrix}${'\\\\'.repeat(900)}\\end{matrix}`,
    '\\rule{1e9em}{1e9em}',
    '\\quad'.repeat(390),
    "x'''''''".repeat(240),
  ];
  for (const latex of hostile) {
    const start = performance.now();
    try {
      t.ok(renderFormula(latex, true).length <= 210_000);
    } catch (error) {
      t.type(error, FormulaError, latex.slice(0, 20));
    }
    const took = performance.now() - start;
    t.ok(took < formulaTimeLimitMs + 4_000, `${latex.slice(0, 20)}: ${took.toFixed(0)} ms`);
  }
  t.throws(() => renderFormula(hostile[0] as string, true), { name: 'FormulaError', fault: 'TIMEOUT' });
  t.match(renderFormula('x', false), '<mi>x</mi>', 'the next formula is rendered as usual');
});

t.test('a page shows the LaTeX of a faulty formula', async (t) => {
  t.equal(renderFormulaOrSource('\\foo<b>', false), '<code>\\foo&lt;b&gt;</code>');
  t.match(renderFormulaOrSource('x', true), '<math display="block">');
});
