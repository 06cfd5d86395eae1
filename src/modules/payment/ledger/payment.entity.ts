import { defineEntity, type InferEntity, p } from '@mikro-orm/core';
import { Prepa } from '../../catalogue/index.ts';
import { User } from '../../identity/index.ts';

export const paymentStatuses = ['created', 'pending', 'succeeded', 'failed', 'cancelled', 'expired', 'refunded', 'review'] as const;
export type PaymentStatus = (typeof paymentStatuses)[number];

/** One attempt to pay for one prepa. Saved before the provider is called. */
export const Payment = defineEntity({
  name: 'Payment',
  tableName: 'payment',
  uniques: [{ name: 'payment_reference_provider_unique', properties: ['reference', 'provider'] }],
  indexes: [
    { name: 'payment_due_index', properties: ['nextCheckAt'] },
    // Support finds a payment by what the learner or the provider quotes, and adds payments up by their day.
    { name: 'payment_provider_transaction_index', properties: ['providerTransactionId'] },
    { name: 'payment_phone_index', properties: ['payerPhoneLast', 'createdAt', 'id'] },
    // What the list is narrowed by, each in its order: a page of it reads the rows of a page.
    { name: 'payment_created_index', properties: ['createdAt', 'id'] },
    { name: 'payment_prepa_index', properties: ['prepa', 'createdAt', 'id'] },
    { name: 'payment_prepa_status_index', properties: ['prepa', 'status', 'createdAt', 'id'] },
    { name: 'payment_status_index', properties: ['status', 'createdAt', 'id'] },
    { name: 'payment_provider_index', properties: ['provider', 'createdAt', 'id'] },
    { name: 'payment_settled_index', properties: ['settledAt'] },
  ],
  properties: {
    id: p.integer().primary(),
    /** Slug. */
    provider: p.string().length(20),
    /** Ours: prefix, timestamp, first 8 characters of the user's id. */
    reference: p.string().length(84),
    user: () => p.manyToOne(User).mapToPk().deleteRule('restrict').index('payment_user_index'),
    /** Null once the prepa is deleted; the payment keeps its name. */
    prepa: () => p.manyToOne(Prepa).mapToPk().nullable().deleteRule('set null'),
    prepaNom: p.string().length(150),
    /** Whole XAF. */
    amount: p.integer(),
    currency: p.string().length(3).default('XAF'),
    status: p.enum([...paymentStatuses]).default('created'),
    /** The provider did not answer when it was started: it may be open there, and its checkout has reached nobody. */
    startUnanswered: p.boolean().default(false),
    providerTransactionId: p.string().length(120).nullable(),
    method: p.string().length(60).nullable(),
    /** The last four digits of the telephone that paid, when the provider tells it; never more. */
    payerPhoneLast: p.string().length(4).nullable(),
    /** What was given back of it so far, whole XAF: never more than the amount, and never less than it was. */
    refundedAmount: p.integer().default(0),
    /** A part was given back at the provider's: access stays, and a person decides what that means. */
    needsLook: p.boolean().default(false),
    /** Of the provider's statement of account, where its verification tells it: what it keeps, and what the payer was charged in all; whole XAF. */
    providerFee: p.integer().nullable(),
    amountCharged: p.integer().nullable(),
    /** When the payment was completed, by the provider's clock. */
    completedAt: p.datetime().nullable(),
    /** When reconciliation asks the provider next; null: nothing to ask any more. */
    nextCheckAt: p.datetime().nullable(),
    checks: p.integer().default(0),
    createdAt: p.datetime(),
    updatedAt: p.datetime(),
    settledAt: p.datetime().nullable(),
  },
});
export type Payment = InferEntity<typeof Payment>;
