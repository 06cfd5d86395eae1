import type { FastifyInstance } from 'fastify';
import { serializerCompiler, validatorCompiler, type ZodTypeProvider } from 'fastify-type-provider-zod';
import { z } from 'zod';

/** A plugin's own scope with Zod as its validator; never set at the root, whose plugins bring JSON schemas. */
export function withZod(app: FastifyInstance) {
  app.setValidatorCompiler(validatorCompiler);
  app.setSerializerCompiler(serializerCompiler);
  return app.withTypeProvider<ZodTypeProvider>();
}

/** A serial key: 1 to 2,147,483,647, PostgreSQL's integer. */
export const idSchema = z.coerce
  .number({ error: 'Identifiant invalide' })
  .int('Identifiant invalide')
  .min(1, 'Identifiant invalide')
  .max(2_147_483_647, 'Identifiant invalide');

/** For ids in a JSON body: a number, or its digits. */
export const idParams = z.object({ id: idSchema });
