import { parseHTML } from 'linkedom';
import t from 'tap';
import { mathMlToLatex } from '../rich-text/foreign/formulas/mathml-to-latex.ts';
import { renderFormula } from './render.ts';

// Formulas of the demonstration, and how a person would type them on a keyboard.
const READ: readonly (readonly [latex: string, read: string])[] = [
  ['u_n = \\dfrac{n+6}{n+3}', 'u_n = (n+6)/(n+3)'],
  ['\\dfrac{u_n+6}{3}', '(u_n+6)/3'],
  ['\\dfrac{1}{2}x^2 + \\dfrac{a}{b}', '(1/2)x^2+a/b'],
  ['\\dfrac{\\frac{a}{b}}{2c}', '(a/b)/(2c)'],
  ['-\\dfrac{b}{a}.', '−b/a.'],
  ['\\dfrac{27\\,500}{25\\,000}', '27 500/25 000'],
  ['e_p = \\dfrac{\\Delta Q / Q}{\\Delta P / P}', 'e_p = (ΔQ/Q)/(ΔP/P)'],
  ['i = C\\dfrac{\\mathrm{d}u_C}{\\mathrm{d}t}', 'i = C(du_C/dt)'],
  ['\\left(\\dfrac{3}{7}\\right)^5', '(3/7)^5'],
  ['\\left(1 + \\dfrac{a}{n}\\right)^n', '(1+a/n)^n'],
  ['\\sqrt{2}', '√2'],
  ['\\sqrt{x+1}', '√(x+1)'],
  ['\\sqrt[3]{x+1}', '(x+1)^(1/3)'],
  ['\\dfrac{-b \\pm \\sqrt{b^2-4ac}}{2a}', '(−b±√(b^2−4ac))/(2a)'],
  ['\\sum_{k=1}^{n} \\dfrac{1}{k}', '∑_(k=1)^n (1/k)'],
  ['\\prod_{k=0}^{n} k', '∏_(k=0)^n k'],
  ['\\lim\\limits_{x \\to 0^+} x \\ln x = 0', 'lim_(x→0^+) x ln x = 0'],
  ['\\lim_{x \\to +\\infty} \\dfrac{\\ln x}{x}', 'lim_(x→+∞) ((ln x)/x)'],
  ['\\int_0^1 f(t)\\,\\mathrm{d}t', '∫_0^1 f(t) dt'],
  ['\\displaystyle\\int_a^b \\dfrac{f(x)}{x}\\,dx', '∫_a^b (f(x)/x) dx'],
  ['\\Big[u(x)\\,v(x)\\Big]_a^b', '[u(x) v(x)]_a^b'],
  ['\\begin{pmatrix} 1 & 2 \\\\ 3 & 4 \\end{pmatrix}', '(1, 2; 3, 4)'],
  ['\\begin{vmatrix} a & b \\\\ c & d \\end{vmatrix} = ad - bc', '|a, b; c, d| = ad−bc'],
  ['\\begin{cases} x & \\text{si } x > 0 \\\\ -x & \\text{sinon} \\end{cases}', '{x, si x > 0; −x, sinon'],
  ['\\left\\{\\begin{array}{l} x + y = 1 \\\\ x - y = 2 \\end{array}\\right.', '{x+y = 1; x−y = 2'],
  ['\\begin{aligned} a &= b \\\\ &= d \\end{aligned}', 'a = b; = d'],
  ['\\overrightarrow{AB} \\cdot \\vec{u}', 'AB→⋅u→'],
  ['\\sum \\vec{F}_{\\text{ext}} = m\\,\\vec{a}', '∑F→_ext = m a→'],
  ['\\widehat{ABC} = 60^\\circ', 'ABCˆ = 60∘'],
  ['\\overline{z + 1}', '(z+1)‾'],
  ['\\binom{n}{k} = C_n^k', 'C(n, k) = C_n^k'],
  ["f'(x) = f''(x)", 'f′(x) = f′′(x)'],
  ["u_n' + (fg)'(x)", 'u_n′+(fg)′(x)'],
  ['u_{n_k} + u_{n+1}', 'u_(n_k)+u_(n+1)'],
  ['e^{x^2} = x^2y', 'e^(x^2) = x^2 y'],
  ['e^{-\\frac{t}{\\tau}}', 'e^(−t/τ)'],
  ['c_1^2 + x_1^{2n}', 'c_1^2+x_1^(2n)'],
  ['\\sin^2\\theta + \\cos(x)', 'sin^2 θ+cos(x)'],
  ['\\lvert u_n - \\ell \\rvert \\leq \\dfrac{1}{2}', '|u_n−ℓ| ≤ 1/2'],
  ['\\mathcal{P} : 2x - y = 0', '𝒫 : 2x−y = 0'],
  ['f : x \\mapsto x^3', 'f : x ↦ x^3'],
  ['0{,}68 \\times 10^{-5}\\ \\mathrm{mol \\cdot L^{-1}}', '0,68×10^(−5) mol⋅L^(−1)'],
  ['\\ce{2H2O -> 2H2 + O2}', '2 H_2O → 2 H_2+O_2'],
  ['[\\mathrm{H_3O^+}]', '[H_3O^+]'],
  ['A \\xrightarrow{k_1} B', 'A →^(k_1) B'],
  ['{}^{14}_{6}\\mathrm{C}', '_6^14 C'],
  ['\\underbrace{1 + 1}_{n \\text{ fois}}', '(1+1)⏟_(n fois)'],
  ['z_1 = \\frac{a}{b}, \\qquad z_2 = \\frac{c}{d}.', 'z_1 = a/b, z_2 = c/d.'],
];

const element = (latex: string, display: boolean): Element =>
  parseHTML(`<body>${renderFormula(latex, display)}</body>`).document.querySelector('math') as unknown as Element;

// U+2061 (function application) is invisible.
const read = (math: Element): string => (math.textContent ?? '').replaceAll('\u2061', '').replaceAll(/\s+/g, ' ').trim();

t.test('the elements of a formula, read in order, form a linear formula', async (t) => {
  t.ok(READ.length > 40);
  for (const [latex, expected] of READ) {
    t.equal(read(element(latex, true)), expected, latex);
    t.equal(read(element(latex, false)), expected, `${latex}, which a line may break`);
  }
});

t.test('elements keep the number of children that MathML requires', async (t) => {
  const count: Record<string, number> = { mfrac: 2, mroot: 2, msub: 2, msup: 2, msubsup: 3, munder: 2, mover: 2, munderover: 3 };
  for (const [latex] of READ) {
    const math = element(latex, true);
    for (const [name, children] of Object.entries(count))
      for (const found of math.querySelectorAll(name)) t.equal(found.children.length, children, `${name} of ${latex}`);
    const parents = [...math.querySelectorAll('mphantom')].map(({ parentElement }) => parentElement?.localName ?? '');
    t.strictSame(
      parents.filter((parent) => !['mrow', 'mstyle', 'mpadded', 'math', 'mtd', 'msqrt', 'menclose'].includes(parent)),
      [],
      latex,
    );
  }
});

t.test('programs that read the MathML do not see the additional signs', async (t) => {
  for (const [latex, expected] of [
    ['u_n = \\frac{n+6}{n+3}', /^{?u}?_\{n\} ?= ?\\frac\{n\+6\}\{n\+3\}$/],
    ['\\sqrt{x}', /^\\sqrt\{x\}$/],
    ['\\overline{z+1}', /^\\overline\{z\+1\}$/],
    ['\\mathcal{P} \\mathbb{K} \\mathbb{R}', /^\\mathcal\{P\} ?\\mathbb\{K\} ?\\mathbb\{R\}$/],
    ['\\phantom{x}y', /^\\phantom\{x\}y$/],
  ] as const)
    t.match(mathMlToLatex(element(latex, true)), expected);
  t.match(
    renderFormula('\\phantom{x}', false),
    '<mphantom class="f-phantom"><mi>x</mi></mphantom>',
    'the sign has no element and no class',
  );
});
