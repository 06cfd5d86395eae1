import type { EntityManager } from '@mikro-orm/postgresql';
import { stringify } from 'csv-stringify/sync';
import { dayIn } from '../../../shared/dates.ts';
import { listPayments, mostListed, type PaymentFilter, type PaymentSummary } from '../../payment/index.ts';
import { providerName, statusNames } from './payment-words.ts';

/** Rows of one export, at most: what a spreadsheet opens. */
const mostExported = 100_000;

const headers = [
  ...['Référence', 'État', 'Candidat', 'Préparation', 'Montant (XAF)', 'Prestataire', 'Moyen', 'Identifiant chez le prestataire'],
  ...['Téléphone (fin)', 'Commencé le', 'Payé le'],
];

const instant = new Intl.DateTimeFormat('sv-SE', { dateStyle: 'short', timeStyle: 'medium', timeZone: 'Africa/Douala' });
const written = (value: Date | null) => (value === null ? '' : instant.format(value));

function rowOf(payment: PaymentSummary): (string | number)[] {
  const { reference, status, email, prepaNom, amount, provider, method, providerTransactionId, payerPhoneLast, createdAt, settledAt } =
    payment;
  return [
    ...[reference, statusNames[status], email, prepaNom, amount, providerName(provider), method ?? '', providerTransactionId ?? ''],
    // Not a number: its first 0 stays.
    ...[payerPhoneLast === null ? '' : `…${payerPhoneLast}`, written(createdAt), written(settledAt)],
  ];
}

/** For a French spreadsheet: semicolons, UTF-8 with its mark; what would be calculated as a formula is text. */
const lines = (rows: (string | number)[][], bom = false): string =>
  stringify(rows, { delimiter: ';', bom, escape_formulas: true, record_delimiter: 'windows' });

/** All that a filter finds, newest first, page by page as they are read: never all of them in memory; 100,000 at most. */
export async function* paymentPages(em: EntityManager, filter: PaymentFilter): AsyncGenerator<PaymentSummary[]> {
  let { olderThan } = filter;
  for (let count = 0; count < mostExported; ) {
    const page = await listPayments(em, { ...filter, olderThan, limit: Math.min(mostListed, mostExported - count) });
    if (page.length === 0) return;
    yield page;
    count += page.length;
    olderThan = page.at(-1)?.id;
  }
}

/** The same as CSV, with its line of headers. */
export async function* paymentsCsv(em: EntityManager, filter: PaymentFilter): AsyncGenerator<string> {
  yield lines([headers], true);
  for await (const page of paymentPages(em, filter)) yield lines(page.map(rowOf));
}

/** `paiements-2026-11-01-2026-11-21.csv`; without a beginning, up to the day. */
export function csvName({ du, au }: { du?: string | undefined; au?: string | undefined }, now: Date): string {
  return `${['paiements', du, au ?? dayIn(now)].filter(Boolean).join('-')}.csv`;
}
