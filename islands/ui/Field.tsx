import type { ComponentProps, ReactNode } from 'react';
import { FieldFrame, type FieldTexts, fieldAttributes } from './FieldFrame.tsx';

export interface FieldProps extends FieldTexts {
  input: ComponentProps<'input'>;
  button?: ReactNode;
  children?: ReactNode;
}

/** A labelled input. Uncontrolled by default, so that text typed before hydration is kept. */
export function Field({ input, button, children, ...texts }: FieldProps) {
  const control = <input className="input" required {...fieldAttributes(texts)} {...input} />;
  const row = button ? (
    <div className="field__row">
      {control}
      {button}
    </div>
  ) : (
    control
  );
  return (
    <FieldFrame {...texts} control={row}>
      {children}
    </FieldFrame>
  );
}
