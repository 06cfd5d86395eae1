import type { ReactNode } from 'react';
import { Icon } from './Icon.tsx';

export interface FieldTexts {
  id: string;
  label: string;
  hint?: string;
  error?: string | undefined;
  /** Id of another text about the field, besides hint and error. */
  describedBy?: string;
}

/** Returns the attributes that connect a control with its texts. */
export function fieldAttributes({ id, hint, error, describedBy }: Omit<FieldTexts, 'label'>) {
  const about = [hint && `${id}-hint`, describedBy, error && `${id}-error`].filter(Boolean).join(' ');
  return { id, 'aria-invalid': error ? (true as const) : undefined, 'aria-describedby': about || undefined };
}

/** A control with its label, hint and error. */
export function FieldFrame({ id, label, hint, error, control, children }: FieldTexts & { control: ReactNode; children?: ReactNode }) {
  return (
    <div className="field">
      <label htmlFor={id}>{label}</label>
      {hint && (
        <p className="field__hint" id={`${id}-hint`}>
          {hint}
        </p>
      )}
      {control}
      {error && (
        <p className="field__error" id={`${id}-error`}>
          <Icon name="error" />
          <span>{error}</span>
        </p>
      )}
      {children}
    </div>
  );
}
