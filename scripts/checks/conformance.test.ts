import t from 'tap';
import { isNamed, quotedTexts, readRows, says, unshown } from './conformance.ts';

t.test('rows of a conformance table', async (t) => {
  const faults: string[] = [];
  const rows = readRows(
    'docs/x.md',
    [
      '# Title',
      '| § | What | Text | Test |',
      '|---|---|---|---|',
      '| 2 | A tab | `Leçons` `a \\| b` | `test/a.test.ts` |',
      '| 2 | No text | none | `test/a.test.ts` |',
    ].join('\n'),
    faults,
  );
  t.strictSame(rows, [{ where: 'docs/x.md:4', texts: ['Leçons', 'a | b'], test: 'test/a.test.ts' }]);
  t.strictSame(faults, ['docs/x.md:5: a row names a text and a test, each in a code span']);
});

t.test('finds the problems that no row of a table covers', async (t) => {
  const markdown = [
    '## 1. Other',
    '| A |',
    '|---|',
    '| else |',
    '## 7. Complaints',
    '| Problem | Test |',
    '|---|---|',
    '| Lost | a |',
    '| Paid twice | b |',
  ];
  t.same(unshown(markdown.join('\n'), '7', ['Lost, money taken', 'Never paid twice']), ['Paid twice']);
  t.same(unshown(markdown.join('\n'), '7', ['Paid twice', 'Lost']), []);
  t.same(unshown(markdown.join('\n'), '8', []), ['§8'], 'a missing table is reported');
});

t.test('finds a text in a test only as a complete string', async (t) => {
  const said: [string, string][] = [
    ["t.equal(button, 'Oui')", 'Oui'],
    ['t.match(html, /<b>Oui<\\/b>/)', 'Oui'],
    ['t.match(html, />Cours \\(2\\)</)', 'Cours (2)'],
    ["t.equal(title, 'L\\'essai')", "L'essai"],
    ["t.match(html, 'L&#39;essai &amp; la suite')", "L'essai & la suite"],
    ['name: `Consulter $' + '{nom}`', 'Consulter'],
    ["t.match(toast, 'Erreur : ' + reason)", 'Erreur :'],
    ['viewport: { width: 992, height: 700 }', 'width: 992'],
    ["'Cours (' + count", 'Cours ('],
    ["'99+'", '99+'],
  ];
  for (const [source, text] of said) t.ok(says(source, text), `${text} is found in ${source}`);

  const unsaid: [string, string][] = [
    ["t.equal(button, 'Ouioui')", 'Oui'],
    ["t.equal(button, 'NonOui')", 'Oui'],
    ["t.equal(state, 'déconnecté')", 'connecté'],
    ["t.equal(tab, 'Toutes les notifications')", 'Toutes'],
    ["t.equal(tab, 'Messages lus')", 'lus'],
    ["'Paiement annulé. Vous allez être redirigé.'", 'Paiement annulé.'],
    ['setTimeout(tick, 15_000)', '5_000'],
    ['  // shows Oui', 'Oui'],
    [' * shows Oui', 'Oui'],
    ["'Oui.'", 'Ou.'],
  ];
  for (const [source, text] of unsaid) t.notOk(says(source, text), `${text} is not found in ${source}`);
});

t.test('finds the texts that the specification quotes in the user-visible sections', async (t) => {
  const quoted = quotedTexts(
    ["## 1. What for: 'nobody'", "## 2. Screens 'Menu' / 'Masquer'", "- 'L'email', ('Cours (n)'); it's not 'one.'", "## 7. Calls 'x'"].join(
      '\n',
    ),
  );
  t.same(quoted, ['Menu', 'Masquer', "L'email", 'Cours (n)', 'one.']);
});

t.test('a quoted text is matched by a text with its placeholders filled in', async (t) => {
  const named: [string, string][] = [
    ['Menu', 'Menu'],
    ['Continuer', 'Continuer ENS'],
    ['Cours (n)', 'Cours (3)'],
    ['Page X sur Y', 'Page 2 sur 3'],
    ['Il y a N min', 'Il y a 59 min'],
    ['Vous avez accès à "{nom}"', 'Vous avez accès à "ENS"'],
    ['Erreur: ...', 'Erreur: montant'],
    ['Au plus {année}', 'Au plus'],
    ['Chargement...', 'Chargement...'],
    ['Erreur de la leçon / du sujet', 'Erreur de la leçon'],
  ];
  for (const [quoted, text] of named) t.ok(isNamed(quoted, ['autre', text]), `${quoted}: ${text}`);
  t.notOk(isNamed('Menu', ['Menus', 'menu', 'Lemenu']));
  t.notOk(isNamed('Page X sur Y', ['Page 2']));
  t.notOk(isNamed('Nouvelle', ['ouvelle']));
  t.notOk(isNamed('Menu', []));
});
