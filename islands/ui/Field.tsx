import type { ComponentProps, ReactNode } from 'react';
import { Icon } from './Icon.tsx';

export interface FieldProps {
  id: string;
  label: string;
  hint?: string;
  error?: string | undefined;
  /** Id of further text about the field, beside hint and error. */
  describedBy?: string;
  input: ComponentProps<'input'>;
  /** A button beside the input. */
  button?: ReactNode;
  /** Below the input. */
  children?: ReactNode;
}

/** A labelled input with its hint and its error. Uncontrolled: what was typed before the script came stays. */
export function Field({ id, label, hint, error, describedBy, input, button, children }: FieldProps) {
  const about = [hint && `${id}-hint`, describedBy, error && `${id}-error`].filter(Boolean).join(' ');
  const control = (
    <input className="input" id={id} required aria-invalid={error ? true : undefined} aria-describedby={about || undefined} {...input} />
  );
  return (
    <div className="field">
      <label htmlFor={id}>{label}</label>
      {hint && (
        <p className="field__hint" id={`${id}-hint`}>
          {hint}
        </p>
      )}
      {button ? (
        <div className="field__row">
          {control}
          {button}
        </div>
      ) : (
        control
      )}
      {error && (
        <p className="field__error" id={`${id}-error`}>
          <Icon name="error" />
          {error}
        </p>
      )}
      {children}
    </div>
  );
}
