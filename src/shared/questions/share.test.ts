import t from 'tap';
import { readableFormula } from './readable-formula.ts';
import { shareQuestionHref } from './share.ts';

const origin = 'https://prepa.example';
const open = { disciplineId: 3, kind: 'course' as const, itemId: 7 };
const sent = (statement: string, place = { prepaId: 2, isPublished: true }, more: { open?: typeof open } = {}) =>
  new URL(shareQuestionHref({ id: 'sharedquest1', statement }, { ...place, ...more }, origin)).searchParams.get('text');

t.test('a statement and the public page: the open text, else the prepa, else the site', async (t) => {
  const statement = '<p>Que dit <strong>Montesquieu</strong> &amp; qui le lit ?</p>';
  const said = 'Que dit Montesquieu & qui le lit ?\n\nEt vous, que répondez-vous ? ';
  t.equal(sent(statement), `${said}${origin}/user/prepa/consultation/2`);
  t.equal(sent(statement, undefined, { open }), `${said}${origin}/user/prepa/consultation/2/3?type=course&item=7#q-sharedquest1`);
  t.equal(sent(statement, { prepaId: 2, isPublished: false }, { open }), `${said}${origin}`);
  t.ok(shareQuestionHref({ id: 'x', statement }, { prepaId: 2, isPublished: true }, origin).startsWith('https://wa.me/?text=Que%20dit'));
});

t.test('a long statement ends after a word, within 200 characters', async (t) => {
  const words = Array.from({ length: 80 }, (_, index) => `mot${index}`).join(' ');
  const [text = ''] = sent(`<p>${words}</p>`)?.split('\n') ?? [];
  t.ok(text.length > 190 && text.length <= 201, String(text.length));
  t.ok(text.endsWith('…'));
  t.ok(words.startsWith(`${text.slice(0, -1)} `), 'no word is cut');
});

t.test('formulas, exponents and pictures', async (t) => {
  const formula = (latex: string) => `<span class="formula" data-latex="${latex}"><math><mi>x</mi></math></span>`;
  const [text] =
    sent(
      `<p>10<sup>3</sup> H<sub>2</sub>O, ${formula('x^2 + 1')}, ${formula('\\frac{1}{2}')} <img src="/a.webp" alt="Carte"> ?</p>`,
    )?.split('\n') ?? [];
  t.equal(text, '10³ H₂O, x² + 1, … [image : Carte] ?');
});

for (const [latex, text] of [
  ['x^2 + 3x \\leq \\pi', 'x² + 3x ≤ π'],
  ['a_1 \\times a_{12}', 'a₁ × a₁₂'],
  ['5\\,000 \\%', '5 000 %'],
  ['v = 3{,}5', 'v = 3,5'],
  ['\\frac{1}{2}', null],
  ['x^{n+1}', null],
  ['\\sqrt{2}', null],
  ['\\begin{matrix} 1 & 2 \\end{matrix}', null],
] as const)
  t.test(latex, async (t) => t.equal(readableFormula(latex), text));
