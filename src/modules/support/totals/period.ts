import { dayIn, dayMs, daysBetween } from '../../../shared/dates.ts';
import type { FieldError } from '../../../shared/forms/field-errors.ts';
import { daySchema, endOf, midnight } from '../payments/filters.ts';

/** Days of a period: without one said, and at most. */
const usualDays = 30;
const mostDays = 366;

/** Days in Douala, both included. */
export interface Period {
  du: string;
  au: string;
  from: Date;
  /** Exclusive. */
  until: Date;
  /** Days that it has. */
  count: number;
}

/** The period that is asked for: 30 days up to today without one; what is said of it that cannot be, by field. */
export function readPeriod(
  asked: { du?: unknown; au?: unknown },
  now: Date,
): { period: Period; errors?: undefined } | { period?: undefined; errors: FieldError[] } {
  const unsaid = (value: unknown) => value === undefined || value === '';
  const [du, au] = [daySchema.safeParse(asked.du), daySchema.safeParse(asked.au)];
  const errors = [...(unsaid(asked.du) || du.success ? [] : ['du']), ...(unsaid(asked.au) || au.success ? [] : ['au'])].map((field) => ({
    field,
    message: 'Une date comme 2026-12-31 est attendue.',
  }));
  if (errors.length > 0) return { errors };
  const end = au.data ?? (du.data && du.data > dayIn(now) ? du.data : dayIn(now));
  const start = du.data ?? dayIn(new Date(midnight(end).getTime() - (usualDays - 1) * dayMs));
  const count = daysBetween(midnight(start), midnight(end)) + 1;
  if (count < 1) return { errors: [{ field: 'au', message: 'La fin doit suivre le début.' }] };
  if (count > mostDays) return { errors: [{ field: 'du', message: `La période compte ${count} jours : ${mostDays} au plus.` }] };
  return { period: { du: start, au: end, from: midnight(start), until: endOf(end), count } };
}
