import type { ZodMiniType } from 'zod/mini';

/** A field's fault, in the API's response and in forms. */
export interface FieldError {
  field: string;
  message: string;
}

type Parsed<Output> = { data: Output; errors?: undefined } | { data?: undefined; errors: FieldError[] };

/** Checks a form against its schema. Returns the data, or the first fault of each field. */
export function parseForm<Output>(schema: ZodMiniType<Output>, form: unknown): Parsed<Output> {
  const result = schema.safeParse(form);
  if (result.success) return { data: result.data };
  const byField = new Map<string, string>();
  for (const issue of result.error.issues) {
    const field = issue.path.join('.');
    if (!byField.has(field)) byField.set(field, issue.message);
  }
  return { errors: [...byField].map(([field, message]) => ({ field, message })) };
}
