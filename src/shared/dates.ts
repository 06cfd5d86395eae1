const timeZone = 'Africa/Douala';
const day = new Intl.DateTimeFormat('fr-FR', { dateStyle: 'long', timeZone });

/** Returns a formatted date with ordinary spaces, and `1er` for the first of a month: `1er décembre 2026`. */
const inFrench = (text: string): string => text.replaceAll(/\s/g, ' ').replace(/^1 /, '1er ');

/** Returns `21 novembre 2026`, in Africa/Douala; `-` for a missing or invalid value (specification §3). */
export function formatDate(value: Date | string | null | undefined): string {
  if (value === null || value === undefined) return '-';
  const date = new Date(value);
  return Number.isNaN(date.getTime()) ? '-' : inFrench(day.format(date));
}

const shortDay = new Intl.DateTimeFormat('fr-FR', { day: 'numeric', month: 'short', timeZone });

/** Returns `21 nov.`, in Africa/Douala, for places where the year is shown nearby. */
export const formatShortDay = (value: Date): string => inFrench(shortDay.format(value));

const instant = new Intl.DateTimeFormat('fr-FR', { dateStyle: 'long', timeStyle: 'short', timeZone });

/** Returns `21 novembre 2026 à 14:32`, in Africa/Douala. */
export const formatInstant = (value: Date): string => inFrench(instant.format(value));

const timeOfDay = new Intl.DateTimeFormat('fr-FR', { timeStyle: 'short', timeZone });

/** Returns `14:32`, in Africa/Douala. */
export const formatTime = (value: Date): string => timeOfDay.format(value);

const year = new Intl.DateTimeFormat('en', { year: 'numeric', timeZone });

/** Returns the current year in Africa/Douala. */
export const yearOf = (now: Date): number => Number(year.format(now));

export const dayMs = 86_400_000;

const isoDay = new Intl.DateTimeFormat('en-CA', { year: 'numeric', month: '2-digit', day: '2-digit', timeZone });

/** Returns the calendar day in Africa/Douala: `2026-11-21`. */
export const dayIn = (instant: Date): string => isoDay.format(instant);

/** Returns when a calendar day begins in Africa/Douala (UTC+1 all year): 0 is the day of the instant, 1 the next day. */
export const startOfDay = (instant: Date, daysLater = 0): Date => new Date(Date.parse(`${dayIn(instant)}T00:00+01:00`) + daysLater * dayMs);

/** Returns the number of midnights in Africa/Douala between two instants: 1 from this evening to tomorrow morning. */
export const daysBetween = (from: Date, to: Date): number => Math.round((Date.parse(dayIn(to)) - Date.parse(dayIn(from))) / dayMs);

/** Returns the number of the calendar day in Africa/Douala since 1970; cheap enough for thousands of instants. @param at in ms */
export const dayNumber = (at: number): number => Math.floor((at + 3_600_000) / dayMs);

/** Returns the days left until `end`, rounded up; 0 once it has passed. */
export function daysLeft(end: Date, now: Date): number {
  return Math.max(0, Math.ceil((end.getTime() - now.getTime()) / dayMs));
}

/** Returns the hour of the day in Africa/Douala: 19 from 19:00 on. */
export const hourIn = (instant: Date): number => Math.floor((instant.getTime() - startOfDay(instant).getTime()) / 3_600_000);

/** Returns the day of the week in Africa/Douala: 1 is Monday, 7 Sunday. */
export const weekdayIn = (instant: Date): number => new Date(`${dayIn(instant)}T12:00Z`).getUTCDay() || 7;
