import t from 'tap';
import { weakestTheme } from './diagnostic.ts';

t.test('the theme to begin with', async (t) => {
  for (const [why, scores, expected] of [
    [
      'the lowest share',
      [
        [3, 4],
        [1, 2],
        [2, 3],
      ],
      1,
    ],
    [
      'of equal shares, the one with more questions',
      [
        [0, 1],
        [0, 3],
      ],
      1,
    ],
    [
      'of equal themes, the first',
      [
        [2, 2],
        [1, 2],
        [1, 2],
      ],
      1,
    ],
    [
      'none when all is right',
      [
        [2, 2],
        [1, 1],
      ],
      -1,
    ],
    ['none without themes', [], -1],
  ] as [string, [number, number][], number][]) {
    const themes = scores.map(([right, total]) => ({ right, total }));
    t.equal(weakestTheme(themes), themes[expected] ?? null, why);
  }
});
