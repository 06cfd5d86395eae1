import { Readable } from 'node:stream';
import type { EntityManager } from '@mikro-orm/postgresql';
import { csvLines } from '../../../platform/files/csv.ts';
import type { UseCaseContext } from '../../../platform/use-cases/events.ts';
import { transact } from '../../../platform/use-cases/transaction.ts';
import { dayIn } from '../../../shared/dates.ts';
import { type Actor, recordChange } from '../../identity/index.ts';
import { listPayments, type PaymentFilter, type PaymentSummary } from './payments.repository.ts';
import { providerName, statusNames } from './words.ts';

/** Payments per statement. Each statement takes some milliseconds, however long the export. */
const batchSize = 500;
/** Payments of the first statement. A small first batch starts the download quickly, even with millions of payments. */
const firstBatchSize = 50;

const headers = [
  'Référence',
  'État',
  'Candidat',
  'Préparation',
  'Montant (XAF)',
  'Rendu (XAF)',
  'Prestataire',
  'Moyen',
  'Identifiant chez le prestataire',
  'Téléphone (fin)',
  'Commencé le',
  'Payé le',
  'Frais du prestataire (XAF)',
];

const instant = new Intl.DateTimeFormat('sv-SE', { dateStyle: 'short', timeStyle: 'medium', timeZone: 'Africa/Douala' });
const written = (value: Date | null) => (value === null ? '' : instant.format(value));

function rowOf(payment: PaymentSummary): (string | number)[] {
  return [
    payment.reference,
    statusNames[payment.status],
    payment.email,
    payment.prepaNom,
    payment.amount,
    payment.refundedAmount,
    providerName(payment.provider),
    payment.method ?? '',
    payment.providerTransactionId ?? '',
    // The ellipsis keeps spreadsheets from reading a number and dropping a leading 0.
    payment.payerPhoneLast === null ? '' : `…${payment.payerPhoneLast}`,
    written(payment.createdAt),
    written(payment.settledAt),
    payment.providerFee ?? '',
  ];
}

/**
 * Yields all payments of a filter in batches, newest first, so that they are never all in memory.
 * Each batch is a separate statement that continues after the last one, so that a slow reader holds no connection or transaction
 * open. Each payment appears once, as of the reading of its batch; payments started meanwhile are left out.
 */
async function* paymentBatches(em: EntityManager, filter: PaymentFilter): AsyncGenerator<PaymentSummary[]> {
  for (let { olderThan } = filter, limit = firstBatchSize; ; limit = batchSize) {
    const batch = await listPayments(em, { ...filter, olderThan, limit });
    yield batch;
    if (batch.length < limit) return;
    olderThan = batch.at(-1)?.id;
  }
}

/**
 * Yields all payments of a filter as CSV. The header line comes with the first batch, so that nothing is written if the first read
 * fails.
 */
export async function* paymentsCsv(em: EntityManager, filter: PaymentFilter): AsyncGenerator<string> {
  let head = csvLines([headers], true);
  for await (const batch of paymentBatches(em, filter)) {
    yield head + csvLines(batch.map(rowOf));
    head = '';
  }
}

/** Returns the CSV as a stream. It reads at most one batch ahead of the client, and stops when the client disconnects. */
export const paymentsDownload = (em: EntityManager, filter: PaymentFilter): Readable =>
  Readable.from(paymentsCsv(em, filter), { highWaterMark: 1 });

/** Yields all payments of a filter as one JSON array. */
export async function* paymentsJson(em: EntityManager, filter: PaymentFilter): AsyncGenerator<string> {
  let before = '[\n';
  for await (const batch of paymentBatches(em, filter)) {
    if (batch.length === 0) continue;
    // Remove the brackets of each batch.
    yield before + JSON.stringify(batch, null, 2).slice(2, -2);
    before = ',\n';
  }
  yield before === ',\n' ? '\n]\n' : '[]\n';
}

/** Returns `paiements-2026-11-01-2026-11-21.csv`; without a start day only the end is in the name. */
export function csvName({ du, au }: { du?: string | undefined; au?: string | undefined }, now: Date): string {
  return `${['paiements', du, au ?? dayIn(now)].filter(Boolean).join('-')}.csv`;
}

/** Records the author of an export in the audit log. @param narrowing names of the filters; no value that identifies a learner */
export function recordExport(
  em: EntityManager,
  context: UseCaseContext,
  actor: Actor,
  format: 'CSV' | 'JSON',
  narrowing: object,
): Promise<void> {
  const change = { action: 'exported', subject: 'payment', label: 'Paiements', after: { format, ...narrowing } } as const;
  return transact(em, context, (tx) => recordChange(tx, context, actor, change));
}
