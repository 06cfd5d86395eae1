import { defineEntity, type InferEntity, p } from '@mikro-orm/core';
import { Payment } from './payment.entity.ts';

/** A provider's notification, stored raw before anything else; one for an unknown reference is kept and tried again. */
export const PaymentNotification = defineEntity({
  name: 'PaymentNotification',
  tableName: 'payment_notification',
  indexes: [{ name: 'payment_notification_reference_index', properties: ['provider', 'reference'] }],
  properties: {
    id: p.integer().primary(),
    provider: p.string().length(20),
    reference: p.string().length(84).nullable(),
    /** What may be our reference or the provider's id, best first: what it is matched by once its payment is known. */
    candidates: p.json().$type<string[]>().default('[]'),
    /** It carried a valid signature over its raw bytes. */
    signed: p.boolean().default(false),
    /** The provider's event id, or a hash: tells repeats from news. */
    eventKey: p.string().length(128).nullable(),
    /** Five of them, bounded: type, length, agent, address as the proxy says it, and the provider's signature. */
    headers: p.json().$type<Record<string, string>>().nullable(),
    payment: () => p.manyToOne(Payment).mapToPk().nullable().deleteRule('restrict').index('payment_notification_payment_index'),
    contentType: p.string().length(200),
    body: p.blob().lazy(),
    receivedAt: p.datetime(),
    /** When it led to a verification; null: still to be tried. */
    processedAt: p.datetime().nullable(),
  },
});
export type PaymentNotification = InferEntity<typeof PaymentNotification>;
