import { defineEntity, type InferEntity, p } from '@mikro-orm/core';
import { Payment } from './payment.entity.ts';

/** Who causes an event. */
export type PaymentActor = 'learner' | 'provider-notification' | 'browser-return' | 'reconciliation' | 'operator';

/** What happened to a payment, in order. Append-only: a trigger refuses UPDATE and DELETE. */
export const PaymentEvent = defineEntity({
  name: 'PaymentEvent',
  tableName: 'payment_event',
  properties: {
    id: p.integer().primary(),
    payment: () => p.manyToOne(Payment).mapToPk().deleteRule('restrict').index('payment_event_payment_index'),
    /** created, verification, transition, refund (of a part, told by the provider), decision (an operator's, with its reason). */
    type: p.string().length(30),
    /** Who caused it: learner, provider-notification, browser-return, reconciliation, operator. */
    actor: p.string().length(30).$type<PaymentActor>(),
    /** Which operator: an administrator's name, or terminal; null for everybody else. */
    operator: p.string().length(100).nullable(),
    fromStatus: p.string().length(20).nullable(),
    toStatus: p.string().length(20).nullable(),
    /** What was given back with it, whole XAF; null: nothing. What the books call a refund is the events that have one. */
    returned: p.integer().nullable(),
    /** The provider's answer, without secrets or phone numbers. */
    detail: p.json().$type<Record<string, unknown>>().nullable(),
    at: p.datetime(),
  },
});
export type PaymentEvent = InferEntity<typeof PaymentEvent>;
