import { daySchema, endOf, midnight } from '../../../platform/pages/filtered-list.ts';
import { dayIn, dayMs, daysBetween } from '../../../shared/dates.ts';
import type { FieldError } from '../../../shared/forms/field-errors.ts';

/** Length of the default period, and maximum length of a period, in days. */
const defaultDays = 30;
const maxDays = 366;

/** From one day to another in Douala, both included. */
export interface Period {
  du: string;
  au: string;
  from: Date;
  /** Exclusive. */
  until: Date;
  /** Number of days. */
  count: number;
}

/** Returns the requested period, or its faults by field; by default 30 days up to today. */
export function readPeriod(
  asked: { du?: unknown; au?: unknown },
  now: Date,
): { period: Period; errors?: undefined } | { period?: undefined; errors: FieldError[] } {
  const missing = (value: unknown) => value === undefined || value === '';
  const [du, au] = [daySchema.safeParse(asked.du), daySchema.safeParse(asked.au)];
  const errors = [...(missing(asked.du) || du.success ? [] : ['du']), ...(missing(asked.au) || au.success ? [] : ['au'])].map((field) => ({
    field,
    message: 'Une date comme 2026-12-31 est attendue.',
  }));
  if (errors.length > 0) return { errors };
  const end = au.data ?? (du.data && du.data > dayIn(now) ? du.data : dayIn(now));
  const start = du.data ?? dayIn(new Date(midnight(end).getTime() - (defaultDays - 1) * dayMs));
  const count = daysBetween(midnight(start), midnight(end)) + 1;
  if (count < 1) return { errors: [{ field: 'au', message: 'La fin doit suivre le début.' }] };
  if (count > maxDays) return { errors: [{ field: 'du', message: `La période compte ${count} jours : ${maxDays} au plus.` }] };
  return { period: { du: start, au: end, from: midnight(start), until: endOf(end), count } };
}
