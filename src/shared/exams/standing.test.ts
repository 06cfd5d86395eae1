import t from 'tap';
import { barAt, barsOf, medianOf, sayRank, sayStanding, sayTie } from './standing.ts';

t.test('a rank, a tie and a share are said in plain words', async (t) => {
  t.same([1, 2, 412].map(sayRank), ['1er', '2e', '412e']);
  t.same([0, 1, 3].map(sayTie), ['', 'ex aequo avec un autre candidat', 'ex aequo avec 3 autres candidats']);
  const said = (rank: number, tied: number, candidates: number) =>
    sayStanding({ rank, tied, candidates, below: candidates - rank - tied }).replaceAll(/[\u00a0\u202f]/g, ' ');
  t.equal(said(412, 0, 8930), 'Vous faites mieux que 8 518 candidats sur 8 930, soit 95 %.');
  t.equal(said(1, 0, 40), 'Vous avez la meilleure note : vous faites mieux que 39 candidats sur 40, soit 97 %.');
  t.equal(said(1, 1, 3), "Vous faites mieux qu'un candidat sur 3, soit 33 %.");
  t.equal(said(3, 0, 3), "Aucun candidat n'a moins de points que vous.");
  t.equal(said(1, 4, 5), 'Tous les candidats ont la même note.');
  t.equal(said(1, 0, 1), 'Vous êtes le seul candidat : personne à qui vous comparer.');
});

t.test('bars hold every candidate once, also below zero and at the most points', async (t) => {
  const counts = [
    { points: -2.5, count: 2 },
    { points: 0, count: 1 },
    { points: 59.99, count: 4 },
    { points: 60, count: 3 },
  ];
  const bars = barsOf(counts, 60);
  t.equal(bars.length, 16);
  t.same(
    bars.slice(0, 2).map(({ from, to }) => [from, to]),
    [
      [-3, 1],
      [1, 5],
    ],
    'whole points',
  );
  t.equal(bars.at(-1)?.to, 60);
  t.same([bars[0]?.count, bars.at(-1)?.count], [3, 7]);
  t.equal(barAt(bars, 60), 15);
  t.equal(barsOf(counts, 61).at(-1)?.to, 61, 'the last bar ends with the most points');
  t.equal(barAt(bars, -3), 0);
  t.same(barsOf([{ points: 0, count: 5 }], 0), [{ from: 0, to: 1, count: 5 }], 'nothing is marked');
  t.equal(barsOf([], 3).length, 3, 'no bar is narrower than a point');
});

t.test('the median of points', async (t) => {
  t.equal(medianOf([]), null);
  t.equal(
    medianOf([
      { points: 4, count: 3 },
      { points: 10, count: 1 },
    ]),
    4,
  );
  t.equal(
    medianOf([
      { points: 10, count: 2 },
      { points: 4, count: 2 },
    ]),
    7,
  );
});
