import type { ComponentProps, ReactNode } from 'react';
import { FieldFrame, type FieldTexts, fieldAttributes } from './FieldFrame.tsx';

/** A labelled field with several lines. */
export function TextArea({ textarea, children, ...texts }: FieldTexts & { textarea: ComponentProps<'textarea'>; children?: ReactNode }) {
  return (
    <FieldFrame {...texts} control={<textarea className="input" required rows={4} {...fieldAttributes(texts)} {...textarea} />}>
      {children}
    </FieldFrame>
  );
}
