import { DOMParser } from '@xmldom/xmldom';
import t from 'tap';
import { renderFormula } from '../../modules/content/texts/formulas/mathml.ts';
import { ommlToLatex } from './omml-to-latex.ts';
import { ACCENTS, FUNCTIONS, GREEK, LARGE_OPERATORS, LONG_ARROWS, OPERATORS, ORDINARY, RELATIONS, SPACES, UNDER } from './symbols.ts';

/** Returns the LaTeX for the content of an `m:oMath`. */
function latex(content: string): string {
  const xml = `<m:oMath xmlns:m="http://schemas.openxmlformats.org/officeDocument/2006/math" xmlns:w="urn:w">${content}</m:oMath>`;
  return ommlToLatex(new DOMParser().parseFromString(xml, 'text/xml').documentElement as unknown as Element);
}

const WORD = '<w:rPr><w:rFonts w:ascii="Cambria Math"/></w:rPr>';
/** Returns a run as Word writes it; `style` is the content of its `m:rPr`. */
const r = (text: string, style = '') => `<m:r>${style && `<m:rPr>${style}</m:rPr>`}${WORD}<m:t>${text}</m:t></m:r>`;
const upright = (text: string) => r(text, '<m:sty m:val="p"/>');
const set = (name: string, value: string) => `<m:${name} m:val="${value}"/>`;
const el = (name: string, children: Record<string, string>, properties = '') =>
  `<m:${name}>${properties && `<m:${name}Pr>${properties}</m:${name}Pr>`}${Object.entries(children)
    .map(([child, content]) => `<m:${child}>${content}</m:${child}>`)
    .join('')}</m:${name}>`;
const e = (content: string) => ({ e: content });
const half = el('f', { num: r('1'), den: r('2') });

t.test('converts every element to LaTeX that can be rendered', async (t) => {
  const cases: [string, string, string][] = [
    ['acc', el('acc', e(r('x'))), '\\hat{x}'],
    ['acc, an arrow over more', el('acc', e(r('AB')), set('chr', '\u20d7')), '\\overrightarrow{AB}'],
    ['bar', el('bar', e(r('z')), set('pos', 'top')) + el('bar', e(r('z'))), '\\overline{z}\\underline{z}'],
    ['box', el('box', e(r('x')), set('opEmu', '1')), 'x'],
    ['borderBox', el('borderBox', e(r('x'))), '\\boxed{x}'],
    [
      'borderBox, struck',
      el('borderBox', e(r('x')), ['hideTop', 'hideBot', 'hideLeft', 'hideRight', 'strikeBLTR'].map((name) => set(name, '1')).join('')),
      '\\cancel{x}',
    ],
    ['d', el('d', e(r('x+1'))), '(x+1)'],
    ['d, tall', el('d', e(half)), '\\left(\\frac{1}{2}\\right)'],
    ['d, a French interval', el('d', { e: `${r('0;1')}` }, set('begChr', ']') + set('endChr', '[')), '\\left]0;1\\right['],
    ['d, an absolute value', el('d', e(r('x')), set('begChr', '|') + set('endChr', '|')), '\\lvert x\\rvert'],
    ['d, several', `<m:d><m:e>${r('a')}</m:e><m:e>${r('b')}</m:e></m:d>`, '(a\\mid b)'],
    ['d, one side', el('d', e(half), set('begChr', '') + set('endChr', ']')), '\\left.\\frac{1}{2}\\right]'],
    ['d, a binomial', el('d', e(el('f', { num: r('n'), den: r('k') }, set('type', 'noBar')))), '\\binom{n}{k}'],
    [
      'd, a determinant',
      el('d', e(`<m:m><m:mr><m:e>${r('a')}</m:e><m:e>${r('b')}</m:e></m:mr></m:m>`), set('begChr', '|') + set('endChr', '|')),
      '\\begin{vmatrix} a & b \\end{vmatrix}',
    ],
    [
      'd, cases',
      el('d', e(`<m:eqArr><m:e>${r('x&amp;=1')}</m:e><m:e>${r('y&amp;=2')}</m:e></m:eqArr>`), set('begChr', '{') + set('endChr', '')),
      '\\begin{cases} x&=1 \\\\ y&=2 \\end{cases}',
    ],
    ['eqArr', `<m:eqArr><m:e>${r('a')}</m:e><m:e>${r('b')}</m:e></m:eqArr>`, '\\begin{gathered} a \\\\ b \\end{gathered}'],
    ['f', half, '\\frac{1}{2}'],
    ['f, in one line', el('f', { num: r('a+b'), den: r('c') }, set('type', 'lin')), '{a+b}/c'],
    ['f, askew', el('f', { num: r('a'), den: r('b') }, set('type', 'skw')), '{}^{a}\\!/\\!{}_{b}'],
    ['f, without a line', el('f', { num: r('a'), den: r('b') }, set('type', 'noBar')), '\\genfrac{}{}{0pt}{}{a}{b}'],
    ['func', el('func', { fName: upright('sin'), e: r('x') }), '\\sin x'],
    ['func, with a power', el('func', { fName: el('sSup', { e: upright('cos'), sup: r('2') }), e: r('x') }), '\\cos^2 x'],
    ['func, of no known name', el('func', { fName: upright('Card'), e: r('E') }), '\\operatorname{Card} E'],
    ['func, a limit', el('func', { fName: el('limLow', { e: upright('lim'), lim: r('x→0') }), e: r('f') }), '\\lim_{x\\to0} f'],
    ['groupChr', el('groupChr', e(r('a+b'))), '\\underbrace{a+b}'],
    ['groupChr, an arrow with its text', el('groupChr', e(r('k')), set('chr', '→') + set('vertJc', 'bot')), '\\xrightarrow{k}'],
    [
      'limUpp over a brace',
      el('limUpp', { e: el('groupChr', e(r('x')), set('chr', '⏞') + set('pos', 'top')), lim: r('n') }),
      '\\overbrace{x}^n',
    ],
    ['limLow', el('limLow', { e: r('x'), lim: r('y') }), '\\underset{y}{x}'],
    [
      'm',
      `<m:m><m:mr><m:e>${r('a')}</m:e></m:mr><m:mr><m:e>${half}</m:e></m:mr></m:m>`,
      '\\begin{matrix} a \\\\ \\frac{1}{2} \\end{matrix}',
    ],
    ['nary', el('nary', { sub: r('0'), sup: r('1'), e: r('f') }), '\\int_0^1 f'],
    ['nary, limits elsewhere', el('nary', { sub: r('D'), e: r('f') }, set('limLoc', 'undOvr')), '\\int\\limits_D f'],
    ['nary, a sum', el('nary', { sub: r('k=1'), sup: r('n'), e: r('k') }, set('chr', '∑')), '\\sum_{k=1}^n k'],
    ['phant', el('phant', e(r('x')), set('show', '0')), '\\phantom{x}'],
    ['rad', el('rad', { deg: '', e: r('x') }, set('degHide', '1')) + el('rad', { deg: r('3'), e: r('x') }), '\\sqrt{x}\\sqrt[3]{x}'],
    ['sPre', el('sPre', { sub: r('6'), sup: r('12'), e: upright('C') }), '{}_6^{12}{\\mathrm{C}}'],
    ['sSub', el('sSub', { e: r('u'), sub: r('n+1') }), 'u_{n+1}'],
    ['sSup', el('sSup', { e: el('sSub', { e: r('u'), sub: r('n') }), sup: r('2') }), '{u_n}^2'],
    ['sSup, a prime', el('sSup', { e: r('f'), sup: r('′') }), "f'"],
    ['sSubSup', el('sSubSup', { e: r('x'), sub: r('1'), sup: r('2') }), 'x_1^2'],
    ['what is not known, for what it holds', `<m:neu><m:e>${r('x')}</m:e></m:neu>`, 'x'],
  ];
  for (const [name, omml, expected] of cases) {
    const got = latex(omml);
    t.equal(got, expected, name);
    t.match(renderFormula(got, true), /^<math/, name);
  }
});

t.test('converts letters, numbers and signs', async (t) => {
  const cases: [string, string][] = [
    [r('αx+β≤π'), '\\alpha x+\\beta\\leq\\pi'],
    [r('d', '<m:sty m:val="p"/>') + r('x'), '\\mathrm{d}x'],
    [r('R', '<m:scr m:val="double-struck"/>') + r('ℕ') + r('𝒙'), '\\mathbb{R}\\mathbb{N}\\boldsymbol{x}'],
    [r('AB', '<m:sty m:val="b"/>'), '\\mathbf{AB}'],
    [r('si x &gt; 0', '<m:nor/>') + r('x'), '\\text{si x > 0}x'],
    [r('0') + r(',') + r('68'), '0{,}68'],
    [r('f(1') + r(',') + r('x)'), 'f(1,x)'],
    [r('5%$#_&amp;{}~\\'), '5\\%\\$\\#\\_\\&\\{\\}\\sim\\backslash'],
    [r('a_b', '<m:nor/>'), '\\text{a\\_b}'],
    [r('été'), '\\text{é}t\\text{é}'],
    [r('x = 2 y'), 'x=2\\ y'],
    ['<w:r><w:t>et</w:t></w:r>', '\\text{et}'],
    [r('x\u0302+v\u20d7'), '\\hat{x}+\\vec{v}'],
    [el('sSup', { e: r('x'), sup: r('2') }) + r("'") + r('30°'), "x^2{}'30^\\circ"],
    [r('a ∑ b', '<m:nor/>'), '\\text{a }\\sum\\text{ b}'],
    ['', ''],
  ];
  for (const [omml, expected] of cases) {
    t.equal(latex(omml), expected);
    if (expected !== '') t.match(renderFormula(expected, false), /^<math/, expected);
  }
  // If every letter is marked upright, the mark has no meaning.
  t.equal(latex('<m:r><m:rPr><m:sty m:val="p"/></m:rPr><m:t>x</m:t></m:r>'), 'x');
});

t.test('every command in the tables can be rendered', async (t) => {
  const plain = [GREEK, RELATIONS, OPERATORS, ORDINARY, LARGE_OPERATORS, SPACES].flatMap((table) => [...table.values()]);
  const functions = [...FUNCTIONS].map((name) => `\\${name}`);
  const around = [...[...ACCENTS.values()].flat(), ...UNDER.values(), ...LONG_ARROWS.values()].map((command) => `${command}{x}`);
  const refused = [...plain, ...functions, ...around].filter((command) => {
    try {
      return !renderFormula(`a${command} b`, true).startsWith('<math');
    } catch {
      return true;
    }
  });
  t.same(refused, []);
});
