import t, { type Test } from 'tap';
import { five, storage, three } from '../../../../../test/support/mathtype.ts';
import { renderFormula } from '../formulas/mathml.ts';
import { mathTypeLatex } from './mathtype-latex.ts';

const { chars, line, empty, template, embellished, pile, matrix, font } = five;
type Records = Parameters<typeof five.equation>[0];

const a = line(chars('a'));
const b = line(chars('b'));
const c = line(chars('c'));
const sizes = [11, 9, 101, 0x20, 1, 9, 0, 130, 9, 100, 1, 0, 1, 10];

/** Asserts the LaTeX of each equation, and that it can be shown. */
function assertAll(t: Test, equation: (records: Records) => Buffer, cases: [string, Records, string][]): void {
  for (const [name, records, expected] of cases) {
    const latex = mathTypeLatex(equation(records))?.latex ?? '';
    t.equal(latex, expected, name);
    if (latex !== '') t.match(renderFormula(latex, true), /^<math/, `${name} can be shown`);
  }
}

t.test('reads every template of MathType', (t) => {
  const cases: [string, Records, string][] = [
    ['angle', line(template(0, 3, a)), '\\langle a\\rangle'],
    ['parentheses', line(template(1, 3, line(template(11, 0, a, b)))), '\\left(\\frac{a}{b}\\right)'],
    ['one brace', line(template(2, 1, a)), '\\{a'],
    ['brackets', line(template(3, 3, a)), '[a]'],
    ['bars', line(template(4, 3, a)), '\\lvert a\\rvert'],
    ['norm', line(template(5, 3, a)), '\\lVert a\\rVert'],
    ['floor and ceiling', line(template(6, 3, a), template(7, 3, b)), '\\lfloor a\\rfloor\\lceil b\\rceil'],
    ['white brackets', line(template(8, 3, a)), '\\llbracket a\\rrbracket'],
    ['a French interval', line(template(9, 0x23, chars('0', 8), a)), '\\left]a\\right['],
    ['a half-open interval', line(template(9, 0x12, a)), '[a)'],
    ['square root', line(template(10, 0, a, empty)), '\\sqrt{a}'],
    ['a root with its degree', line(template(10, 1, a, line(chars('3', 8)))), '\\sqrt[3]{a}'],
    ['small fraction', line(template(11, 1, a, b)), '\\tfrac{a}{b}'],
    ['slashed fraction', line(template(11, 2, a, b)), '{}^{a}\\!/\\!{}_{b}'],
    ['fraction in one line', line(template(11, 6, line(chars('ab')), c)), '{ab}/c'],
    ['bars above and below', line(template(12, 0, a), template(13, 1, b)), '\\underline{a}\\overline{\\overline{b}}'],
    ['arrow, above', line(template(14, 0x24, a, empty)), '\\xrightarrow{a}'],
    ['arrow, below', line(template(14, 0x18, empty, b)), '\\xleftarrow[b]{}'],
    ['arrow, both', line(template(14, 0x3c, a, b)), '\\xleftrightarrow[b]{a}'],
    ['two arrows', line(template(14, 0x05, a, empty)), '\\mathrel{\\overset{a}{\\rightleftarrows}}'],
    ['harpoons', line(template(14, 0x0e, a, b)), '\\xrightleftharpoons[b]{a}'],
    ['integral', line(template(15, 0x31, a, b, c)), '\\int_b^c a'],
    ['integral that grows', line(template(15, 0x131, a, b, c)), '\\int_b^c a'],
    ['double integral, limit below', line(template(15, 0x52, a, b, empty)), '\\iint\\limits_b a'],
    ['closed integral', line(template(15, 0x15, a, b, empty)), '\\oint_b a'],
    ['sum', line(template(16, 0x70, a, line(chars('k='), chars('0', 8)), c)), '\\sum_{k=0}^c a'],
    ['product, limits at the side', line(template(17, 0x30, a, b, c)), '\\prod\\nolimits_b^c a'],
    ['coproduct, union', line(template(18, 0x40, a), template(19, 0x50, b, c)), '\\coprod a\\bigcup_c b'],
    ['intersection', line(template(20, 0x60, a, empty, c)), '\\bigcap^c a'],
    ['operator of one\u0027s own', line(template(22, 0x50, a, b, empty, line(chars('\u2295', 6)))), '\\mathop{\\oplus}_b a'],
    ['limit', line(template(23, 0x10, line(chars('lim', 2)), line(chars('x\u21920')), empty)), '\\lim_{x\\to0}'],
    ['named limit', line(template(23, 0x10, line(chars('Arg', 2)), a)), '\\operatorname*{Arg}_a'],
    ['limits around an expression', line(template(23, 0x30, a, b, c)), '\\overset{c}{\\underset{b}{a}}'],
    ['braces', line(template(24, 1, a, b), template(24, 0, a, c)), '\\overbrace{a}^b\\underbrace{a}_c'],
    ['horizontal brackets', line(template(25, 1, a, b)), '\\overbracket{a}^b'],
    ['long division', line(template(26, 1, a, b)), '\\overset{b}{\\overline{\\smash{)}{a}}}'],
    ['scripts', line(chars('x'), template(27, 0, a, empty), chars('y'), template(28, 0, empty, b)), 'x_ay^b'],
    ['both scripts', line(chars('x'), template(29, 0, a, b)), 'x_a^b'],
    ['scripts of a bracket', line(template(1, 3, a), template(28, 0, empty, b)), '{(a)}^b'],
    ['scripts before their base', line(template(29, 1, a, b), chars('X')), '{}_a^bX'],
    ['a script after a script', line(chars('x'), template(28, 0, empty, a), template(28, 0, empty, b)), '{x^a}^b'],
    ['a script without a base', line(template(28, 0, empty, a)), '{}^a'],
    ['bra and ket', line(template(30, 3, a, b)), '\\langle a|b\\rangle'],
    ['vectors', line(template(31, 2, a), template(31, 2, line(chars('AB')))), '\\vec{a}\\overrightarrow{AB}'],
    ['vector below, harpoon', line(template(31, 7, a), template(31, 10, b)), '\\underleftrightarrow{a}\\overrightharpoon{b}'],
    ['tilde, hat, arc', line(template(32, 0, a), template(33, 0, b), template(34, 0, c)), '\\widetilde{a}\\widehat{b}\\overparen{c}'],
    ['struck', line(template(36, 2, a), template(36, 6, b), template(36, 1, c)), '\\cancel{a}\\xcancel{b}\\sout{c}'],
    ['box', line(template(37, 30, a)), '\\boxed{a}'],
    ['two sides of a box', line(template(37, 12, a)), '\\left.\\overline{a}\\right|'],
  ];
  assertAll(t, five.equation, cases);
  t.end();
});

t.test('reads letters, numbers, signs and spaces in their typefaces', (t) => {
  const fonts = [font(1, 'Times New Roman', 1), font(2, 'Arial', 0), font(3, 'Courier New', 2)];
  const styles = [18, 0, 0, 0, 12, 1, 0, 1, 0, 1, 2, 1, 2, 1, 0, 1, 0, 1, 1, 1, 0, 3, 0, 1, 0, 1, 0, 0];
  const cases: [string, Records, string][] = [
    ['a function', line(chars('cos', 2, 0), chars('x'), chars('+', 6), chars('sin', 2), chars('y')), '\\cos x+\\sin y'],
    ['two functions beside each other', line(chars('l', 2, 2), chars('n', 2), chars('s', 2, 2), chars('in', 2)), '\\ln\\sin'],
    ['a French function', line(chars('pgcd', 2), chars('(', 2), chars('a,b'), chars(')', 2)), '\\operatorname{pgcd}(a,b)'],
    ['a decimal number', line(chars('3', 8), chars(',', 2), chars('14', 8), chars('x')), '3{,}14x'],
    ['a decimal comma typed as text', line(chars('3', 8), chars(',', 1), chars('5', 8)), '3{,}5'],
    ['text with its spaces', line(chars('si', 1), chars('\ueb04', 24), chars('n', 1), chars('>', 6)), '\\text{si\u2004n}>'],
    ['an upright letter', line(chars('d', 1), chars('x')), '\\mathrm{d}x'],
    ['Greek', line(chars('\u03b1', 4), chars('\u03a9', 5), chars('x')), '\\alpha\\Omega x'],
    ['bold', line(chars('v', 7)), '\\mathbf{v}'],
    ['sets and script letters', line(chars('\uf091', 11), chars('\uf102', 11), chars('\u2115', 11)), '\\mathbb{R}\\mathcal{C}\\mathbb{N}'],
    ['relations of the private area', line(chars('a'), chars('\ue932', 6), chars('b')), 'a\\lesssim b'],
    ['spaces', line(chars('a'), chars('\uef02\uef05\uef01', 24), chars('b')), 'a\\,\\quad b'],
    ['spaces at the end', line(chars('a'), chars('\ueb05\ueb05', 24)), 'a'],
    ['fonts', line(chars('Ab', -1), chars('c', -2), chars('d', -3)), '\\mathbf{Ab}\\mathrm{c}\\mathtt{d}'],
    ['a typeface of one\u0027s own', line(chars('if', 9)), '\\mathtt{if}'],
    ['a position in MT Extra', line([2, 0x24, 139, 0x4f]), '\\ddots'],
    [
      'embellishments',
      line(embellished('f', 6), embellished('x', 2), embellished('u', 11), embellished('z', 17)),
      "f''\\dot{x}\\vec{u}\\bar{z}",
    ],
    ['a struck relation', line([2, 1, 134, 0x08, 0x22], [6, 0, 10], 0, chars('A')), '\\not\\in A'],
    ['a prime with an exponent', line(embellished('f', 5), template(28, 0, empty, a)), "{f'}^a"],
    ['special signs', line(chars('5', 8), chars('%', 2), chars('{', 6)), '5\\%\\{'],
  ];
  assertAll(t, (records) => five.equation([fonts, styles, sizes, records]), cases);
  t.end();
});

t.test('reads piles and matrices', (t) => {
  const two = [line(chars('a='), chars('1', 8)), line(chars('b='), chars('2', 8))];
  const cases: [string, Records, string][] = [
    ['lines below each other', pile(1, two), '\\begin{aligned} &a=1 \\\\ &b=2 \\end{aligned}'],
    ['centred lines', pile(2, two), '\\begin{gathered} a=1 \\\\ b=2 \\end{gathered}'],
    ['lines aligned at their relations', pile(4, two), '\\begin{aligned} a&=1 \\\\ b&=2 \\end{aligned}'],
    ['a system', line(template(2, 1, line(pile(1, two)))), '\\begin{cases} a=1 \\\\ b=2 \\end{cases}'],
    ['a system written as a matrix', line(template(2, 1, line(matrix(0, 2, 1, [0, 0], two)))), '\\begin{cases} a=1 \\\\ b=2 \\end{cases}'],
    ['matrix', line(matrix(1, 2, 2, [0, 0], a, b, c, empty)), '\\begin{matrix} a & b \\\\ c &  \\end{matrix}'],
    ['a matrix in brackets', line(template(1, 3, line(matrix(1, 1, 2, [0, 0], a, b)))), '\\begin{pmatrix} a & b \\end{pmatrix}'],
    ['determinant', line(template(4, 3, line(matrix(1, 1, 2, [0, 0], a, b)))), '\\begin{vmatrix} a & b \\end{vmatrix}'],
    ['aligned columns', line(matrix(2, 1, 2, [0, 0], a, b)), '\\begin{array}{rr} a & b \\end{array}'],
    ['lines in a matrix', line(matrix(1, 2, 2, [0x04, 0x04], a, b, c, a)), '\\begin{array}{c|c} a & b \\\\ \\hline c & a \\end{array}'],
  ];
  assertAll(t, five.equation, cases);
  t.end();
});

t.test('reads nudges, rulers, line spacing, colours and records of later versions', (t) => {
  const nudged: Records = [1, 8, 130, 120, [2, 8, 128, 128, 0, 1, 0, 1, 131, 0x61, 0], [3, 8, 100, 100, 10, 0, 0, b, 0], 0];
  const ruled: Records = [1, 6, 0x20, 1, 7, 2, 0, 1, 0, 3, 2, 0, chars('a'), 0];
  const untagged: Records = [4, 2, 1, 1, 1, 0, 1, 0, a, b, 0];
  const coloured: Records = [
    16,
    5,
    [0, 0, 0, 0, 0, 0, 232, 3],
    [...Buffer.from('Rouge\0')],
    16,
    0,
    [0, 0, 0, 0, 0, 0],
    15,
    1,
    line(chars('a')),
  ];
  const cases: [string, Records, string][] = [
    ['nudges', nudged, 'a\\sqrt{b}'],
    ['a ruler and a distance', ruled, 'a'],
    ['a ruler without its tag', untagged, '\\begin{aligned} &a \\\\ &b \\end{aligned}'],
    ['colours', coloured, 'a'],
    ['an unknown record with its length', [[101, 255, 0, 1, Array(256).fill(7)], a], 'a'],
    ['preferences', [[18, 0, 2, 0x21, 0x2f, 0x45, 0xf0, 1, 0x2a, 0xf0, 0], a], 'a'],
  ];
  assertAll(t, five.equation, cases);
  t.end();
});

t.test('reads the templates of Equation Editor 3', (t) => {
  const { chars, line, empty, template, equation } = three;
  const [a, b, c] = [line(chars('a')), line(chars('b')), line(chars('c'))];
  const cases: [string, Records, string][] = [
    ['parentheses', template(1, 0, a), '(a)'],
    ['one bracket', template(3, 2, a), 'a]'],
    ['intervals', [template(10, 0, a), template(11, 0, b)], '\\left]a\\right[[b)'],
    ['roots', [template(13, 0, a, empty), template(13, 1, b, c)], '\\sqrt{a}\\sqrt[c]{b}'],
    ['fractions', [template(14, 0, a, b), template(41, 1, a, b)], '\\frac{a}{b}a/b'],
    ['scripts', [chars('x'), template(15, 1, 11, a, empty), 10, chars('y'), template(15, 0, empty, b)], 'x_ay^b'],
    ['both scripts', [chars('x'), template(15, 2, a, b)], 'x_a^b'],
    ['arrows', [template(18, 0, a), template(19, 1, b)], '\\xleftarrow{a}\\xrightarrow[b]{}'],
    ['integrals', [template(21, 2, a, b, c), template(22, 1, a, b, empty)], '\\int_b^c a\\iint_b a'],
    ['sums', [template(29, 1, a, b, c), template(30, 0, a, b, empty)], '\\sum_b^c a\\sum\\nolimits_b a'],
    ['limits', [template(39, 1, line(chars('lim', 2)), b, empty), template(39, 0, line(chars('max', 2)), empty, c)], '\\lim_b\\max^c'],
    ['leading scripts', [template(44, 2, a, b), chars('X')], '{}_a^bX'],
    ['vectors', [template(47, 1, line(chars('AB'))), template(46, 2, a)], '\\overrightarrow{AB}\\underleftrightarrow{a}'],
    ['arc', template(48, 0, a), '\\overparen{a}'],
    ['an embellishment', [[0x22, 131, 0x78, 0, 6, 5, 0]], "x'"],
    ['a font', [[8, 2, 1, ...Buffer.from('Arial\0')], chars('AB', -2)], '\\mathbf{AB}'],
    ['the font Symbol', [chars('a', 4), chars('\u2212', 6)], '\\alpha-'],
  ];
  assertAll(t, equation, cases);
  t.end();
});

t.test('what cannot be read is null', (t) => {
  const cases: [string, Buffer][] = [
    ['nothing', Buffer.alloc(0)],
    ['another file', Buffer.from('%PDF-1.7')],
    ['another object', storage(Buffer.alloc(200), 'Workbook')],
    ['an empty equation', five.equation(line())],
    ['an unknown template', five.equation(line(template(60, 0, a)))],
    ['an unknown embellishment', five.equation(line(embellished('x', 99)))],
    ['an unknown record', five.equation(line([42, 0]))],
    ['a character without equivalent', five.equation(line(chars('\ue123')))],
    ['another version', storage(Buffer.concat([Buffer.from([28]), Buffer.alloc(27), Buffer.from([2, 1, 0, 3, 0, 1, 0])]))],
  ];
  for (const [name, bytes] of cases) t.equal(mathTypeLatex(bytes), null, name);
  t.end();
});
