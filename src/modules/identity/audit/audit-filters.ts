import { z } from 'zod';
import { dayMs } from '../../../shared/dates.ts';
import type { AuditFilter } from './audit.repository.ts';
import { type AuditAction, type AuditSubject, auditActions, auditSubjects } from './audit-vocabulary.ts';

/** The longest text that is looked for in labels, in characters. */
export const maxSearchLength = 100;

/** What cannot be a filter's value counts as none: an address that somebody has mangled still shows the log. */
const optional = <Schema extends z.ZodType>(schema: Schema) => schema.optional().catch(undefined);
const words = <Word extends string>(vocabulary: Record<Word, string>) => z.enum(Object.keys(vocabulary) as [Word, ...Word[]]);
/** Years that PostgreSQL and JavaScript agree on. */
const day = z.iso.date().refine((value) => value >= '1970' && value < '3000');

const filtersSchema = z.object({
  administrateur: optional(z.union([z.literal('terminal'), z.uuid()])),
  objet: optional(words<AuditSubject>(auditSubjects)),
  action: optional(words<AuditAction>(auditActions)),
  du: optional(day),
  au: optional(day),
  texte: optional(
    z
      .string()
      .trim()
      .min(1)
      .refine((value) => !value.includes('\0'))
      .transform((value) => value.slice(0, maxSearchLength)),
  ),
  avant: optional(
    z
      .string()
      .regex(/^[1-9]\d{0,9}$/)
      .transform(Number)
      .refine((value) => value <= 2_147_483_647),
  ),
});

/** The filters as the address and the form have them. */
export type AuditFilters = z.infer<typeof filtersSchema>;

export const readFilters = (query: unknown): AuditFilters => filtersSchema.parse(query);

/** Days are Douala's, the last one included. */
export function asCondition({ administrateur, objet, action, du, au, texte, avant }: AuditFilters): AuditFilter {
  const midnight = (value: string) => new Date(`${value}T00:00:00+01:00`);
  return {
    administrator: administrateur,
    subject: objet,
    action,
    from: du === undefined ? undefined : midnight(du),
    until: au === undefined ? undefined : new Date(midnight(au).getTime() + dayMs),
    text: texte,
    olderThan: avant,
  };
}

/** The same entries from another one on. @param avant the entry before whose time the page begins; null: from the newest */
export function addressOf(filters: AuditFilters, avant: number | null): string {
  const query = new URLSearchParams();
  for (const [name, value] of Object.entries({ ...filters, avant })) if (value != null) query.set(name, String(value));
  const text = query.toString();
  return `/admin/journal${text ? `?${text}` : ''}`;
}
