import { z } from 'zod';

/** Schema of error responses in the API description (docs/openapi.json). */

const errorAnswer = z
  .looseObject({
    message: z.string().meta({ description: 'En français, à montrer tel quel' }),
    errors: z.array(z.object({ field: z.string(), message: z.string() })).optional(),
    imageError: z.string().optional(),
    expired: z.boolean().optional(),
  })
  .meta({ id: 'Error' });

/** Returns the error responses of a call, by status. */
export function errorAnswers<Status extends number>(...statuses: Status[]): Record<Status, typeof errorAnswer> {
  return Object.fromEntries(statuses.map((status) => [status, errorAnswer])) as Record<Status, typeof errorAnswer>;
}

/** Response of a call that only reports success. */
export const messageAnswer = z.object({ message: z.string() });

/** A file field of a multipart form. */
export const uploadedFile = z.any().meta({ type: 'string', format: 'binary', description: 'JPG ou PNG, 2 Mo maximum' });
