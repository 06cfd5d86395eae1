import t from 'tap';
import { findScale } from './scale.ts';
import { pointsIn } from './written-points.ts';

t.test('points beside a heading, as teachers write them', async (t) => {
  const written: [text: string, points: number][] = [
    ['Exercice 1 (5 points)', 5],
    ['Exercice 1 (5 points)', 5],
    ['EXERCICE 1 : (5 POINTS)', 5],
    ['Exercice 1 (4,5 points)', 4.5],
    ['Exercice 1 (4.5 pts)', 4.5],
    ['Exercice 1 [6 pts] : suites', 6],
    ['Exercice 1 (6pts) – Intégrales', 6],
    ['Exercice 2 ( 3 points )', 3],
    ['Exercice 2 (1 point)', 1],
    ['Exercice 2 (0,5 pt)', 0.5],
    ['Exercice 2 (0,75 pt.)', 0.75],
    ['Partie A – 6 pts', 6],
    ['Partie A — 6 points', 6],
    ['Partie A - 6 points.', 6],
    ['Partie A : 6 points', 6],
    ['Partie A, 6 points :', 6],
    ['Partie A 6 pts', 6],
    ['Problème (sur 10)', 10],
    ['Problème (sur 10 points)', 10],
    ['Problème (noté sur 10)', 10],
    ['Problème – noté sur 10', 10],
    ['Dissertation notée sur 14', 14],
    ['Problème : sur 5', 5],
    ['Problème (/5)', 5],
    ['Problème /5', 5],
    ['Problème : / 5 points', 5],
    ['Question 3 (barème : 2 points)', 2],
    ['Question 3 (8 points sur 20)', 8],
    ['Question 3 (4 points environ)', 4],
    ['Partie I (cinq points)', 5],
    ['Partie II – dix-sept points', 17],
  ];
  for (const [text, points] of written) t.equal(pointsIn(text), points, text);
});

t.test('headings that speak of points, and of other numbers', async (t) => {
  const others = [
    'Les points A et B',
    '3 points alignés',
    'Droite passant par 2 points',
    'Droite (2 points distincts)',
    'Méthode : 3 points à retenir',
    'Méthode (en 3 points)',
    'Étude en cinq points',
    'Point 2 : les points critiques',
    'Exercice 3 sur 5',
    'Fraction 3/5',
    'ENS (2023)',
    'Exercice (2)',
    'Partie 4 – 2023',
    'Questions (1, 2 et 3)',
    'Pénalité (-1 point par faute)',
    'Bonus (0 point)',
    'Dépôts – 5',
    'Points faibles',
  ];
  for (const text of others) t.equal(pointsIn(text), null, text);
});

const scale = (corrige: string, contenu = '') => findScale(corrige, contenu).map(({ label, max }) => `${label} = ${max}`);

t.test('the scale from headings and leading bold words', async (t) => {
  t.same(scale('<h2>Exercice 1 – Suites (5 points)</h2><p>Oui.</p><h2>Problème&nbsp;: aires (15 points)</h2>'), [
    'Exercice 1 – Suites = 5',
    'Problème : aires = 15',
  ]);
  t.same(
    scale(
      '<p><strong>Exercice 1 (4,5 points)</strong></p><p>Non.</p><p class="indent-1"><strong>Exercice 2</strong> (5,5 points) : on pose</p>',
    ),
    ['Exercice 1 = 4.5', 'Exercice 2 = 5.5'],
  );
  t.same(scale('<p><strong>Rappel</strong> : par 2 points</p><p>Les <strong>4 points (4 points)</strong></p>'), [], 'bold within a line');
  t.same(scale('<h2>Partie A (12 points)</h2><h3>1. (5 points)</h3><h3>2. (7 points)</h3><h2>Partie B (8 points)</h2>'), [
    'Partie A = 12',
    'Partie B = 8',
  ]);
  t.same(
    scale('<h2>Corrigé (20 points)</h2><h3>Partie A (12 points)</h3><h3>Partie B (8 points)</h3>'),
    ['Partie A = 12', 'Partie B = 8'],
    'the title names the sum',
  );
  t.same(scale('<h2>Exercice 1</h2><p><strong>1.</strong> (2 points)</p><h2>Exercice 2</h2><p><strong>1.</strong> (3 points)</p>'), [
    'Exercice 1, 1 = 2',
    'Exercice 2, 1 = 3',
  ]);
  t.same(scale('<h2>Exercice 1</h2>', '<h2>Exercice 1 (8 points)</h2><h2>Exercice 2 (12 points)</h2>'), [
    'Exercice 1 = 8',
    'Exercice 2 = 12',
  ]);
  t.same(scale('<h2>Les points <em>A</em> et <em>B</em></h2><p>3 points alignés</p>'), []);
});

t.test("the scale that a teacher writes: a list or a table below 'Barème'", async (t) => {
  const list =
    '<ul><li>Introduction : 4 points</li><li>Questions 1 et 2 (6,5 pts)</li><li>Question 6 : 5 points, dont 2 pour le plan.</li><li>Langue : 2</li><li>Total : 17,5 points</li></ul>';
  const parts = ['Introduction = 4', 'Questions 1 et 2 = 6.5', 'Question 6 = 5', 'Langue = 2'];
  t.same(scale(`<p>Oui.</p><h3>Barème</h3>${list}`), parts);
  t.same(scale(`<p><strong>Barème :</strong></p>${list}`), parts, 'a bold line is a heading');
  t.same(scale(`<h2>Exercice 1 (20 points)</h2><h2>Barème indicatif (20 points)</h2>${list}`), parts, 'the list comes first');
  const table =
    '<div class="table-scroll"><table><thead><tr><th scope="col">Critère</th><th>Points</th></tr></thead><tbody><tr><td>Plan</td><td>12</td></tr><tr><td>Langue</td><td>8 pts</td></tr><tr><td>Total</td><td>20</td></tr></tbody></table></div>';
  t.same(scale(`<h2>Barème</h2>${table}`), ['Plan = 12', 'Langue = 8']);
  const partial = `<h2>Dissertation</h2><h3>Barème</h3>${table}<h2>Questions</h2>`;
  t.same(scale(partial, '<h2>Dissertation (14 points)</h2><h2>Questions (6 points)</h2>'), ['Dissertation = 14', 'Questions = 6']);
  t.same(scale(partial), ['Plan = 12', 'Langue = 8'], 'the scale of one part, where there is no other');
  const nested =
    '<ol><li>Partie A : 12 points<ul><li>question 1 : 5 points</li><li>question 2 : 7 points</li></ul></li><li>Partie B : 8 points</li></ol>';
  t.same(scale(`<h2>Barème</h2>${nested}`), ['Partie A = 12', 'Partie B = 8'], 'a list within an item says the details');
  t.same(scale('<h2>Barème</h2><p>Voir le sujet.</p><h2>Plan</h2><ul><li>I : 3 points</li></ul>'), [], 'another list');
});

t.test('what is no scale any more', async (t) => {
  const headings = (count: number, points: number) =>
    Array.from({ length: count }, (_, index) => `<h2>Question ${index + 1} (${points} points)</h2>`).join('');
  t.equal(scale(headings(30, 2)).length, 30);
  t.same(scale(headings(31, 1)), [], 'too many parts');
  t.same(scale(headings(3, 90)), [], 'too many points');
});
