import { z } from 'zod';
import { dayMs } from '../../shared/dates.ts';

/** Reads the filters and pages of lists from their addresses, and writes them into addresses. */

/** Makes a schema accept invalid values as absent, so that a mistyped address still shows the list. */
export const orAbsent = <Schema extends z.ZodType>(schema: Schema) => schema.optional().catch(undefined);

/** A day, limited to years that PostgreSQL and JavaScript can both represent. */
export const daySchema = z.iso.date().refine((value) => value >= '1970' && value < '3000');

/** A row's id, in digits. */
export const rowIdSchema = z
  .string()
  .regex(/^[1-9]\d{0,9}$/)
  .transform(Number)
  .refine((value) => value <= 2_147_483_647);

/** Returns the beginning of a day in Douala (UTC+1). */
export const midnight = (day: string): Date => new Date(`${day}T00:00:00+01:00`);
/** Returns the end of a day in Douala, exclusive. */
export const endOf = (day: string): Date => new Date(midnight(day).getTime() + dayMs);

export function listAddress(path: string, filters: object): string {
  const query = new URLSearchParams();
  for (const [name, value] of Object.entries(filters)) if (value != null) query.set(name, String(value));
  const text = query.toString();
  return `${path}${text ? `?${text}` : ''}`;
}

export const isNarrowed = (filters: object): boolean => Object.values(filters).some((value) => value !== undefined);

/**
 * Returns one page of a list, newest first, with the addresses of the first and the next page.
 * @param found the page's rows, and one more if a next page exists
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
    /** The filters for the form, and whether any is set. */
    filters,
    filtered: isNarrowed(filters),
    /** Address of the first page; null on the first page. */
    newest: avant === undefined ? null : listAddress(path, filters),
    /** Address of the next page; null on the last page. */
    older: found.length > size && last ? listAddress(path, { ...filters, avant: last.id }) : null,
  };
}
