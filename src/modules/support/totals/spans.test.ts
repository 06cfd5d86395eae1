import t from 'tap';
import { dayMs } from '../../../shared/dates.ts';
import { spansOf } from './spans.ts';

const short = (du: string, au: string) => spansOf({ du, au }).map(({ span, start }) => `${span} ${start}`);
const dayAfter = (day: string, days: number) => new Date(Date.parse(day) + days * dayMs).toISOString().slice(0, 10);

t.test('a period is split into the longest possible spans, in order', async (t) => {
  t.same(short('2026-11-24', '2026-11-24'), ['day 2026-11-24']);
  t.same(short('2026-02-01', '2026-02-28'), ['month 2026-02-01']);
  t.same(short('2026-02-21', '2026-03-10'), ['third 2026-02-21', 'third 2026-03-01']);
  t.same(short('2026-01-30', '2026-07-12'), [
    ...['day 2026-01-30', 'day 2026-01-31', 'month 2026-02-01', 'month 2026-03-01', 'term 2026-04-01'],
    ...['third 2026-07-01', 'day 2026-07-11', 'day 2026-07-12'],
  ]);
});

t.test('every period covers each day once, in few rows', async (t) => {
  const daysOf = {
    day: () => 1,
    third: (start: string) => (start.endsWith('21') ? Number(lastOf(start, 1).slice(8)) - 20 : 10),
    month: months(1),
    term: months(3),
  };
  for (let first = 0; first < 400; first += 1) {
    for (const length of [1, 7, 30, 31, 92, 365, 366]) {
      const [du, au] = [dayAfter('2027-12-25', first), dayAfter('2027-12-25', first + length - 1)];
      let next = du;
      const pieces = spansOf({ du, au });
      for (const { span, start } of pieces) {
        if (start !== next) t.fail(`${du} to ${au}: ${start} instead of ${next}`);
        next = dayAfter(start, daysOf[span](start));
      }
      if (next !== dayAfter(au, 1)) t.fail(`${du} to ${au} ends before ${next}`);
      if (pieces.length > (length > 31 ? 29 : 14)) t.fail(`${du} to ${au} takes ${pieces.length} rows`);
    }
  }
});

/** Returns the last day of the month `count - 1` months later. */
function lastOf(start: string, count: number): string {
  const [year = 0, month = 0] = start.split('-').map(Number);
  return new Date(Date.UTC(year, month - 1 + count, 0)).toISOString().slice(0, 10);
}
function months(count: number) {
  return (start: string) => (Date.parse(lastOf(start, count)) - Date.parse(start)) / dayMs + 1;
}
