import type { ZodMiniType } from 'zod/mini';

/** One field's fault, as the API answers it and the forms show it. */
export interface FieldError {
  field: string;
  message: string;
}

type Parsed<Output> = { data: Output; errors?: undefined } | { data?: undefined; errors: FieldError[] };

/** Checks a form against its schema: the value, or the first fault of every field at once. */
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
