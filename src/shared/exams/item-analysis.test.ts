import t from 'tap';
import { itemFigures, kr20, type PaperSums, sayReliability } from './item-analysis.ts';

// Kuder and Richardson's formula on a small matrix, worked by hand: five candidates, three questions.
const rows = [
  [1, 1, 1],
  [1, 1, 0],
  [1, 0, 0],
  [1, 0, 0],
  [0, 0, 0],
];
const scores = rows.map((row) => row.reduce((sum, x) => sum + x, 0));
const paper: PaperSums = { candidates: 5, items: 3, scores: 7, squares: 15, group: 1 };
const sumsOf = (at: number) => ({
  right: rows.filter((row) => row[at]).length,
  scores: rows.reduce((sum, row, index) => sum + (row[at] ? (scores[index] ?? 0) : 0), 0),
  upper: rows[0]?.[at] ?? 0,
  lower: rows[4]?.[at] ?? 0,
});

t.test('KR-20 by hand: p q = 0.16 + 0.24 + 0.16, variance 1.04', async (t) => {
  t.ok(Math.abs((kr20([0, 1, 2].map(sumsOf), paper) ?? 0) - 1.5 * (1 - 0.56 / 1.04)) < 1e-12);
  t.equal(kr20([{ right: 3 }], paper), null, 'not of one question');
  t.equal(kr20([{ right: 5 }, { right: 5 }], { ...paper, scores: 10, squares: 20 }), null, 'not of equal scores');
});

t.test('facility, difference and correlation with the other questions', async (t) => {
  const { facility, difference, correlation } = itemFigures(sumsOf(1), paper);
  t.equal(facility, 0.4);
  t.equal(difference, 1);
  // The question: 1 1 0 0 0. The rest: 2 1 1 1 0, mean 1; products 1.0, deviations 1.2 and 2.
  t.ok(Math.abs((correlation ?? 0) - 1 / Math.sqrt(1.2 * 2)) < 1e-12);
  t.equal(itemFigures({ right: 5, scores: 7, upper: 1, lower: 1 }, paper).correlation, null, 'all right');
});

t.test('the sentence says when the coefficient does not apply', async (t) => {
  t.match(sayReliability(0.9, { candidates: 29, items: 40 }), /à partir de 30 candidats/);
  t.match(sayReliability(null, { candidates: 100, items: 1 }), /à partir de deux questions/);
  t.match(sayReliability(null, { candidates: 100, items: 40 }), /même nombre de réponses justes/);
  t.match(sayReliability(0.85, { candidates: 100, items: 40 }), /^KR-20 : 0,85\. Fidélité bonne/);
  t.match(sayReliability(-0.2, { candidates: 100, items: 40 }), /^KR-20 : −0,20\. Fidélité très faible/);
});
