import t from 'tap';
import { isNear, readNumber, readTolerance } from './number.ts';

t.test('reads numbers as people in Cameroon type them', async (t) => {
  for (const [typed, value] of [
    ['3,5', 3.5],
    ['3.5', 3.5],
    [' 3,50 ', 3.5],
    ['7/2', 3.5],
    ['7 / 2', 3.5],
    ['-7/2', -3.5],
    ['3,5/0,5', 7],
    ['1,2e3', 1200],
    ['1.2E-3', 0.0012],
    ['1,2 × 10^3', 1200],
    ['1,2x10^-3', 0.0012],
    ['6,02*10^23', 6.02e23],
    ['12 000', 12000],
    ['12\u00a0000', 12000],
    ['12\u202f000', 12000],
    ['1 234 567,89', 1234567.89],
    ['12000', 12000],
    ['−4', -4],
    ['–4', -4],
    ['+4', 4],
    [',5', 0.5],
    ['0', 0],
    ['007', 7],
  ] as const)
    t.equal(readNumber(typed), value, typed);
});

t.test('refuses what is no number', async (t) => {
  for (const typed of [
    '',
    ' ',
    'abc',
    '3,5,5',
    '1.234,5',
    '12 00',
    '1 2',
    '3/0',
    '1/2/3',
    '/2',
    '3/',
    '--4',
    '4-',
    'e3',
    ',',
    '1e',
    '3 m',
    'NaN',
    'Infinity',
    '1e999',
    '٣',
    '0x10',
  ])
    t.equal(readNumber(typed), null, typed);
});

t.test('a tolerance is absolute, or relative in per cent', async (t) => {
  t.same(readTolerance(''), { by: 'absolute', amount: 0 });
  t.same(readTolerance('0,1'), { by: 'absolute', amount: 0.1 });
  t.same(readTolerance('2 %'), { by: 'relative', amount: 0.02 });
  t.same(readTolerance('0,5%'), { by: 'relative', amount: 0.005 });
  for (const typed of ['-1', 'abc', '%', '-2 %']) t.equal(readTolerance(typed), null, typed);
});

t.test('an answer is right within the tolerance, whatever its rounding', async (t) => {
  const near = (given: number, value: number, tolerance: string) =>
    isNear(given, value, readTolerance(tolerance) ?? { by: 'absolute', amount: -1 });
  for (const [given, value, tolerance, expected] of [
    [0.1 + 0.2, 0.3, '', true],
    [3.5, 3.5, '', true],
    [3.51, 3.5, '', false],
    [3.6, 3.5, '0,1', true],
    [3.4, 3.5, '0,1', true],
    [3.61, 3.5, '0,1', false],
    [102, 100, '2 %', true],
    [-102, -100, '2 %', true],
    [102.1, 100, '2 %', false],
    [0, 0, '2 %', true],
    [1e-12, 0, '', false],
    [6.02e23, 6.022e23, '0,1 %', true],
  ] as const)
    t.equal(near(given, value, tolerance), expected, `${given} for ${value}, ${tolerance}`);
});
