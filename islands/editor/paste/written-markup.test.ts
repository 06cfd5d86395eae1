import t from 'tap';
import { isFormattedHtml, looksFormatted } from './written-markup.ts';

const formatted: Record<string, string> = {
  'a formula between dollars': 'Soit $u_n = 3n + 2$ une suite.',
  'a single letter between dollars': 'Pour tout $n$, on a le résultat.',
  'a formula over two lines': 'On a $a +\nb = c$ donc.',
  'a displayed formula': 'Alors\n$$\n\\int_0^1 x\\,dx\n$$\n',
  'TeX between parentheses': 'La racine \\(\\sqrt{2}\\) est irrationnelle.',
  'TeX between brackets': 'On obtient\n\\[\nx^2 = 2\n\\]',
  'an environment of a .tex file': '\\begin{align*}\na &= b\n\\end{align*}',
  bold: 'Une suite est **croissante** si la différence est positive.',
  'a bold line': '**Définition.** Une suite est une fonction.',
  'a heading': '## Les suites\nTexte.',
  'a heading with Windows line ends': 'Cours\r\n\r\n### Limites\r\n\r\nTexte.',
  'a table': '| x | f(x) |\n|---|:---:|\n| 0 | 1 |',
  'a table without outer bars': 'x | y\n--- | ---\n1 | 2',
  'a numbered list': 'Étapes :\n1. Dériver\n2. Étudier le signe\n3. Conclure',
  'a numbered list with blank lines': '4) Dériver\n\n5) Conclure',
  'a list': '- croissante\n- décroissante',
  'a list of stars': '* un\n* deux',
  'prose around a program': 'Le **tri** par insertion :\n\n```python\nx = 5;\nreturn x\n```\n\nIl est lent.\nIl est simple.',
};

const plain: Record<string, string> = {
  prose: 'Une suite est une fonction définie sur les entiers.',
  'prices after the figure': 'Le cahier coûte 5 $ et 6 $ le mois.',
  'prices before the figure': 'De $5 à $10, ou $5-$10, ou (US$5)/(US$6).',
  'prices with a sign at both ends': 'Entre 5$ et 10$ par jour',
  'a language': 'Programmer en C# ou en F#.',
  'a number sign': '#1 des ventes\n#concours',
  products: '2 * 3 * 4 = 24 et 2**3**4',
  'a footnote star': 'Le prix* et la note* de bas de page',
  'an e-mail signature': '-- \nJean Mbarga\nProfesseur | Lycée Joss, Douala\nTél. : +237 6 99 00 11 22\njean_mbarga@exemple.cm',
  'a line of dashes': 'Cordialement\n-----\nJean | Douala',
  'phone numbers': '699 00 11 22\n677 11 22 33\n+237 222 33 44 55',
  'times and dates': '8. mars : rentrée\n12.05.2026\n08:30',
  'one number': '1. Introduction',
  'numbers out of order': '3. avril\n1. mai',
  'a program in Python': '# Compte\ndef f(x):\n    return x ** 2 ** 3\nprint(f(2))',
  'a program in C': '#include <stdio.h>\nint main(void) {\n  return 0;\n}',
  'a program of a shell': 'export PATH=$HOME/bin:$PATH\n# suite\necho $USER',
  'a program in a code block': '```python\n# Compte\nx = "$a$ **gras**"\n```',
  'a code span': 'Écrire `**gras**` et `$x$`.',
  'dollars that are escaped': 'Il écrit \\$x + y\\$ ici.',
  'a path': 'C:\\Users\\Jean\\Documents',
  'a question with choices': '1. Quelle est la capitale ?\nA. Douala\nB. Yaoundé\n2. Quel fleuve ?\nA. Sanaga\nB. Wouri',
  'nothing at all': '',
};

t.test('a text in Markdown or with TeX is recognised; amounts, programs and signatures are not', async (t) => {
  for (const [name, text] of Object.entries(formatted)) t.equal(looksFormatted(text), true, name);
  for (const [name, text] of Object.entries(plain)) t.equal(looksFormatted(text), false, name);
});

t.test('HTML that only colours or wraps a text does not format it', async (t) => {
  t.equal(isFormattedHtml(''), false);
  t.equal(isFormattedHtml('<meta charset="utf-8"><div style="color:#333;white-space:pre"><div><span>## Suites</span></div></div>'), false);
  t.equal(isFormattedHtml('<h2>Suites</h2>'), true);
  t.equal(isFormattedHtml('<p>Une <strong>suite</strong></p>'), true);
  t.equal(isFormattedHtml('<p data-pm-slice="1 1 []">Une suite $x$</p>'), true, 'a copy of our own');
});

t.test('a long hostile text is searched quickly', async (t) => {
  const start = performance.now();
  for (const sign of ['$', '**a ', '`', '|', '\\(', '\\[', '- ', '| --', '```\n', '# ', '$a\n']) looksFormatted(sign.repeat(200_000));
  const taken = Math.round(performance.now() - start);
  t.ok(taken < 5_000, `${taken} ms`);
  t.comment(`${taken} ms`);
});
