import { daysBetween, formatDate } from '../dates.ts';

/** Minutes a day that a learner can choose. */
export const dailyMinutes = [5, 15, 30, 60] as const;
export type DailyMinutes = (typeof dailyMinutes)[number];
export const defaultMinutes: DailyMinutes = 15;

/** What a learner says after the day of the concours. */
export const outcomes = ['admitted', 'failed', 'waiting'] as const;
export type Outcome = (typeof outcomes)[number];
export const outcomeNames: Record<Outcome, string> = { admitted: 'Reçu', failed: 'Non reçu', waiting: 'Pas encore de résultat' };

/** Returns a day in Africa/Douala as an instant of that day. @param day `2026-12-21` */
export const instantOf = (day: string): Date => new Date(`${day}T12:00:00+01:00`);

/** Returns the days until a concours: 0 on its day, negative after it. */
export const daysUntil = (day: string, now: Date): number => daysBetween(now, instantOf(day));

/** Returns `J-23`, `Jour J` on the day itself, and null after it. */
export function countdown(day: string, now: Date): string | null {
  const left = daysUntil(day, now);
  if (left < 0) return null;
  return left === 0 ? 'Jour J' : `J-${left}`;
}

/** Returns `21 décembre 2026`. */
export const formatConcoursDay = (day: string): string => formatDate(instantOf(day));
