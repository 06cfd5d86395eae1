import type { ComponentProps, ReactNode } from 'react';

interface BusyButtonProps extends ComponentProps<'button'> {
  label: ReactNode;
  busyLabel: string;
  busy: boolean;
}

/** A button that says what it is doing; a form's main one unless it is said otherwise. Both labels always stand in it, so that its width stays. */
export function BusyButton({ label, busyLabel, busy, ...button }: BusyButtonProps) {
  return (
    <button className="button" type="submit" aria-busy={busy} {...button}>
      <span className="button__label">{label}</span>
      <span className="button__busy">{busyLabel}</span>
    </button>
  );
}
