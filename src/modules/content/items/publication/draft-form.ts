import * as z from 'zod/mini';
import { type FieldError, parseForm } from '../../../../shared/forms/field-errors.ts';
import { writeRule } from '../../../../shared/questions/marking-rule.ts';
import type { Fields } from '../saves/item-form.ts';

/** The fields of an item as they were typed. */
export interface TypedHeading {
  titre: string;
  /** Missing when the form omits it. */
  intitule?: string;
  annee: string;
  duree: string;
  bareme: string;
}

const rule = z.object({ juste: z.number(), faux: z.number(), sans: z.number() });

/** Schema of a field as typed: a text, a number, or a marking rule as an object. A missing field is ''. */
const typed = (most: number, message: string) =>
  z.pipe(
    z.pipe(
      z.optional(z.union([z.string(), z.number(), z.null(), rule], { error: message })),
      z.transform((value) => (typeof value === 'object' && value !== null ? writeRule(value) : String(value ?? ''))),
    ),
    z.string().check(
      z.maxLength(most, message),
      z.refine((text) => !text.includes('\0'), message),
    ),
  );

const schema = z.object({
  titre: typed(200, 'Le titre dépasse 200 caractères'),
  intitule: typed(400, "L'intitulé complet dépasse 400 caractères"),
  annee: typed(100, "L'année n'est pas lisible"),
  duree: typed(100, "La durée n'est pas lisible"),
  bareme: typed(100, "Le barème n'est pas lisible"),
});

/** Reads the fields of a draft, which may still be empty or wrong. Pushes to `errors` what cannot be kept. */
export function readTyped(fields: Fields, errors: FieldError[]): TypedHeading {
  const { data, errors: faults = [] } = parseForm<TypedHeading>(schema, fields);
  errors.push(...faults);
  const { intitule = '', ...others } = data ?? { titre: '', annee: '', duree: '', bareme: '' };
  return fields.intitule === undefined ? others : { ...others, intitule };
}

/** Returns the name of the imported file; null when the form omits it. Pushes a fault to `errors`. */
export function readSource({ source }: Fields, errors: FieldError[]): string | null {
  if (source === undefined || source === null || source === '') return null;
  if (typeof source === 'string' && source.length <= 255 && !source.includes('\0')) return source.normalize('NFC');
  errors.push({ field: 'source', message: 'Le nom du fichier dépasse 255 caractères' });
  return null;
}
