import type { FastifyInstance } from 'fastify';
import { serializerCompiler, validatorCompiler, type ZodTypeProvider } from 'fastify-type-provider-zod';
import { z } from 'zod';

// French messages for rules without a message of their own.
z.config(z.locales.fr());

/** Returns a plugin's own scope with Zod as its validator. Never call it on the root scope, whose plugins use JSON schemas. */
export function withZod(app: FastifyInstance) {
  app.setValidatorCompiler(validatorCompiler);
  app.setSerializerCompiler(serializerCompiler);
  return app.withTypeProvider<ZodTypeProvider>();
}

/** Returns the schema of a row id, given as a number or as digits: 1 to 2,147,483,647 (PostgreSQL's integer). */
export const idSchemaOf = (message: string, digits: RegExp) =>
  z
    .union([z.number(), z.string().regex(digits, message).transform(Number)], { error: message })
    .pipe(z.int({ error: message }).min(1, message).max(2_147_483_647, message));

/** Accepts exactly one spelling of each id: no leading zeros. */
export const idSchema = idSchemaOf('Identifiant invalide', /^[1-9]\d{0,9}$/);

/** Accepts a UUID in any case. Returns it in lower case, as the database does: keys are made from it. */
export const uuidSchema = (message: string) => z.guid(message).transform((id) => id.toLowerCase());

export const idParams = z.object({ id: idSchema });
