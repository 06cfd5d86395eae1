import { daysBetween } from './dates.ts';

const minuteMs = 60_000;
const hourMs = 60 * minuteMs;

/** Returns how long ago an instant was, in the specification's words (§2), by days in Africa/Douala. A future instant counts as now. */
export function relativeTime(then: Date, now: Date): string {
  const age = now.getTime() - then.getTime();
  if (age < minuteMs) return "À l'instant";
  if (age < hourMs) return `Il y a ${Math.floor(age / minuteMs)} min`;
  const days = daysBetween(then, now);
  if (days === 0) return `Il y a ${Math.floor(age / hourMs)} h`;
  return days === 1 ? 'Hier' : `Il y a ${days} jours`;
}
