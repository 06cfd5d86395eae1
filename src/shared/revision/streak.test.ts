import t from 'tap';
import { streakOf } from './streak.ts';

/** Days of a calendar that ends on Sunday 20 December 2026: x for a day of study, - for none. */
const calendar = (marks: string): string[] =>
  [...marks].flatMap((mark, index) => {
    const day = new Date(Date.UTC(2026, 11, 20 - (marks.length - 1 - index)));
    return mark === 'x' ? [day.toISOString().slice(0, 10)] : [];
  });

const cases: [marks: string, days: number, why: string][] = [
  ['', 0, 'nothing'],
  ['x', 1, 'today alone'],
  ['xx-', 2, 'today is not over'],
  ['x--', 1, 'yesterday is forgiven, and today is not over'],
  ['xxx---', 0, 'two days missed'],
  ['xxx', 3, 'three days'],
  ['xxx-xxx', 6, 'one missed day is forgiven'],
  ['xx--xx', 2, 'two missed days are not'],
  ['xx-xx-xx', 4, 'two missed days within a week: the second ends the run'],
  ['xxx-xxxxxx-xx', 11, 'one missed day a week'],
  ['xxxxxxx', 7, 'a whole week'],
  ['-xxx', 3, 'the missed day before the run counts for nothing'],
];
for (const [marks, days, why] of cases)
  t.test(`${marks || 'empty'}: ${why}`, async (t) => {
    t.equal(streakOf(calendar(marks), '2026-12-20'), days);
  });
