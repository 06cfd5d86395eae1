import type { EntityManager } from '@mikro-orm/postgresql';
import { type RowOf, readRows } from '../../../platform/database/rows.ts';
import { oldPendingAfter, overdueAfter, type Payment, type PaymentStatus } from '../../payment/index.ts';
import type { PaymentSearch } from './search.ts';

/** The list of payments, for support's answers to "I have paid and I see nothing". */

export interface PaymentFilter {
  search?: PaymentSearch | undefined;
  status?: PaymentStatus | undefined;
  /** Slug of the provider. */
  provider?: string | undefined;
  prepaId?: number | undefined;
  /** Earliest start of the attempt. */
  from?: Date | undefined;
  /** Exclusive. */
  until?: Date | undefined;
  /** Payments of an alert at this instant: without outcome for too long, with an overdue check, or partly refunded. */
  alert?: { kind: 'old' | 'overdue' | 'look'; now: Date } | undefined;
  /** Id of a payment: only earlier ones are listed. */
  olderThan?: number | undefined;
}

type Listed = 'id' | 'reference' | 'provider' | 'status' | 'amount' | 'refundedAmount' | 'needsLook' | 'currency' | 'prepaNom' | 'method';
type Told = 'providerTransactionId' | 'payerPhoneLast' | 'providerFee' | 'checks';
type Dates = 'createdAt' | 'settledAt' | 'nextCheckAt';

export interface PaymentSummary extends RowOf<Payment, Listed | Told | Dates> {
  email: string;
  prepaId: number | null;
}

/** SQL columns of `payment p` and its learner's `app_user u`. */
export const summaryColumns = `p.id, p.reference, p.provider, p.status, p.amount, p.refunded_amount, p.needs_look, p.currency, u.email, p.prepa_id, p.prepa_nom,
  p.method, p.provider_transaction_id, p.payer_phone_last, p.provider_fee, p.checks, p.created_at, p.settled_at, p.next_check_at`;

type StoredRow = Omit<PaymentSummary, Dates> & { createdAt: string } & Record<'settledAt' | 'nextCheckAt', string | null>;

/** Maximum number of rows of one read. */
const maxListed = 1000;

/**
 * Returns a page of payments, newest first. Each filter has an index with this order.
 * The ORM writes the values into the statement, so that PostgreSQL plans each combination of filters for its values.
 * @param filter.limit at most 1,000
 */
export async function listPayments(em: EntityManager, { limit = 50, ...filter }: PaymentFilter & { limit?: number } = {}) {
  const conditions = conditionsOf(filter);
  const where = conditions.length === 0 ? '' : `where ${conditions.map(({ text }) => text).join(' and ')}`;
  const rows = await readRows<StoredRow>(
    em,
    `select ${summaryColumns} from payment p join app_user u on u.id = p.user_id ${where} order by p.created_at desc, p.id desc limit ?`,
    [...conditions.flatMap(({ values }) => values), Math.min(Math.max(1, limit), maxListed)],
  );
  const instant = (value: string | null) => (value === null ? null : new Date(value));
  return rows.map(
    (row): PaymentSummary => ({
      ...row,
      createdAt: new Date(row.createdAt),
      settledAt: instant(row.settledAt),
      nextCheckAt: instant(row.nextCheckAt),
    }),
  );
}

interface Condition {
  text: string;
  values: unknown[];
}

function conditionsOf({ search, status, provider, prepaId, from, until, alert, olderThan }: PaymentFilter): Condition[] {
  const conditions: Condition[] = [];
  const add = (text: string, ...values: unknown[]) => conditions.push({ text, values });
  if (search) conditions.push(searchCondition(search));
  if (status) add('p.status = ?', status);
  if (provider) add('p.provider = ?', provider);
  if (prepaId) add('p.prepa_id = ?', prepaId);
  if (from) add('p.created_at >= ?', from.toISOString());
  if (until) add('p.created_at < ?', until.toISOString());
  const before = (ms: number) => new Date((alert?.now.getTime() ?? 0) - ms).toISOString();
  if (alert?.kind === 'old') add(`p.status in ('created', 'pending') and p.created_at < ?`, before(oldPendingAfter));
  if (alert?.kind === 'overdue') add('p.next_check_at < ?', before(overdueAfter));
  if (alert?.kind === 'look') add('p.needs_look');
  // An unknown payment limits nothing.
  if (olderThan)
    add(`(p.created_at, p.id) < (coalesce((select created_at from payment where id = ?), 'infinity'), ?)`, olderThan, olderThan);
  return conditions;
}

function searchCondition(search: PaymentSearch): Condition {
  if (search.kind === 'email')
    return { text: 'p.user_id = (select id from app_user where lower(email) = lower(?))', values: [search.email] };
  if (search.kind === 'phone') return { text: 'p.payer_phone_last = ?', values: [search.last] };
  const { references, phoneLast } = search;
  const places = references.map(() => '?').join(', ');
  const or = phoneLast === null ? '' : ' or p.payer_phone_last = ?';
  return {
    text: `(p.reference in (${places}) or p.provider_transaction_id in (${places})${or})`,
    values: [...references, ...references, ...(phoneLast === null ? [] : [phoneLast])],
  };
}
