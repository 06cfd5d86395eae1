import { z } from 'zod';
import { AppError, invalidRequest } from '../../../platform/errors.ts';
import { idSchema } from '../../../platform/http/validators.ts';
import { type ItemKind, itemKinds } from '../../../shared/item-kinds.ts';

/** The discipline that the address of a study page, of its trial or of a practice names. */
export const studyParams = z.object({ prepaId: idSchema, disciplineId: idSchema });

const itemSchema = z.object({ type: z.enum(itemKinds), item: idSchema });

/** The plain form below a text that finishes it, or takes that back. */
export const finishBody = z.object({ type: z.enum(itemKinds, { error: 'Type de contenu non reconnu' }), item: idSchema });

/**
 * The item that a study page's address names (`?type=course&item=12`); null without one.
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
