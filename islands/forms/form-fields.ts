/** Values of a form, by field name. */
export type Typed = Record<string, string>;
export type FieldErrors = Record<string, string>;

export function readFields(form: HTMLFormElement, fields: readonly string[]): Typed {
  const data = new FormData(form);
  return Object.fromEntries(fields.map((field) => [field, String(data.get(field) ?? '')]));
}

/** Returns the errors of these fields. Errors of other fields are left out. */
export function byField(fields: readonly string[], errors: readonly { field: string; message: string }[]): FieldErrors {
  return Object.fromEntries(errors.filter(({ field }) => fields.includes(field)).map(({ field, message }) => [field, message]));
}

/** Returns the first field with an error, which gets the focus. */
export function firstFault(fields: readonly string[], errors: FieldErrors): string | undefined {
  return fields.find((field) => errors[field]);
}
