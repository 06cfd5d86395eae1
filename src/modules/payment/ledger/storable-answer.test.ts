import t from 'tap';
import { storableAnswer } from './storable-answer.ts';

const reference = 'ZP1768471200000a1b2c3d4';
const stored = (raw: unknown) => storableAnswer(raw, [reference, '15000']);

t.test('telephone numbers keep their last four digits', async (t) => {
  for (const phone of [
    '237699123456',
    '+237699123456',
    '+237 6 99 12 34 56',
    '00237 699 12 34 56',
    '699 12 34 56',
    '699-123-456',
    '699123456',
    '699\u00a012\u00a034\u00a056',
    '699\u202f123\u202f456',
    '699/12/34/56',
    '699_12_34_56',
    '6 99 12 34 56',
    '6991 234 56',
    '237 699123456',
    '237 699 123 456',
    '237\u00a06\u00a099\u00a012\u00a034\u00a056',
    '+237/699/12/34/56',
  ]) {
    const text = String(stored(`Paid by ${phone}.`));
    t.notMatch(text, /9 ?9.?1/, phone);
    t.match(text, /^Paid by …\d{4}\.$/, phone);
  }
  t.strictSame(stored({ msisdn: 237699123456 }), { msisdn: '…3456' }, 'a telephone number stored as a number is masked');
  t.strictSame(stored({ '237699123456': 1 }), { '…3456': 1 }, 'a telephone number used as a field name is masked');
});

t.test('our reference and the amount stay readable', async (t) => {
  const answer = { ref: reference, amount: '15000', original: 15000, status: -1, at: '2026-11-21 08:00:00' };
  t.strictSame(stored(answer), answer);
  t.equal(stored(`${reference} by 699123456, ${reference}`), `${reference} by …3456, ${reference}`);
});

t.test('every answer of a provider can be stored as jsonb', async (t) => {
  let deep: unknown = 'end';
  for (let depth = 0; depth < 5_000; depth += 1) deep = [deep];
  t.ok(JSON.stringify(stored({ deep })).length < 100);
  t.equal(stored('a\0b\ud800'), 'ab\ufffd');
  t.equal(String(stored('x'.repeat(10_000))).length, 500);
  t.equal((stored(Array(1000).fill(1)) as unknown[]).length, 50);
  t.strictSame(stored([undefined, null, true, () => 1]), [null, null, true, null]);
});

t.test('an answer of tens of kilobytes is kept in part, as text', async (t) => {
  const long = { payer: '677123456', rows: Array.from({ length: 50 }, (_, index) => ({ index, note: 'é'.repeat(500) })) };
  const stored = storableAnswer(long, []);
  t.ok(JSON.stringify(stored).length < 8_200, 'the stored answer is limited in total length');
  t.match(stored, { partOf: /^\{"payer":"…3456","rows":\[\{"index":0/ });
  t.notMatch(JSON.stringify(storableAnswer(long, [])), '677123456', 'telephone numbers are masked before the answer is cut');
});
