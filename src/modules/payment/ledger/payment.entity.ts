import { defineEntity, type InferEntity, p } from '@mikro-orm/core';
import { Prepa } from '../../catalogue/index.ts';
import { User } from '../../identity/index.ts';
import type { Refusal } from '../contract/refusal.ts';

export const paymentStatuses = ['created', 'pending', 'succeeded', 'failed', 'cancelled', 'expired', 'refunded', 'review'] as const;
export type PaymentStatus = (typeof paymentStatuses)[number];

/** One attempt to pay for one prepa. Saved before the provider is called. */
export const Payment = defineEntity({
  name: 'Payment',
  tableName: 'payment',
  uniques: [{ name: 'payment_reference_provider_unique', properties: ['reference', 'provider'] }],
  indexes: [
    { name: 'payment_due_index', properties: ['nextCheckAt'] },
    // Support searches payments by the provider's id or the last digits of the telephone that a learner quotes.
    { name: 'payment_provider_transaction_index', properties: ['providerTransactionId'] },
    { name: 'payment_phone_index', properties: ['payerPhoneLast', 'createdAt', 'id'] },
    // Filters of the list, each with the list's order, so that a page reads only its own rows.
    { name: 'payment_created_index', properties: ['createdAt', 'id'] },
    { name: 'payment_prepa_index', properties: ['prepa', 'createdAt', 'id'] },
    { name: 'payment_prepa_status_index', properties: ['prepa', 'status', 'createdAt', 'id'] },
    { name: 'payment_status_index', properties: ['status', 'createdAt', 'id'] },
    { name: 'payment_provider_index', properties: ['provider', 'createdAt', 'id'] },
    { name: 'payment_settled_index', properties: ['settledAt'] },
  ],
  properties: {
    id: p.integer().primary(),
    /** Slug of the provider. */
    provider: p.string().length(20),
    /** Our reference: prefix, timestamp, first 8 characters of the user's id. */
    reference: p.string().length(84),
    user: () => p.manyToOne(User).mapToPk().deleteRule('restrict').index('payment_user_index'),
    /** Null once the prepa is deleted; `prepaNom` keeps its name. */
    prepa: () => p.manyToOne(Prepa).mapToPk().nullable().deleteRule('set null'),
    prepaNom: p.string().length(150),
    /** Price in whole XAF. */
    amount: p.integer(),
    currency: p.string().length(3).default('XAF'),
    status: p.enum([...paymentStatuses]).default('created'),
    /** The provider did not respond to the start: the payment may be open there, but no payer has seen its checkout. */
    startUnanswered: p.boolean().default(false),
    providerTransactionId: p.string().length(120).nullable(),
    method: p.string().length(60).nullable(),
    /** Last four digits of the payer's telephone, if the provider gives it; never more. */
    payerPhoneLast: p.string().length(4).nullable(),
    /** Why the payer's account refused the payment; null when unknown, and once the payment is not refused any more. */
    refusal: p.string().length(20).$type<Refusal>().nullable(),
    /** Total refunded so far, in whole XAF; never more than the amount, and it never decreases. */
    refundedAmount: p.integer().default(0),
    /** The provider reported a partial refund: access stays, and an administrator must decide. */
    needsLook: p.boolean().default(false),
    /** The provider's fee and the total charged to the payer, in whole XAF; null when its verification does not report them. */
    providerFee: p.integer().nullable(),
    amountCharged: p.integer().nullable(),
    /** When the payment was completed, by the provider's clock. */
    completedAt: p.datetime().nullable(),
    /** When reconciliation asks the provider next; null when no further check is due. */
    nextCheckAt: p.datetime().nullable(),
    checks: p.integer().default(0),
    createdAt: p.datetime(),
    updatedAt: p.datetime(),
    settledAt: p.datetime().nullable(),
  },
});
export type Payment = InferEntity<typeof Payment>;
