import { z } from 'zod';
import { daySchema, endOf, midnight, orAbsent, rowIdSchema } from '../../../platform/pages/filtered-list.ts';
import { trimBlanks } from '../../../shared/blanks.ts';
import { type AuditAction, type AuditSubject, auditActions, auditSubjects } from './audit-vocabulary.ts';

/** Longest text to search for in labels, in characters. */
export const maxSearchLength = 100;

const words = <Word extends string>(vocabulary: Record<Word, string>) => z.enum(Object.keys(vocabulary) as [Word, ...Word[]]);

const filtersSchema = z.object({
  administrateur: orAbsent(z.union([z.enum(['terminal', 'visiteur']), z.uuid()])),
  objet: orAbsent(words<AuditSubject>(auditSubjects)),
  action: orAbsent(words<AuditAction>(auditActions)),
  du: orAbsent(daySchema),
  au: orAbsent(daySchema),
  texte: orAbsent(
    z
      .string()
      .overwrite(trimBlanks)
      .min(1)
      .refine((value) => !value.includes('\0'))
      .transform((value) => value.slice(0, maxSearchLength)),
  ),
  avant: orAbsent(rowIdSchema),
});

export type AuditFilters = z.infer<typeof filtersSchema>;

export const readFilters = (query: unknown): AuditFilters => filtersSchema.parse(query);

/** Returns the filters as a condition. Days are days in Douala; the last day is included. */
export function asCondition({ administrateur, objet, action, du, au, texte, avant }: AuditFilters) {
  return {
    /** An administrator's id, the command line, or persons who are not signed in. */
    administrator: administrateur,
    subject: objet,
    action,
    from: du === undefined ? undefined : midnight(du),
    /** Exclusive. */
    until: au === undefined ? undefined : endOf(au),
    /** Text in the label, without regard to case. */
    text: texte,
    /** Id of an entry: only older entries are listed. */
    olderThan: avant,
  };
}
