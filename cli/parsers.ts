import { InvalidArgumentError } from 'commander';
import { usageError } from './failure.ts';

/** The maximum of PostgreSQL's type integer. */
const maxId = 2_147_483_647;

/** Parses an integer from 1 to `max`, written in digits. @param unit the unit in French, for the error message */
function parseWhole(value: string, max: number, unit = ''): number {
  const number = Number(value);
  if (!/^\d+$/.test(value) || number < 1 || number > max)
    throw new InvalidArgumentError(`Un nombre entier ${unit && `de ${unit}, `}de 1 à ${max}${unit && ','} est attendu.`);
  return number;
}

/** Parses `--prepa 12`: the id of a row. */
export function parseId(value: string): number {
  return parseWhole(value, maxId);
}

/** Maximum number of rows in a list. */
export const maxRows = 200;

/** Parses `--limit 50`: 1 to `maxRows`. */
export function parseLimit(value: string): number {
  return parseWhole(value, maxRows);
}

/** Returns whether the day exists: `Date` accepts 31 February as 3 March. */
function isInCalendar(day: string): boolean {
  const midnight = new Date(day);
  return !Number.isNaN(midnight.getTime()) && midnight.toISOString().slice(0, 10) === day;
}

/** Parses `--at 2026-12-31` (midnight in Douala) or a full ISO date and time. */
export function parseInstant(value: string): Date {
  const isDay = /^\d{4}-\d{2}-\d{2}$/.test(value);
  const instant = new Date(isDay ? `${value}T00:00:00+01:00` : value);
  const written = /^\d{4}-\d{2}-\d{2}(T\d{2}:\d{2}(:\d{2}(\.\d{1,3})?)?(Z|[+-]\d{2}:\d{2})?)?$/.test(value);
  if (!written || !isInCalendar(value.slice(0, 10)) || Number.isNaN(instant.getTime()))
    throw new InvalidArgumentError('Une date comme 2026-12-31 ou 2026-12-31T08:00:00Z est attendue.');
  return instant;
}

const maxAmount = 999_999_999;

/** Parses `--amount 500`: an integer of XAF, from 1. */
export function parseAmount(value: string): number {
  return parseWhole(value, maxAmount, 'XAF');
}

/** Returns a parser of `--days 10`: 1 to `max`. */
export const parseDays =
  (max: number) =>
  (value: string): number =>
    parseWhole(value, max);

/** Parses `--reason "panne du 3 mai"`: 1 to 300 characters. */
export function parseReason(value: string): string {
  const reason = value.trim();
  if (reason === '' || reason.length > 300) throw usageError('La raison doit compter de 1 à 300 caractères.');
  return reason;
}

/** Parses `--du 2026-12-31`: a day. */
export function parseDay(value: string): string {
  const [day] = /^\d{4}-\d{2}-\d{2}$/.exec(value) ?? [];
  if (day === undefined || !isInCalendar(day)) throw new InvalidArgumentError('Une date comme 2026-12-31 est attendue.');
  return day;
}
