import t from 'tap';
import { readRows } from './check-conformance.ts';

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
