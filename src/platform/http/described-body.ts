import type { FastifySchemaCompiler } from 'fastify';
import { validatorCompiler } from 'fastify-type-provider-zod';
import type { core } from 'zod';

/** Everything but the body is checked as everywhere. */
const exceptBody: FastifySchemaCompiler<unknown> = (part) =>
  part.httpPart === 'body' ? () => true : validatorCompiler(part as Parameters<typeof validatorCompiler>[0]);

/** A route whose form is described here, and checked by its use case, with the same schema, which says every fault at once. */
export const describedBody = <Schema extends object>(body: core.$ZodType, schema: Schema) => ({
  schema: { ...schema, body },
  validatorCompiler: exceptBody,
});

/** The same for a multipart form: a stream, which the handler reads once it knows who sends it. */
export const multipart = <Schema extends object>(body: core.$ZodType, schema: Schema) =>
  describedBody(body, { ...schema, consumes: ['multipart/form-data'] });
