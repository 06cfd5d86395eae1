import { parseHTML } from 'linkedom';
import t from 'tap';
import { documentFromDom } from '../../../shared/rich-text/parse.ts';
import { splitCorrection } from './correction.ts';
import { splitExercises } from './exercises.ts';
import { Remarks } from './remarks.ts';

// A file with several exercises, as teachers write them.

/** Reads a text as the imports do: the correction is split off first. Returns title, statement and correction of each exercise. */
function split(html: string): string[][] {
  const root = parseHTML(`<!doctype html><html><body>${html}</body></html>`).document.body as unknown as Element;
  const correction = splitCorrection(root, new Remarks());
  const [contenu, corrige] = [documentFromDom(root, 'exact'), correction && documentFromDom(correction, 'exact')];
  const blocks = [contenu, corrige].flatMap((doc) => doc?.children ?? []);
  const textOf = (ranks: number[]) => ranks.map((rank) => blocks[rank]?.textContent).join(' | ');
  return splitExercises(contenu, corrige).map(({ titre, statement, correction }) => [titre, textOf(statement), textOf(correction)]);
}

t.test('a correction after each exercise', async (t) => {
  const expected = [
    ['Exercice 1', 'A', 'a'],
    ['Exercice 2', 'B', 'b'],
  ];
  for (const html of [
    '<h2>Exercice 1</h2><p>A</p><h2>Corrigé</h2><p>a</p><h2>Exercice 2</h2><p>B</p><h2>Corrigé</h2><p>b</p>',
    '<p><strong>Exercice 1 :</strong></p><p>A</p><p>Corrigé :</p><p>a</p><p><strong>Exercice 2 :</strong></p><p>B</p><p>Solution</p><p>b</p>',
    "<h2>Exercice 1 :</h2><p>A</p><h3>Corrigé de l'exercice 1</h3><p>a</p><h2>Exercice 2 :</h2><p>B</p><h3>Correction de l’exercice 2</h3><p>b</p>",
    '<h2>Exercice 1</h2><p>A</p><h3>Solution</h3><p>a</p><h2>Exercice 2</h2><p>B</p><h3>Solution :</h3><p>b</p>',
  ])
    t.same(split(html), expected, html);
  t.same(split('<h1>EXERCICE I</h1><p>A</p><h1>CORRIGÉ</h1><p>a</p><h1>EXERCICE II</h1><p>B</p><h1>CORRIGÉ</h1><p>b</p>'), [
    ['EXERCICE I', 'A', 'a'],
    ['EXERCICE II', 'B', 'b'],
  ]);
});

t.test('all corrections at the end go to the exercises that they name', async (t) => {
  const statements = '<h2>Exercice 1 : Suites</h2><p>A</p><h2>Exercice II</h2><p>B</p>';
  const expected = [
    ['Exercice 1 Suites', 'Exercice 1 : Suites | A', 'a'],
    ['Exercice II', 'B', 'b'],
  ];
  t.same(split(`${statements}<h1>Corrigés</h1><h2>Exercice 1</h2><p>a</p><h2>Exercice 2</h2><p>b</p>`), expected);
  t.same(split(`${statements}<h2>Corrigé de l'exercice 1</h2><p>a</p><h2>Corrigé de l'exercice n° 2</h2><p>b</p>`), expected);
  t.same(split(`${statements}<p>Solution 2</p><p>b</p><p>Solution 1</p><p>a</p>`), expected, 'in another order');
});

t.test('nothing is lost: the beginning, points and further words stay in the text', async (t) => {
  t.same(
    split(
      '<p>Durée : 2 h</p><h2>Exercice 1 (5 points)</h2><p>A</p><h2>Problème n° 1 : la chute</h2><p>B</p><h3>Corrigé détaillé</h3><p>b</p>',
    ),
    [
      ['Exercice 1 5 points', 'Durée : 2 h | Exercice 1 (5 points) | A', ''],
      ['Problème n 1 la chute', 'Problème n° 1 : la chute | B', 'Corrigé détaillé | b'],
    ],
  );
});

t.test('a text that only speaks of exercises is one content', async (t) => {
  for (const html of [
    '<h2>Exercice 1</h2><p>A</p><h2>Corrigé</h2><p>a</p>',
    '<p>Exercice 1 est facile.</p><p>A</p><p>Exercice 2 reprend ses résultats.</p><p>B</p>',
    '<h2>Exercices</h2><p>A</p><h2>Solutions</h2><p>a</p>',
    '<h2>Exercice 1</h2><h2>Exercice 2</h2><p>B</p>',
    '<p>A</p>',
  ])
    t.same(split(html), [], html);
});

t.test('a heading that the rule for titles changes is also the full title', async (t) => {
  const html = "<h2>Exercice 1 : l'énergie</h2><p>A</p><h2>Exercice 2</h2><p>B</p>";
  const root = parseHTML(`<!doctype html><html><body>${html}</body></html>`).document.body as unknown as Element;
  t.match(splitExercises(documentFromDom(root, 'exact'), null), [
    { titre: 'Exercice 1 l énergie', intitule: "Exercice 1 : l'énergie" },
    { titre: 'Exercice 2', intitule: null },
  ]);
});
