import t from 'tap';
import { changedAppearance, readAppearance, writeAppearance } from './appearance.ts';

t.test('a cookie of another form gives the initial choice', async (t) => {
  for (const value of [undefined, '', 'rouge.1', 'sombre', 'sombre.', 'sombre.9', 'sombre.-1', 'sombre.x'])
    t.same(readAppearance(value), { theme: 'auto', letters: 1 }, String(value));
  for (const value of ['sombre.0', 'clair.4', 'auto.2']) t.equal(writeAppearance(readAppearance(value)), value);
});

t.test('letters grow and shrink by one step, within five sizes', async (t) => {
  const sizes = (lettres: 'moins' | 'plus') => {
    let now = readAppearance('sombre.1');
    return Array.from({ length: 5 }, () => {
      now = changedAppearance(now, { lettres });
      return now.letters;
    });
  };
  t.same(sizes('plus'), [2, 3, 4, 4, 4]);
  t.same(sizes('moins'), [0, 0, 0, 0, 0]);
  t.same(changedAppearance({ theme: 'sombre', letters: 3 }, { theme: 'clair' }), { theme: 'clair', letters: 3 });
});
