import type { FastifySchemaCompiler } from 'fastify';
import { validatorCompiler } from 'fastify-type-provider-zod';
import type { core } from 'zod';

/** Validates every part of the request but the body. */
const exceptBody: FastifySchemaCompiler<unknown> = (part) =>
  part.httpPart === 'body' ? () => true : validatorCompiler(part as Parameters<typeof validatorCompiler>[0]);

/**
 * Returns route options that describe the body without validating it: the use case validates it with the same schema and reports all
 * faults.
 */
export const describedBody = <Schema extends object>(body: core.$ZodType, schema: Schema) => ({
  schema: { ...schema, body },
  validatorCompiler: exceptBody,
});

/** Returns the same for a multipart form: the body stays a stream, which the handler reads after it has checked who sends it. */
export const multipart = <Schema extends object>(body: core.$ZodType, schema: Schema) =>
  describedBody(body, { ...schema, consumes: ['multipart/form-data'] });
