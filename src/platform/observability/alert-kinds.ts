/** Values of `alert` in log lines that need a person's attention. docs/operations.md describes what to do for each. */
export const alertKinds = [
  'bad-signature',
  'clock',
  'disk-full',
  'files-away',
  'forwarded',
  'item-reads',
  'mismatch',
  'old-pending',
  'overdue',
  'overload',
  'partial-refund',
  'process',
  'provider-failing',
  'publication',
  'reconciliation',
  'review',
  'sandbox',
  'unknown-notifications',
] as const;
export type AlertKind = (typeof alertKinds)[number];

declare module 'pino' {
  namespace pino {
    /** Restricts `alert` to the known kinds in every log call. */
    interface LogFnFields {
      alert?: AlertKind;
    }
  }
}
