import { z } from 'zod';
import { daySchema, endOf, listAddress, midnight, orAbsent, rowIdSchema } from '../../../platform/pages/filtered-list.ts';
import { trimBlanks } from '../../../shared/blanks.ts';
import { paymentStatuses } from '../../payment/index.ts';
import type { PaymentFilter } from './payments.repository.ts';
import { readSearch } from './search.ts';

export const maxSearchLength = 255;

const filtersSchema = z.object({
  recherche: orAbsent(
    z
      .string()
      .transform((value) => trimBlanks(value.replaceAll(/\p{Cc}/gu, ' ')).slice(0, maxSearchLength))
      .refine((value) => value !== ''),
  ),
  etat: orAbsent(z.enum(paymentStatuses)),
  prestataire: orAbsent(z.string().regex(/^[a-z]{1,20}$/)),
  prepa: orAbsent(rowIdSchema),
  du: orAbsent(daySchema),
  au: orAbsent(daySchema),
  alerte: orAbsent(z.enum(['anciens', 'retard', 'rendus'])),
  avant: orAbsent(rowIdSchema),
});

/** The filters as named in the page's address and form. */
export type SupportFilters = z.infer<typeof filtersSchema>;

export const readFilters = (query: unknown): SupportFilters => filtersSchema.parse(query);

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

/** Returns the address of the list with these filters. */
export const addressOf = (filters: SupportFilters, path = basePath): string => listAddress(path, filters);
