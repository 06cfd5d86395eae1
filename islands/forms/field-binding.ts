import type { ComponentProps } from 'react';
import type { FieldErrors } from './form-fields.ts';

export interface FieldBinding {
  /** Prefix of the fields' ids. */
  prefix: string;
  errors: FieldErrors;
  /** The first field with an error, which gets the focus when a refused form is shown again. */
  first: string | undefined;
}

/** Returns the properties of a field by its name: id, error and attributes of its input. */
export const bindField =
  ({ prefix, errors, first }: FieldBinding) =>
  (name: string, input: ComponentProps<'input'>) => ({
    id: `${prefix}-${name}`,
    error: errors[name],
    input: { name, autoFocus: first === name, ...input },
  });
