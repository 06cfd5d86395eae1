import t from 'tap';
import { describeMark, faultOfPoints, formatSpent, parsePoints, sumOf } from './points.ts';

t.test('typed points, with comma or point', async (t) => {
  const typed: [text: string, points: number | null][] = [
    ['3,5', 3.5],
    ['3.5', 3.5],
    [' 4 ', 4],
    ['0,25', 0.25],
    ['5,', 5],
    ['', 0],
    ['  ', 0],
    ['-1', null],
    ['3,5,1', null],
    ['1e1', null],
    ['trois', null],
    ['Infinity', null],
  ];
  for (const [text, points] of typed) t.equal(parsePoints(text), points, `'${text}'`);
});

t.test('points that a part cannot have', async (t) => {
  for (const text of ['', '0', '0,25', '4,5', '5']) t.equal(faultOfPoints(text, 5), null, text);
  t.equal(faultOfPoints('4,3', 4.3), null, 'all points of a part');
  t.equal(faultOfPoints('5,25', 5), 'De 0 à 5');
  t.equal(faultOfPoints('5', 4.5), 'De 0 à 4,5');
  t.equal(faultOfPoints('3,3', 5), 'Par quarts de point, par exemple 3,25 ou 3,5');
  t.equal(faultOfPoints('-1', 5), 'Écrivez un nombre, par exemple 3,5');
});

t.test('marks and durations in words', async (t) => {
  t.equal(describeMark(13.5, 20), '13,5 sur 20');
  t.equal(describeMark(11, 14), '11 sur 14, soit 15,71 sur 20');
  t.equal(describeMark(sumOf([0.1, 0.2]), 20), '0,3 sur 20');
  t.same([0, 59, 60, 2520, 3600, 3900].map(formatSpent), ['0 s', '59 s', '1 min', '42 min', '1 h 00 min', '1 h 05 min']);
});
