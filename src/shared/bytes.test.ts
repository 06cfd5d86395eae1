import t from 'tap';
import { formatBytes } from './bytes.ts';

t.test('formats sizes for people', async (t) => {
  const cases: [number, string][] = [
    [0, '1 Ko'],
    [1, '1 Ko'],
    [2048, '2 Ko'],
    [870_400, '850 Ko'],
    [1024 * 1024, '1 Mo'],
    [1_258_291, '1,2 Mo'],
    [10 * 1024 * 1024, '10 Mo'],
  ];
  for (const [bytes, text] of cases) t.equal(formatBytes(bytes), text);
});
