import { InvalidArgumentError } from 'commander';

/** `--prepa 12`: a whole number above 0. */
export function parseId(value: string): number {
  const id = Number(value);
  if (!Number.isInteger(id) || id < 1 || id > 2_147_483_647) throw new InvalidArgumentError('Un nombre entier est attendu.');
  return id;
}

/** `--limit 50`: 1 to 200. */
export function parseLimit(value: string): number {
  const limit = Number(value);
  if (!Number.isInteger(limit) || limit < 1 || limit > 200) throw new InvalidArgumentError('Un nombre de 1 à 200 est attendu.');
  return limit;
}

/** `--at 2026-12-31` (midnight in Douala) or a full ISO date and time. */
export function parseInstant(value: string): Date {
  const isDay = /^\d{4}-\d{2}-\d{2}$/.test(value);
  const instant = new Date(isDay ? `${value}T00:00:00+01:00` : value);
  const written = /^\d{4}-\d{2}-\d{2}(T\d{2}:\d{2}(:\d{2}(\.\d{1,3})?)?(Z|[+-]\d{2}:\d{2})?)?$/.test(value);
  if (!written || Number.isNaN(instant.getTime()))
    throw new InvalidArgumentError('Une date comme 2026-12-31 ou 2026-12-31T08:00:00Z est attendue.');
  return instant;
}
