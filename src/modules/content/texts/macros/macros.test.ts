import t from 'tap';
import { seeded, seedOfRun } from '../../../../../test/support/random.ts';
import { htmlOf, imported } from '../../../../../test/support/word-file.ts';
import { renderFormula } from '../formulas/mathml.ts';
import { customary } from './customary.ts';
import { MacroError, Macros } from './macros.ts';
import { readDefinitions } from './read-definitions.ts';

async function read(source: string) {
  const { contenu, remarques } = await imported(Buffer.from(source));
  return { html: htmlOf(contenu), remarques };
}

t.test('commands that a file defines are replaced, with their arguments', async (t) => {
  const cases: [definitions: string, formula: string, expected: string][] = [
    ['\\newcommand{\\esp}{\\mathbb{E}}', '\\esp(X)', '\\mathbb{E}(X)'],
    ['\\newcommand\\esp{\\mathbb{E}}', '\\esp X', '\\mathbb{E}X'],
    ['\\newcommand{\\al}{\\alpha}', '\\al x+\\al', '\\alpha x+\\alpha'],
    ['\\newcommand{\\abs}[1]{\\left|#1\\right|}', '\\abs{x+1}\\abs y', '\\left|x+1\\right|\\left|y\\right|'],
    ['\\newcommand{\\suite}[2][n]{(#2_{#1})}', '\\suite{u}+\\suite[p]{v}', '(u_{n})+(v_{p})'],
    ['\\renewcommand{\\R}{\\mathbf{R}}', '\\R', '\\mathbf{R}'],
    ['\\providecommand{\\R}{\\mathbf{R}}', '\\R', '\\mathbf{R}'],
    ['\\def\\vec#1{\\overrightarrow{#1}}', '\\vec{AB}', '\\overrightarrow{AB}'],
    ['\\def\\pair#1#2{\\langle #1,#2\\rangle}', '\\pair ab', '\\langle a,b\\rangle'],
    ['\\DeclareMathOperator{\\Tr}{Tr}', '\\Tr A', '\\operatorname{Tr}A'],
    ['\\DeclareMathOperator*{\\argmax}{arg\\,max}', '\\argmax_x f', '\\operatorname*{arg\\,max}_x f'],
    ['\\let\\eps=\\varepsilon', '\\eps x', '\\varepsilon x'],
    ['\\newcommand{\\a}{\\b{x}}\n\\newcommand{\\b}[1]{\\sqrt{#1}}', '\\a+\\b y', '\\sqrt{x}+\\sqrt{y}'],
    [
      '\\newcommand{\\N}{\\mathbb{N}} % les entiers\n% un commentaire\n\\newcommand{\\d}{\\mathrm{d}}',
      'x\\d x^\\N',
      'x\\mathrm{d}x^{\\mathbb{N}}',
    ],
    ['\\newcommand{\\long}{\n  \\frac{a}{b}\n}', '\\long', '\\frac{a}{b}'],
  ];
  for (const [definitions, formula, expected] of cases) {
    const { html, remarques } = await read(`${definitions}\n\nSoit $${formula}$.\n`);
    t.equal(html, `<p>Soit <span>[${expected}]</span>.</p>`, definitions);
    t.same(remarques, [], definitions);
    t.match(renderFormula(expected, false), /^<math/, expected);
  }
});

t.test('definitions are read where courses write them, and lines keep their numbers', async (t) => {
  const definition = '\\newcommand{\\esp}{\\mathbb{E}}';
  const formula = '<p><span>[\\mathbb{E}]</span></p>';
  for (const [name, source] of [
    ['in a displayed formula of its own', `$$\n${definition}\n$$\n\n$\\esp$`],
    ['in a formula of its own', `$${definition}$\n\n$\\esp$`],
    ['at the beginning of a formula', `$${definition} \\esp$`],
    ['below the front matter', `---\ntitre: Les esperances\n---\n${definition}\n\n$\\esp$`],
    ['below the formula', `$\\esp$\n\n${definition}`],
  ] as const)
    t.equal((await read(source)).html, formula, name);
  const { remarques } = await read(`${definition}\n\n\\newcommand{\\b}[2]{\n#1#2}\n\n$\\inconnue$`);
  t.match(remarques, [/^Ligne 6 : .*commande inconnue \\inconnue/]);
  const code = await read(`\`\`\`\n${definition}\n\`\`\`\n\n$\\esp$`);
  t.match(code.html, /<code>\\newcommand\{\\esp\}\{\\mathbb\{E\}\}<\/code><\/pre><p>\$\\esp\$<\/p>/, 'code defines nothing');
  t.equal((await read('Il écrit \\newcommand dans son texte.')).html, '<p>Il écrit \\newcommand dans son texte.</p>');
});

t.test('customary commands of French courses are known without a definition', async (t) => {
  const cases: [string, string][] = [
    ['x\\in\\R', 'x\\in\\mathbb{R}'],
    ['\\forall n\\in\\N^*', '\\forall n\\in\\mathbb{N}^*'],
    ['\\Z\\Q\\C\\K', '\\mathbb{Z}\\mathbb{Q}\\mathbb{C}\\mathbb{K}'],
    ['\\pgcd(a,b)\\ppcm(a,b)', '\\operatorname{pgcd}(a,b)\\operatorname{ppcm}(a,b)'],
    ['\\ch x+\\sh x-\\th x', '\\operatorname{ch}x+\\operatorname{sh}x-\\operatorname{th}x'],
    ['\\Arcsin x', '\\operatorname{Arcsin}x'],
    ['\\int f(x)\\dd x', '\\int f(x)\\mathrm{d}x'],
    ['\\ii^2=\\jj', '\\mathrm{i}^2=\\mathrm{j}'],
    ['e^\\ii', 'e^{\\mathrm{i}}'],
    ['\\mbox{si $x>0$}', '\\text{si $x&gt;0$}'],
    ['\\hbox{ et }\\textnormal{ou}', '\\text{ et }\\text{ou}'],
    ['\\text{pour $x\\in\\R$}', '\\text{pour $x\\in\\mathbb{R}$}'],
    ['\\Re z', '\\Re z'],
  ];
  for (const [formula, expected] of cases) {
    const { html, remarques } = await read(`$${formula}$`);
    t.equal(html, `<p><span>[${expected}]</span></p>`, formula);
    t.same(remarques, [], formula);
  }
  const macros = new Macros();
  for (const [name, { count }] of customary) {
    const latex = macros.expand(`a${name}${(name === '\\mspace' ? '{6mu}' : '{x}').repeat(count)}`);
    t.match(renderFormula(latex, true), /^<math/, latex);
    t.equal(macros.expand(latex), latex, 'nothing more to replace');
  }
  const moodle =
    '<?xml version="1.0"?><quiz><question type="essay"><questiontext format="html"><text><![CDATA[<p>$x\\in\\Q$, $\\mbox{si }a$</p>]]></text></questiontext></question></quiz>';
  t.match((await read(moodle)).html, /\[x\\in\\mathbb\{Q\}\].*\[\\text\{si \}a\]/, 'in question files');
});

t.test('what cannot be replaced stays as it was typed, and is named with its line', async (t) => {
  const cases: [string, string, RegExp][] = [
    ['\\newcommand{\\a}{\\a}\n\nSoit $\\a+1$.', 'Soit $\\a+1$.', /^Ligne 3 : La commande \\a se développe sans fin : \\a\+1/],
    ['\\def\\a{\\b\\b}\n\\def\\b{\\a\\a}\n\n$\\a$', '$\\a$', /^Ligne 4 : La commande \\[ab] se développe sans fin/],
    ['\\newcommand{\\a}[2]{#1#2}\n\n$\\a{x}$', '$\\a{x}$', /^Ligne 3 : La commande \\a attend 2 arguments : \\a\{x\}/],
    ['a\n\n$\\foo{x}$', '$\\foo{x}$', /^Ligne 3 : .*commande inconnue \\foo.*: \\foo\{x\}/],
  ];
  for (const [source, text, remark] of cases) {
    const { html, remarques } = await read(source);
    t.ok(html.endsWith(`<p>${text}</p>`), html);
    t.equal(remarques.length, 1, remarques.join('\n'));
    t.match(remarques[0], remark, source);
  }
  const { remarques } = await read('\\newcommand{\\a}{\\newcommand{\\b}{c}}\n\nb');
  t.match(remarques[0], /^Ligne 1 : Définition non reprise : \\newcommand\{\\a\}/);
});

t.test('macros made to exhaust the server end soon', async (t) => {
  const doubling = Array.from({ length: 25 }, (_, index) => {
    const [name, next] = [index, index + 1].map((at) => `\\m${String.fromCharCode(97 + at)}`);
    return `\\def${name}{${next}${next}}`;
  }).join('\n');
  const wide = `\\def\\w#1{${'#1'.repeat(900)}}`;
  const start = performance.now();
  const { remarques } = await read(`${doubling}\n${wide}\n\n${'$\\ma$ $\\w{\\w{\\w{x}}}$ '.repeat(1_000)}`);
  t.ok(performance.now() - start < 10_000, `${performance.now() - start} ms`);
  t.match(remarques[0], /^Ligne 28 : La commande .* se développe sans fin/);
  const many = readDefinitions('\\def\\a{x}\n'.repeat(20_000));
  t.ok(many.text.length <= 200_000 && performance.now() - start < 15_000);
});

t.test('random TeX is expanded or refused, and expanding twice changes nothing', (t) => {
  const seed = seedOfRun();
  t.comment(`SEED=${seed}`);
  const random = seeded(seed);
  const pieces = [
    '\\a',
    '\\b',
    '\\c',
    '{',
    '}',
    '[',
    ']',
    'x',
    ' ',
    '#1',
    '\\R',
    '\\mbox',
    '\\',
    '^',
    '_',
    '\\newcommand',
    '\\def',
    '\n',
    '$',
    '%',
    '2',
  ];
  const text = (length: number) => Array.from({ length }, () => pieces[Math.floor(random() * pieces.length)]).join('');
  let expanded = 0;
  for (let run = 0; run < 3_000; run += 1) {
    const source = `\\newcommand{\\a}[1]{${text(5)}}\n\\def\\b{${text(3)}}\n${text(20)}`;
    const { macros, text: rest } = readDefinitions(source);
    if (rest.split('\n').length !== source.split('\n').length) t.fail(`SEED=${seed}, run ${run}: lines of ${source}`);
    try {
      const once = macros.expand(rest);
      expanded += 1;
      const commands = new Set(once.replaceAll('\\\\', '').match(/\\[A-Za-z]+/g));
      if (commands.has('\\R')) t.fail(`SEED=${seed}, run ${run}: ${once}`);
    } catch (error) {
      if (!(error instanceof MacroError)) throw error;
    }
  }
  t.ok(expanded > 500, `${expanded} expanded`);
  t.end();
});
