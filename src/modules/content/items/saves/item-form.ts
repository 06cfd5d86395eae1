import * as z from 'zod/mini';
import { invalidRequest } from '../../../../platform/errors.ts';
import type { Clock } from '../../../../platform/use-cases/clock.ts';
import { yearOf } from '../../../../shared/dates.ts';
import { anneeSchema, dureeSchema, titreSchema } from '../../../../shared/forms/content.ts';
import { type FieldError, parseForm } from '../../../../shared/forms/field-errors.ts';
import { type ItemKind, kindDetails, type TextField, textNames } from '../../../../shared/item-kinds.ts';

/** A form as it came, its fields not judged yet. */
export type Fields = Readonly<Record<string, unknown>>;

/** @throws AppError 400 for what has no fields at all */
export function fieldsOf(body: unknown): Fields {
  if (typeof body !== 'object' || body === null || Array.isArray(body)) throw invalidRequest();
  return body as Fields;
}

/** The title, of a past subject the year, and how long the subject takes. */
export interface ItemHeading {
  titre: string;
  annee: number | null;
  /** Minutes; undefined when the form does not name it. */
  duree: number | null | undefined;
}

/** Of a field that items of the kind do not have. */
const ignored = z.optional(
  z.pipe(
    z.unknown(),
    z.transform(() => undefined),
  ),
);

/** Judges title, year and time (specification §5); every fault goes to `errors`. */
export function readHeading(kind: ItemKind, fields: Fields, clock: Clock, errors: FieldError[]): ItemHeading | null {
  const { hasAnnee, hasDuree } = kindDetails[kind];
  const schema = z.object({
    titre: titreSchema,
    annee: hasAnnee ? anneeSchema(yearOf(clock.now())) : ignored,
    duree: hasDuree ? z.optional(dureeSchema) : ignored,
  });
  const { data, errors: faults = [] } = parseForm<{ titre: string; annee?: number; duree?: number | null | undefined }>(schema, fields);
  errors.push(...faults);
  return data ? { titre: data.titre, annee: data.annee ?? null, duree: data.duree } : null;
}

/** The texts of a form as they came, by column; one that is not named is not there. */
export function textsOf(kind: ItemKind, fields: Fields): Partial<Record<TextField, unknown>> {
  const texts: Partial<Record<TextField, unknown>> = {};
  for (const [column, field] of Object.entries(textNames(kind)) as [TextField, string][]) {
    const input = given(fields, field) ?? (kind === 'pastExam' && column === 'contenu' ? given(fields, 'enonce') : undefined);
    if (input) texts[column] = input.value;
  }
  return texts;
}

const given = (fields: Fields, name: string): { value: unknown } | undefined =>
  Object.hasOwn(fields, name) && fields[name] !== undefined ? { value: fields[name] } : undefined;

/** The version that an edit began with; null when the form does not say. Faults go to `errors`. */
export function readVersion({ version }: Fields, errors: FieldError[]): number | null {
  if (version === undefined || version === null || version === '') return null;
  if (/^[1-9]\d{0,8}$/.test(String(version)) && typeof version !== 'object') return Number(version);
  errors.push({ field: 'version', message: 'Version invalide' });
  return null;
}
