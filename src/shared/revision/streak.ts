import { dayMs } from '../dates.ts';

const before = (day: string, days: number): string => new Date(Date.parse(`${day}T12:00:00Z`) - days * dayMs).toISOString().slice(0, 10);

/** One missed day is forgiven within each so many days. */
const forgivenWithin = 7;

/**
 * Returns how many days a learner has studied in a row. A run forgives one missed day a week; today counts once it has come, and is not
 * missed before it is over.
 * @param studied days, `2026-12-21` @param today the day in Africa/Douala
 */
export function streakOf(studied: readonly string[], today: string): number {
  const days = new Set(studied);
  let count = days.has(today) ? 1 : 0;
  let missedAt = -forgivenWithin;
  for (let back = 1; ; back += 1) {
    if (days.has(before(today, back))) {
      count += 1;
    } else {
      // A day that ends the run is not forgiven: the day before it must have been studied.
      if (back - missedAt < forgivenWithin || !days.has(before(today, back + 1))) return count;
      missedAt = back;
    }
  }
}
