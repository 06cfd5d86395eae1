import { z } from 'zod';
import { idSchema } from '../../../platform/http/validators.ts';
import { itemKinds } from '../../../shared/item-kinds.ts';
import { verdicts } from '../../../shared/study/verdicts.ts';

/** Body of the forms that mark a practice. */
export const markBody = z.object({
  type: z.enum(itemKinds, { error: 'Type de contenu non reconnu' }),
  item: idSchema,
  /** Id of the daily session that the practice belongs to, to which its verdict leads back. */
  seance: z.guid().optional().catch(undefined),
  verdict: z.enum(verdicts, { error: 'Indiquez si vous avez réussi ou si le sujet est à revoir' }),
});

/** Address of a daily session. */
export const sessionHref = (id: string): string => `/user/seance/${id}`;

export const gone = "Ce contenu n'existe pas ou n'existe plus.";
