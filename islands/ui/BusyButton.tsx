import type { ReactNode } from 'react';

interface BusyButtonProps {
  label: ReactNode;
  busyLabel: string;
  busy: boolean;
  disabled?: boolean;
  block?: boolean;
}

/** A form's main button. Both labels always stand in it, so that its width stays. */
export function BusyButton({ label, busyLabel, busy, disabled, block }: BusyButtonProps) {
  return (
    <button className={block ? 'button button--block' : 'button'} type="submit" aria-busy={busy} disabled={disabled}>
      <span className="button__label">{label}</span>
      <span className="button__busy">{busyLabel}</span>
    </button>
  );
}
