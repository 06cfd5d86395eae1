import type { ReactNode } from 'react';
import { Icon } from './Icon.tsx';

export interface Notice {
  kind: 'error' | 'success' | 'warning' | 'info';
  message: string;
  /** The kept input and the next step. */
  detail?: string | undefined;
}

interface AlertProps {
  notice: Notice;
  className?: string;
  /** Set it only outside a live region. */
  role?: 'alert' | 'status' | undefined;
  children?: ReactNode;
}

/** A message within a page. */
export function Alert({ notice: { kind, message, detail }, className = '', role, children }: AlertProps) {
  return (
    <div className={`alert alert--${kind} ${className}`.trim()} role={role}>
      <Icon name={kind} />
      <div>
        <p className={detail ? 'alert__title' : undefined}>{message}</p>
        {detail && <p>{detail}</p>}
        {children}
      </div>
    </div>
  );
}
