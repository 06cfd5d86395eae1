/** Of what a line of the log says by `alert` that a person must look. docs/operations.md says of each what to do. */
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
  'reconciliation',
  'review',
  'sandbox',
  'unknown-notifications',
] as const;
export type AlertKind = (typeof alertKinds)[number];

declare module 'pino' {
  namespace pino {
    /** Every line of every log is held to the kinds. */
    interface LogFnFields {
      alert?: AlertKind;
    }
  }
}
