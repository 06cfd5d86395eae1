import t from 'tap';
import { formatXaf } from './money.ts';

t.test('formats whole francs with ordinary spaces between thousands', async (t) => {
  t.equal(formatXaf(500), '500 XAF');
  t.equal(formatXaf(5_000), '5 000 XAF');
  t.equal(formatXaf(15_000), '15 000 XAF');
  t.equal(formatXaf(1_250_000), '1 250 000 XAF');
  t.equal(formatXaf(0), '0 XAF');
  t.notMatch(formatXaf(1_234_567), /[\u00a0\u202f]/, 'the text has no narrow or non-breaking spaces');
});
