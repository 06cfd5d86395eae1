import * as z from 'zod/mini';
import { invalidRequest } from '../../../../platform/errors.ts';
import type { Clock } from '../../../../platform/use-cases/clock.ts';
import { yearOf } from '../../../../shared/dates.ts';
import { anneeSchema, baremeSchema, dureeSchema, intituleSchema, titreSchema } from '../../../../shared/forms/content.ts';
import { type FieldError, parseForm } from '../../../../shared/forms/field-errors.ts';
import { type ItemKind, kindDetails, type TextField, textNames } from '../../../../shared/item-kinds.ts';
import type { MarkingRule } from '../../../../shared/questions/marking-rule.ts';
import { invalidItem } from '../item.errors.ts';

/** The fields of a form, not validated yet. */
export type Fields = Readonly<Record<string, unknown>>;

/** Returns the fields of a request body. @throws AppError 400 when the body is not an object */
export function fieldsOf(body: unknown): Fields {
  if (typeof body !== 'object' || body === null || Array.isArray(body)) throw invalidRequest();
  return body as Fields;
}

/** Titles, year (past exams only), duration and marking rule (series only) of an item. */
export interface ItemHeading {
  titre: string;
  /** Undefined when the form omits it. */
  intitule: string | null | undefined;
  annee: number | null;
  /** Duration in minutes; undefined when the form omits it. */
  duree: number | null | undefined;
  /** Undefined when the form omits it, and for a kind that has none. */
  bareme: MarkingRule | undefined;
}

/** Schema of a field that this kind of item does not have. */
const ignored = z.optional(
  z.pipe(
    z.unknown(),
    z.transform(() => undefined),
  ),
);

/** Validates titles, year and duration (specification §5), and the marking rule of a series. Pushes every fault to `errors`. */
export function readHeading(kind: ItemKind, fields: Fields, clock: Clock, errors: FieldError[]): ItemHeading | null {
  const { hasAnnee, hasDuree, hasBareme } = kindDetails[kind];
  const schema = z.object({
    titre: titreSchema,
    intitule: z.optional(intituleSchema),
    annee: hasAnnee ? anneeSchema(yearOf(clock.now())) : ignored,
    duree: hasDuree ? z.optional(dureeSchema) : ignored,
    bareme: hasBareme ? z.optional(baremeSchema) : ignored,
  });
  const { data, errors: faults = [] } = parseForm<{
    titre: string;
    intitule?: string | null | undefined;
    annee?: number;
    duree?: number | null | undefined;
    bareme?: MarkingRule | undefined;
  }>(schema, fields);
  errors.push(...faults);
  return data ? { titre: data.titre, intitule: data.intitule, annee: data.annee ?? null, duree: data.duree, bareme: data.bareme } : null;
}

/** Returns the texts of a form, unvalidated, by column. An omitted text has no key. */
export function textsOf(kind: ItemKind, fields: Fields): Partial<Record<TextField, unknown>> {
  const { textAlias } = kindDetails[kind];
  const texts: Partial<Record<TextField, unknown>> = {};
  for (const [column, field] of Object.entries(textNames(kind)) as [TextField, string][]) {
    const input = given(fields, field) ?? (column === 'contenu' && textAlias ? given(fields, textAlias) : undefined);
    if (input) texts[column] = input.value;
  }
  return texts;
}

const given = (fields: Fields, name: string): { value: unknown } | undefined =>
  Object.hasOwn(fields, name) && fields[name] !== undefined ? { value: fields[name] } : undefined;

/**
 * Returns whether a new item is kept as a draft. Another value than true, false or null publishes nothing.
 * @throws AppError 400
 */
export function isKeptAsDraft(body: unknown): boolean {
  const { brouillon } = fieldsOf(body);
  if (typeof brouillon === 'boolean') return brouillon;
  if (brouillon === undefined || brouillon === null) return false;
  throw invalidItem([{ field: 'brouillon', message: 'Le brouillon est true ou false' }]);
}

/** Returns the version on which an edit is based; null when the form omits it. Pushes faults to `errors`. */
export const readVersion = ({ version }: Fields, errors: FieldError[]): number | null =>
  readCount(version, { field: 'version', message: 'Version invalide' }, errors);

/** Returns the revision of a draft; null when the form omits it. Pushes faults to `errors`. */
export const readRevision = (revision: unknown, errors: FieldError[]): number | null =>
  readCount(revision, { field: 'revision', message: 'Révision invalide' }, errors);

function readCount(given: unknown, fault: FieldError, errors: FieldError[]): number | null {
  if (given === undefined || given === null || given === '') return null;
  if (/^[1-9]\d{0,8}$/.test(String(given)) && typeof given !== 'object') return Number(given);
  errors.push(fault);
  return null;
}
