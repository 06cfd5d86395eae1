import type { EntityManager } from '@mikro-orm/postgresql';
import { namedStatement } from '../../../platform/database/named-statement.ts';
import type { RowOf } from '../../../platform/database/rows.ts';
import type { EnrolmentRow } from '../../enrolment/index.ts';
import type { Payment, Refusal } from '../../payment/index.ts';

type OnBoth = 'reference' | 'provider' | 'prepaNom' | 'amount' | 'refundedAmount';

/** A payment as its learner sees it. */
export interface LearnerPayment extends RowOf<Payment, OnBoth | 'status' | 'createdAt' | 'settledAt' | 'nextCheckAt'> {
  refusal: Refusal | null;
  /** Null once the prepa is deleted. */
  prepaId: number | null;
  /** Whether the provider did not know the payment at the last check. */
  unseen: boolean;
  /** State of the learner's enrolment in the prepa; null without one. */
  statut: EnrolmentRow['statut'] | null;
  dateExpiration: Date | null;
}

const paymentPageSize = 20;

const ofLearner = namedStatement<LearnerPayment>({
  name: 'receipts.of-learner',
  text: `select p.reference, p.provider, p.status, p.prepa_id, p.prepa_nom, p.amount, p.refunded_amount, p.created_at, p.settled_at, p.next_check_at, p.refusal,
                p.status in ('created', 'pending') and coalesce((select e.detail->>'kind' = 'not_found' from payment_event e
                  where e.payment_id = p.id and e.type = 'verification' order by e.id desc limit 1), false) as unseen,
                access.statut, access.date_expiration
         from payment p left join enrolment access on access.user_id = $1 and access.prepa_id = p.prepa_id
         where p.user_id = $1 and ($2::text is null or p.id < (select min(id) from payment where user_id = $1 and reference = $2))
         order by p.id desc limit ${paymentPageSize + 1}`,
});

/**
 * Returns a page of a learner's payments, newest first. `more`: whether there are older ones.
 * @param before reference of the last payment of the previous page; null for the first page
 */
export async function listOwnPayments(em: EntityManager, userId: string, before: string | null) {
  const rows = await ofLearner(em, [userId, before]);
  return { payments: rows.slice(0, paymentPageSize), more: rows.length > paymentPageSize };
}

export interface ReceiptRow extends RowOf<Payment, OnBoth | 'method'> {
  status: 'succeeded' | 'refunded';
  settledAt: Date;
  /** End of the days that it opened; null when it opened none. */
  openedUntil: Date | null;
  days: number | null;
  refundedAt: Date | null;
}

const receipt = namedStatement<ReceiptRow>({
  name: 'receipts.one',
  text: `select p.reference, p.provider, p.status, p.prepa_nom, p.amount, p.refunded_amount, p.method, p.settled_at, x.expires_after as opened_until, x.days,
                (select e.at from payment_event e where e.payment_id = p.id and e.to_status = 'refunded' order by e.id desc limit 1) as refunded_at
         from payment p left join enrolment_extension x on x.payment_id = p.id
         where p.user_id = $1 and p.reference = $2 and p.status in ('succeeded', 'refunded') and p.settled_at is not null order by p.id limit 1`,
});

/**
 * Returns the receipt of a learner's own payment; null for a payment that was never confirmed (even if refunded after a review), and
 * for a payment of another learner.
 */
export const findReceipt = async (em: EntityManager, userId: string, reference: string): Promise<ReceiptRow | null> =>
  (await receipt(em, [userId, reference]))[0] ?? null;
