import t from 'tap';
import type { Given } from '../questions/grade.ts';
import { receiptOf } from './receipt.ts';

t.test('a receipt has eight letters, equal for equal answers at the same time', async (t) => {
  const answers = new Map<string, Given>([
    ['q1', { choices: ['b', 'a'] }],
    ['q2', { typed: '12' }],
  ]);
  const receipt = await receiptOf(answers, 1_000);
  t.match(receipt, /^[B-DF-HJ-NP-TV-Z2-79]{4}-[B-DF-HJ-NP-TV-Z2-79]{4}$/);
  const reordered = new Map<string, Given>([
    ['q2', { typed: '12' }],
    ['q1', { choices: ['a', 'b'] }],
  ]);
  t.equal(await receiptOf(reordered, 1_000), receipt);
  t.not(await receiptOf(answers, 1_001), receipt, 'at another time');
  t.not(await receiptOf(new Map([['q1', { choices: ['a'] }]]), 1_000), receipt, 'other answers');
});
