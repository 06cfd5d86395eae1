import type { ComponentProps } from 'react';
import { Field } from '../../ui/Field.tsx';
import type { FieldTexts } from '../../ui/FieldFrame.tsx';

export interface TextFieldProps extends FieldTexts, Pick<ComponentProps<'input'>, 'inputMode' | 'autoComplete' | 'maxLength' | 'onFocus'> {
  value: string;
  onChange: (value: string) => void;
}

/** A field whose value its dialog holds and checks, without the browser's own validation. */
export function TextField({ id, label, hint, error, onChange, ...input }: TextFieldProps) {
  return (
    <Field
      id={id}
      label={label}
      {...(hint !== undefined && { hint })}
      error={error}
      input={{ ...input, required: false, onChange: ({ target }) => onChange(target.value) }}
    />
  );
}
