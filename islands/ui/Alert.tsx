import { Icon } from './Icon.tsx';

export interface Notice {
  kind: 'error' | 'success' | 'warning' | 'info';
  message: string;
  /** What was kept, and what to do. */
  detail?: string | undefined;
}

/** A message in the flow of a page. `role` only where it is not inside a live region already. */
export function Alert({ notice: { kind, message, detail }, role }: { notice: Notice; role?: 'alert' | 'status' }) {
  return (
    <div className={`alert alert--${kind}`} role={role}>
      <Icon name={kind} />
      <div>
        <p className={detail ? 'alert__title' : undefined}>{message}</p>
        {detail && <p>{detail}</p>}
      </div>
    </div>
  );
}
