/** What stands in a form, by field name. */
export type Typed = Record<string, string>;
export type FieldErrors = Record<string, string>;

export function readFields(form: HTMLFormElement, fields: readonly string[]): Typed {
  const data = new FormData(form);
  return Object.fromEntries(fields.map((field) => [field, String(data.get(field) ?? '')]));
}

/** Errors of the fields that this form has; what a server says of others is left out. */
export function byField(fields: readonly string[], errors: readonly { field: string; message: string }[]): FieldErrors {
  return Object.fromEntries(errors.filter(({ field }) => fields.includes(field)).map(({ field, message }) => [field, message]));
}

/** The field that the person is taken to. */
export function firstFault(fields: readonly string[], errors: FieldErrors): string | undefined {
  return fields.find((field) => errors[field]);
}
