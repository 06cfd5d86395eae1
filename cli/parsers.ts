import { InvalidArgumentError } from 'commander';
import { usageError } from './failure.ts';

/** `--prepa 12`: a whole number above 0. */
export function parseId(value: string): number {
  const id = Number(value);
  if (!Number.isInteger(id) || id < 1 || id > 2_147_483_647) throw new InvalidArgumentError('Un nombre entier est attendu.');
  return id;
}

/** Rows of a list, at most. */
export const maxRows = 200;

/** `--limit 50`: 1 to 200. */
export function parseLimit(value: string): number {
  const limit = Number(value);
  if (!Number.isInteger(limit) || limit < 1 || limit > maxRows) throw new InvalidArgumentError(`Un nombre de 1 à ${maxRows} est attendu.`);
  return limit;
}

/** Whether the calendar has this day: `Date` takes 31 February for 3 March. */
function isInCalendar(day: string): boolean {
  const midnight = new Date(day);
  return !Number.isNaN(midnight.getTime()) && midnight.toISOString().slice(0, 10) === day;
}

/** `--at 2026-12-31` (midnight in Douala) or a full ISO date and time. */
export function parseInstant(value: string): Date {
  const isDay = /^\d{4}-\d{2}-\d{2}$/.test(value);
  const instant = new Date(isDay ? `${value}T00:00:00+01:00` : value);
  const written = /^\d{4}-\d{2}-\d{2}(T\d{2}:\d{2}(:\d{2}(\.\d{1,3})?)?(Z|[+-]\d{2}:\d{2})?)?$/.test(value);
  if (!written || !isInCalendar(value.slice(0, 10)) || Number.isNaN(instant.getTime()))
    throw new InvalidArgumentError('Une date comme 2026-12-31 ou 2026-12-31T08:00:00Z est attendue.');
  return instant;
}

/** `--amount 500`: whole XAF, from 1. */
export function parseAmount(value: string): number {
  if (!/^[1-9]\d{0,8}$/.test(value)) throw new InvalidArgumentError('Un nombre entier de XAF, à partir de 1, est attendu.');
  return Number(value);
}

/** `--days 10`: 1 to `max`. */
export const parseDays =
  (max: number) =>
  (value: string): number => {
    const days = Number(value);
    if (!/^\d+$/.test(value) || days < 1 || days > max) throw new InvalidArgumentError(`Un nombre de 1 à ${max} est attendu.`);
    return days;
  };

/** `--reason "panne du 3 mai"`: 1 to 300 characters. */
export function parseReason(value: string): string {
  const reason = value.trim();
  if (reason === '' || reason.length > 300) throw usageError('La raison doit compter de 1 à 300 caractères.');
  return reason;
}

/** `--du 2026-12-31`: a day. */
export function parseDay(value: string): string {
  const [day] = /^\d{4}-\d{2}-\d{2}$/.exec(value) ?? [];
  if (day === undefined || !isInCalendar(day)) throw new InvalidArgumentError('Une date comme 2026-12-31 est attendue.');
  return day;
}
