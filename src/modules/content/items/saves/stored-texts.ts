import type { EntityManager } from '@mikro-orm/postgresql';
import * as z from 'zod/mini';
import { readRows } from '../../../../platform/database/rows.ts';
import { AppError, notFound } from '../../../../platform/errors.ts';
import type { FieldError } from '../../../../shared/forms/field-errors.ts';
import { type ItemKind, type TextField, textNames } from '../../../../shared/item-kinds.ts';
import { type QuestionKey, withKeys } from '../../../../shared/questions/question-keys.ts';
import type { DocumentJson } from '../../../../shared/rich-text/document.ts';
import type { TextChange, TextsToRead } from '../../texts/worker/tasks.ts';

const count = z.int().check(z.minimum(0), z.maximum(1_000_000));
const serial = z.optional(z.int().check(z.minimum(1), z.maximum(999_999_999)));

/** A text as its change since a version of the item or a revision of its draft, with the SHA-256 of the result in hexadecimal. */
const difference = z.object({
  type: z.literal('difference'),
  version: serial,
  revision: serial,
  de: count,
  a: count,
  blocs: z.array(z.looseObject({ type: z.string() })),
  empreinte: z.string().check(z.regex(/^[0-9a-f]{64}$/)),
});
type Difference = z.infer<typeof difference>;

const isDifference = (input: unknown): boolean =>
  typeof input === 'object' && input !== null && 'type' in input && input.type === 'difference';

/** Returns the 409 error for a difference to a text that is not stored, or that has another result here. Nothing has been written. */
export const wholeTextNeeded = (): AppError =>
  new AppError('EDIT.WHOLE_TEXT_NEEDED', 409, 'Envoyez le texte entier : la modification ne part pas du texte enregistré.', {
    details: { texteEntier: true },
  });

/**
 * Separates the whole texts of a form from the differences, and adds to these the stored texts that they change. Pushes faults to `errors`.
 * @param id the item; null for a new one, which has no stored text
 * @throws AppError 404 when the item does not exist, 409 when the version or revision is not the stored one
 */
export async function withStoredTexts(
  em: EntityManager,
  id: number | null,
  inputs: Partial<Record<TextField, unknown>>,
  { fieldOf, errors }: { fieldOf: (column: TextField) => string; errors: FieldError[] },
): Promise<TextsToRead> {
  const whole: Record<string, unknown> = {};
  const changes: Record<string, TextChange> = {};
  for (const [column, input] of Object.entries(inputs) as [TextField, unknown][]) {
    if (!isDifference(input)) {
      whole[column] = input;
      continue;
    }
    const { data } = difference.safeParse(input);
    if (data) changes[column] = await changeOf(em, id, column, data);
    else errors.push({ field: fieldOf(column), message: 'La modification du texte est illisible' });
  }
  return { whole, changes };
}

/**
 * Returns the version and the revision on which the differences of a form are based; null where they name none. Of several, the earliest:
 * the form is based on all of them.
 */
export function baseOf(given: Partial<Record<TextField, unknown>>): { version: number | null; revision: number | null } {
  const bases = Object.values(given).flatMap((input) => difference.safeParse(input).data ?? []);
  const earliest = (serials: (number | undefined)[]): number | null => {
    const named = serials.filter((one) => one !== undefined);
    return named.length > 0 ? Math.min(...named) : null;
  };
  return { version: earliest(bases.map(({ version }) => version)), revision: earliest(bases.map(({ revision }) => revision)) };
}

/** Returns the texts that were given as differences and are stored as their sender has them. */
export const knownTexts = (
  given: Partial<Record<TextField, unknown>>,
  texts: Partial<Record<TextField, { readonly isAsSent: boolean }>>,
): TextField[] => (Object.keys(given) as TextField[]).filter((column) => isDifference(given[column]) && texts[column]?.isAsSent);

/** Returns a response of a save without the texts that its sender has. */
export function withoutKnown<Presented extends object>(kind: ItemKind, known: readonly TextField[], presented: Presented): Presented {
  const names: (string | undefined)[] = known.map((column) => textNames(kind)[column]);
  return Object.fromEntries(Object.entries(presented).filter(([name]) => !names.includes(name))) as Presented;
}

/** At most one statement a text: an item has two. */
async function changeOf(em: EntityManager, id: number | null, column: TextField, sent: Difference): Promise<TextChange> {
  const { version, revision, de, a, blocs, empreinte } = sent;
  const [table, name] = revision === undefined ? ['item', 'version'] : ['item_draft', 'revision'];
  const [stored] =
    id === null
      ? []
      : await readRows<{ text: string | null; keys: QuestionKey[]; serial: number }>(
          em,
          `select ${column} as text, keys, ${name} as serial from ${table} where id = ?`,
          [id],
        );
  if (id !== null && table === 'item' && !stored) throw notFound("Ce contenu n'existe pas ou n'existe plus.");
  if (!stored?.text || stored.serial !== (revision ?? version)) throw wholeTextNeeded();
  return {
    stored: column === 'contenu' ? withKeys(stored.text, stored.keys) : stored.text,
    difference: { from: de, to: a, blocks: blocs as DocumentJson[] },
    fingerprint: empreinte,
  };
}
