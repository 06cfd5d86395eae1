import t from 'tap';
import { nextCheckAt, withRetryAfter } from './check-schedule.ts';

const start = new Date('2026-11-21T08:00:00.000Z');
const after = (minutes: number) => new Date(start.getTime() + minutes * 60_000);
const minutesUntilNext = (age: number, options?: { silent: boolean }) => {
  const next = nextCheckAt(start, after(age), options);
  return next === null ? null : (next.getTime() - start.getTime()) / 60_000;
};

t.test('1, 3, 6, 10 min, every 10 min to 6 h, hourly to 72 h, then over', async (t) => {
  const schedule: number[] = [];
  for (let age: number | null = 0; ; ) {
    age = minutesUntilNext(age);
    if (age === null) break;
    schedule.push(age);
  }
  t.strictSame(schedule.slice(0, 7), [1, 3, 6, 10, 20, 30, 40]);
  t.strictSame(schedule.slice(schedule.indexOf(350), schedule.indexOf(350) + 4), [350, 360, 420, 480]);
  t.strictSame(schedule.slice(-2), [71 * 60, 72 * 60]);
  t.equal(schedule.length, 4 + 35 + 66);
});

t.test('a late run continues at the current point of the schedule', async (t) => {
  t.equal(minutesUntilNext(4.5), 6);
  t.equal(minutesUntilNext(59.99), 60);
  t.equal(minutesUntilNext(72 * 60 + 1), null);
  t.equal(minutesUntilNext(-5), 1, 'a clock set back gives the first delay');
});

t.test('a provider that does not answer is asked about a payment for a week', async (t) => {
  t.equal(minutesUntilNext(72 * 60, { silent: true }), 73 * 60);
  t.equal(minutesUntilNext(7 * 24 * 60, { silent: true }), null);
});

t.test('a pause requested by the provider is respected, up to an hour', async (t) => {
  t.strictSame(withRetryAfter(after(1), start, 300), after(5));
  t.strictSame(withRetryAfter(after(10), start, 300), after(10));
  t.strictSame(withRetryAfter(after(1), start, 999_999), after(60));
  t.strictSame(withRetryAfter(after(1), start, undefined), after(1));
  t.equal(withRetryAfter(null, start, 300), null);
});
