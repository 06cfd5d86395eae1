import type { FastifySchemaCompiler } from 'fastify';
import { validatorCompiler } from 'fastify-type-provider-zod';
import type { z } from 'zod';

/** The body arrives as a stream, which the handler reads once it knows who sends it; parameters are checked as everywhere. */
const exceptBody: FastifySchemaCompiler<unknown> = (part) =>
  part.httpPart === 'body' ? () => ({ value: undefined }) : validatorCompiler(part as Parameters<typeof validatorCompiler>[0]);

/** A route that takes a multipart form: its body is described here, and checked by the use case that reads it. */
export const multipart = <Schema extends object>(body: z.ZodType, schema: Schema) => ({
  schema: { ...schema, consumes: ['multipart/form-data'], body },
  validatorCompiler: exceptBody,
});
