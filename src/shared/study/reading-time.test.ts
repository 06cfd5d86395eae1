import t from 'tap';
import { readingMinutes } from './reading-time.ts';

t.test('reading time counts the visible characters', async (t) => {
  t.equal(readingMinutes(''), 1);
  t.equal(readingMinutes(`<p>${'a'.repeat(3_000)}</p>`), 3);
  t.equal(readingMinutes(`<p title="a > ${'b'.repeat(9_000)}">${'a'.repeat(2_400)}</p>`), 2, 'tags and attributes do not count');
});
