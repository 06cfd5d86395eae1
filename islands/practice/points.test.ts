import t from 'tap';
import { totalText } from './points.ts';

t.test('the fields below a correction add up to the mark', async (t) => {
  t.equal(totalText(['3,5', '10'], [5, 15]), 'Votre note : 13,5 sur 20');
  t.equal(totalText(['3.25', ''], [5, 15]), 'Votre note : 3,25 sur 20', 'an empty field is 0');
  t.equal(totalText(['6', '5'], [8, 6]), 'Votre note : 11 sur 14, soit 15,71 sur 20');
  t.equal(totalText(['', ' '], [5, 15]), '', 'before the first points');
  t.equal(totalText(['6', '10'], [5, 15]), '', 'more than a part gives');
  t.equal(totalText(['3,', 'x'], [5, 15]), '', 'no number');
});
