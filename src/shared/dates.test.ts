import t from 'tap';
import { daysBetween, daysLeft, formatDate, formatInstant, startOfDay } from './dates.ts';

t.test("formats dates in French and in Douala's time zone on any machine", async (t) => {
  t.equal(formatDate('2026-11-21T12:00:00Z'), '21 novembre 2026');
  t.equal(formatDate(new Date('2026-11-21T22:59:59Z')), '21 novembre 2026');
  t.equal(formatDate(new Date('2026-11-21T23:00:00Z')), '22 novembre 2026', 'a day in Douala begins one hour before the UTC day');
  t.equal(formatDate('2026-08-01T12:00:00Z'), '1er août 2026');
  t.notMatch(formatDate('2026-11-21T12:00:00Z'), /[\u00a0\u202f]/);
  t.equal(formatInstant(new Date('2026-11-21T13:32:10Z')), '21 novembre 2026 à 14:32');
});

t.test('calendar days begin at midnight in Douala', async (t) => {
  const evening = new Date('2026-11-21T22:59:59Z');
  t.equal(startOfDay(evening).toISOString(), '2026-11-20T23:00:00.000Z');
  t.equal(startOfDay(evening, 1).toISOString(), '2026-11-21T23:00:00.000Z');
  t.equal(startOfDay(startOfDay(evening, 1)).toISOString(), '2026-11-21T23:00:00.000Z', 'midnight belongs to the new day');
  t.same([daysBetween(evening, startOfDay(evening, 1)), daysBetween(startOfDay(evening), evening)], [1, 0]);
});

t.test('a missing or invalid date is a dash', async (t) => {
  for (const value of [null, undefined, 'hier', new Date(Number.NaN), '']) t.equal(formatDate(value), '-');
});

t.test('days left are rounded up and never negative', async (t) => {
  const now = new Date('2026-11-21T12:00:00Z');
  const left = (end: string) => daysLeft(new Date(end), now);
  t.equal(left('2026-12-21T12:00:00Z'), 30);
  t.equal(left('2026-12-21T12:00:00.001Z'), 31);
  t.equal(left('2026-11-21T12:00:01Z'), 1);
  t.equal(left('2026-11-21T12:00:00Z'), 0);
  t.equal(left('2026-11-20T12:00:00Z'), 0);
});
