import { Readable } from 'node:stream';
import type { EntityManager } from '@mikro-orm/postgresql';
import { stringify } from 'csv-stringify/sync';
import type { UseCaseContext } from '../../../platform/use-cases/events.ts';
import { transact } from '../../../platform/use-cases/transaction.ts';
import { dayIn } from '../../../shared/dates.ts';
import { type Actor, recordChange } from '../../identity/index.ts';
import { listPayments, type PaymentFilter, type PaymentSummary } from './payments.repository.ts';
import { providerName, statusNames } from './words.ts';

/** Payments of one statement: some milliseconds each, however long the whole export takes. */
const batchSize = 500;
/** Of the first statement: a file begins as soon on a site of millions, whose learners stand on many pages, as on a small one. */
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
    // With an ellipsis before it: a spreadsheet would take it for a number and drop a leading 0.
    payment.payerPhoneLast === null ? '' : `…${payment.payerPhoneLast}`,
    written(payment.createdAt),
    written(payment.settledAt),
    payment.providerFee ?? '',
  ];
}

/** For a French spreadsheet: semicolons, UTF-8 with a byte order mark; what looks like a formula is escaped. */
const lines = (rows: (string | number)[][], bom = false): string =>
  stringify(rows, { delimiter: ';', bom, escape_formulas: true, record_delimiter: 'windows' });

/**
 * All that a filter finds, newest first, in batches: never all of them in memory. Each batch is a statement of its own that goes on from the last
 * one, so that no connection and no transaction stays open for a slow reader. Each payment comes once, as it was when its batch was read;
 * payments that begin meanwhile are left out.
 */
async function* paymentBatches(em: EntityManager, filter: PaymentFilter): AsyncGenerator<PaymentSummary[]> {
  for (let { olderThan } = filter, limit = firstBatchSize; ; limit = batchSize) {
    const batch = await listPayments(em, { ...filter, olderThan, limit });
    yield batch;
    if (batch.length < limit) return;
    olderThan = batch.at(-1)?.id;
  }
}

/** All that a filter finds as CSV; its line of headers comes with the first batch, so that nothing is written before a read has succeeded. */
export async function* paymentsCsv(em: EntityManager, filter: PaymentFilter): AsyncGenerator<string> {
  let head = lines([headers], true);
  for await (const batch of paymentBatches(em, filter)) {
    yield head + lines(batch.map(rowOf));
    head = '';
  }
}

/** The same to be sent: read as fast as the client takes it, a batch ahead; a client that goes away ends it. */
export const paymentsDownload = (em: EntityManager, filter: PaymentFilter): Readable =>
  Readable.from(paymentsCsv(em, filter), { highWaterMark: 1 });

/** The same as one JSON array. */
export async function* paymentsJson(em: EntityManager, filter: PaymentFilter): AsyncGenerator<string> {
  let before = '[\n';
  for await (const batch of paymentBatches(em, filter)) {
    if (batch.length === 0) continue;
    // Without the brackets of each batch.
    yield before + JSON.stringify(batch, null, 2).slice(2, -2);
    before = ',\n';
  }
  yield before === ',\n' ? '\n]\n' : '[]\n';
}

/** `paiements-2026-11-01-2026-11-21.csv`; without a beginning, up to the day. */
export function csvName({ du, au }: { du?: string | undefined; au?: string | undefined }, now: Date): string {
  return `${['paiements', du, au ?? dayIn(now)].filter(Boolean).join('-')}.csv`;
}

/** Writes into the audit log who takes payments with them. @param narrowing by which filters; nothing that names a learner */
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
