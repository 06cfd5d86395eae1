import { defineEntity, type InferEntity, p } from '@mikro-orm/core';
import { Payment } from './payment.entity.ts';

/** The cause of an event. */
export type PaymentActor = 'learner' | 'provider-notification' | 'browser-return' | 'reconciliation' | 'operator';

/** The events of a payment, in order. Append-only: a trigger refuses UPDATE and DELETE. */
export const PaymentEvent = defineEntity({
  name: 'PaymentEvent',
  tableName: 'payment_event',
  properties: {
    id: p.integer().primary(),
    payment: () => p.manyToOne(Payment).mapToPk().deleteRule('restrict').index('payment_event_payment_index'),
    /** created, verification, transition, refund (of a part, reported by the provider), or decision (an operator's, with its reason). */
    type: p.string().length(30),
    /** Cause: learner, provider-notification, browser-return, reconciliation or operator. */
    actor: p.string().length(30).$type<PaymentActor>(),
    /** The operator: an administrator's name, or terminal; null for other causes. */
    operator: p.string().length(100).nullable(),
    fromStatus: p.string().length(20).nullable(),
    toStatus: p.string().length(20).nullable(),
    /** Amount refunded with this event, in whole XAF; null when none. The books count events with an amount as refunds. */
    returned: p.integer().nullable(),
    /** The provider's answer, without secrets or phone numbers. */
    detail: p.json().$type<Record<string, unknown>>().nullable(),
    at: p.datetime(),
  },
});
export type PaymentEvent = InferEntity<typeof PaymentEvent>;
