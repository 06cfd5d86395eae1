import { z } from 'zod';

/** What the description of the API says of every call (docs/openapi.json). */

const errorAnswer = z
  .looseObject({
    message: z.string().meta({ description: 'En français, à montrer tel quel' }),
    errors: z.array(z.object({ field: z.string(), message: z.string() })).optional(),
    imageError: z.string().optional(),
    expired: z.boolean().optional(),
  })
  .meta({ id: 'Error' });

/** The refusals of a call, by status. */
export function errorAnswers<Status extends number>(...statuses: Status[]): Record<Status, typeof errorAnswer> {
  return Object.fromEntries(statuses.map((status) => [status, errorAnswer])) as Record<Status, typeof errorAnswer>;
}

/** Of a call that says what it has done. */
export const messageAnswer = z.object({ message: z.string() });

/** A file of a multipart form. */
export const uploadedFile = z.any().meta({ type: 'string', format: 'binary', description: 'JPG ou PNG, 2 Mo maximum' });
