import type { ComponentProps, ReactNode } from 'react';

interface BusyButtonProps extends ComponentProps<'button'> {
  label: ReactNode;
  busyLabel: string;
  busy: boolean;
}

/** A button with a busy state, by default a submit button. It always contains both labels, so that its width does not change. */
export function BusyButton({ label, busyLabel, busy, ...button }: BusyButtonProps) {
  return (
    <button className="button" type="submit" aria-busy={busy} {...button}>
      <span className="button__label">{label}</span>
      <span className="button__busy">{busyLabel}</span>
    </button>
  );
}
