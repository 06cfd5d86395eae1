import t from 'tap';
import { editDistance } from './edit-distance.ts';

t.test('counts letters left out, added, replaced and exchanged, up to a limit', async (t) => {
  for (const [one, other, distance] of [
    ['inflation', 'inflation', 0],
    ['inflaton', 'inflation', 1],
    ['infflation', 'inflation', 1],
    ['inflatoin', 'inflation', 1],
    ['enflation', 'inflation', 1],
    ['enflatoin', 'inflation', 2],
    ['enflatoine', 'inflation', 3],
    ['relation', 'inflation', 3],
    ['', 'ab', 2],
    ['', 'abc', 3],
  ] as const) {
    t.equal(editDistance(one, other, 2), distance, `${one}, ${other}`);
    t.equal(editDistance(other, one, 2), distance, `${other}, ${one}`);
  }
});
