import type { FastifyInstance } from 'fastify';
import { serializerCompiler, validatorCompiler, type ZodTypeProvider } from 'fastify-type-provider-zod';
import { z } from 'zod';

// Whatever a schema leaves unsaid is said in French.
z.config(z.locales.fr());

/** A plugin's own scope with Zod as its validator; never set at the root, whose plugins bring JSON schemas. */
export function withZod(app: FastifyInstance) {
  app.setValidatorCompiler(validatorCompiler);
  app.setSerializerCompiler(serializerCompiler);
  return app.withTypeProvider<ZodTypeProvider>();
}

/** A serial key, as a number or as its digits: 1 to 2,147,483,647, PostgreSQL's integer. */
export const idSchemaOf = (message: string, digits: RegExp) =>
  z
    .union([z.number(), z.string().regex(digits, message).transform(Number)], { error: message })
    .pipe(z.int({ error: message }).min(1, message).max(2_147_483_647, message));

/** One spelling each. */
export const idSchema = idSchemaOf('Identifiant invalide', /^[1-9]\d{0,9}$/);

export const idParams = z.object({ id: idSchema });
