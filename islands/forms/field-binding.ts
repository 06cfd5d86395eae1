import type { ComponentProps } from 'react';
import type { FieldErrors } from './form-fields.ts';

export interface FieldBinding {
  /** What the fields' ids begin with. */
  prefix: string;
  errors: FieldErrors;
  /** The first field with an error: a page that comes back begins there. */
  first: string | undefined;
}

/** What a field needs by its name: its id, its error, and its input's properties. */
export const bindField =
  ({ prefix, errors, first }: FieldBinding) =>
  (name: string, input: ComponentProps<'input'>) => ({
    id: `${prefix}-${name}`,
    error: errors[name],
    input: { name, autoFocus: first === name, ...input },
  });
