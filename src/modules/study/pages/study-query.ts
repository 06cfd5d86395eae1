import { z } from 'zod';
import { AppError, invalidRequest } from '../../../platform/errors.ts';
import { idSchema } from '../../../platform/http/validators.ts';
import { type ItemKind, itemKinds } from '../../../shared/item-kinds.ts';

/** Parameters in the address of a study page, a trial page or a practice. */
export const studyParams = z.object({ prepaId: idSchema, disciplineId: idSchema });

const itemSchema = z.object({ type: z.enum(itemKinds), item: idSchema });

/** Body of the form below a text that finishes the item or undoes that. */
export const finishBody = z.object({ type: z.enum(itemKinds, { error: 'Type de contenu non reconnu' }), item: idSchema });

/**
 * Returns the item named by a study page's query (`?type=course&item=12`); null when the query names none.
 * @throws AppError 400 'Type de contenu non reconnu' (specification §5)
 */
export function studyQuery(query: unknown): { kind: ItemKind; id: number } | null {
  const { type, item } = query as { type?: unknown; item?: unknown };
  if (type === undefined && item === undefined) return null;
  if (!itemKinds.includes(type as ItemKind)) throw new AppError('ITEM.UNKNOWN_TYPE', 400, 'Type de contenu non reconnu');
  const parsed = itemSchema.safeParse({ type, item });
  if (!parsed.success) throw invalidRequest();
  return { kind: parsed.data.type, id: parsed.data.item };
}
