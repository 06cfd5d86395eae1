import { z } from 'zod';
import { dayMs } from '../../shared/dates.ts';

/** What lists with filters and pages read from their address, and write into it. */

/** A value that cannot be read counts as absent: a mistyped address still shows the list. */
export const orAbsent = <Schema extends z.ZodType>(schema: Schema) => schema.optional().catch(undefined);

/** A day, in years that PostgreSQL and JavaScript both hold. */
export const daySchema = z.iso.date().refine((value) => value >= '1970' && value < '3000');

/** A row's id, in digits. */
export const rowIdSchema = z
  .string()
  .regex(/^[1-9]\d{0,9}$/)
  .transform(Number)
  .refine((value) => value <= 2_147_483_647);

/** A day's beginning in Douala. */
export const midnight = (day: string): Date => new Date(`${day}T00:00:00+01:00`);
/** The end of a day, exclusive. */
export const endOf = (day: string): Date => new Date(midnight(day).getTime() + dayMs);

/** The address of the list that these filters show. */
export function listAddress(path: string, filters: object): string {
  const query = new URLSearchParams();
  for (const [name, value] of Object.entries(filters)) if (value != null) query.set(name, String(value));
  const text = query.toString();
  return `${path}${text ? `?${text}` : ''}`;
}

/** Whether any filter is set. */
export const isNarrowed = (filters: object): boolean => Object.values(filters).some((value) => value !== undefined);

/**
 * One page of a list, newest first, and the way to the others.
 * @param found one more row than a page shows tells whether there is a next page
 * @param query the filters, and the id before which the page begins (`avant`)
 */
export function pageOf<Row extends { id: number }, Filters extends object>(
  path: string,
  found: readonly Row[],
  size: number,
  { avant, ...filters }: Filters & { avant?: number | undefined },
) {
  const rows = found.slice(0, size);
  const last = rows.at(-1);
  return {
    rows,
    /** What the form holds, and whether it holds anything. */
    filters,
    filtered: isNarrowed(filters),
    /** Address of the first page, on a later one. */
    newest: avant === undefined ? null : listAddress(path, filters),
    /** Address of the next page. */
    older: found.length > size && last ? listAddress(path, { ...filters, avant: last.id }) : null,
  };
}
