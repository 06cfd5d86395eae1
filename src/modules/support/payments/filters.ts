import { z } from 'zod';
import { dayMs } from '../../../shared/dates.ts';
import { paymentStatuses } from '../../payment/index.ts';
import type { PaymentFilter } from './payments.repository.ts';
import { readSearch } from './search.ts';

/** Characters of a search. */
export const maxSearchLength = 255;

/** A value that cannot be read counts as absent: a mistyped address still shows the list. */
const optional = <Schema extends z.ZodType>(schema: Schema) => schema.optional().catch(undefined);
/** A day, in years that PostgreSQL and JavaScript both hold. */
export const daySchema = z.iso.date().refine((value) => value >= '1970' && value < '3000');
const id = z
  .string()
  .regex(/^[1-9]\d{0,9}$/)
  .transform(Number)
  .refine((value) => value <= 2_147_483_647);

const filtersSchema = z.object({
  recherche: optional(
    z
      .string()
      .transform((value) =>
        value
          .replaceAll(/\p{Cc}/gu, ' ')
          .trim()
          .slice(0, maxSearchLength),
      )
      .refine((value) => value !== ''),
  ),
  etat: optional(z.enum(paymentStatuses)),
  prestataire: optional(z.string().regex(/^[a-z]{1,20}$/)),
  prepa: optional(id),
  du: optional(daySchema),
  au: optional(daySchema),
  alerte: optional(z.enum(['anciens', 'retard', 'rendus'])),
  avant: optional(id),
});

/** The filters as the page's address and form name them. */
export type SupportFilters = z.infer<typeof filtersSchema>;

export const readFilters = (query: unknown): SupportFilters => filtersSchema.parse(query);

/** A day's beginning in Douala. */
export const midnight = (day: string): Date => new Date(`${day}T00:00:00+01:00`);
/** The end of a day, exclusive. */
export const endOf = (day: string): Date => new Date(midnight(day).getTime() + dayMs);

const alertKinds = { anciens: 'old', retard: 'overdue', rendus: 'look' } as const;

export function asCondition({ recherche, etat, prestataire, prepa, du, au, alerte, avant }: SupportFilters, now: Date): PaymentFilter {
  return {
    search: recherche === undefined ? undefined : (readSearch(recherche) ?? undefined),
    status: etat,
    provider: prestataire,
    prepaId: prepa,
    from: du === undefined ? undefined : midnight(du),
    until: au === undefined ? undefined : endOf(au),
    alert: alerte && { kind: alertKinds[alerte], now },
    olderThan: avant,
  };
}

export const basePath = '/admin/paiements';

/** The address that shows these payments. @param avant the id before which the page begins; null: from the newest */
export function addressOf(filters: SupportFilters, avant: number | null = null, path = basePath): string {
  const query = new URLSearchParams();
  for (const [name, value] of Object.entries({ ...filters, avant })) if (value != null) query.set(name, String(value));
  const text = query.toString();
  return `${path}${text ? `?${text}` : ''}`;
}
