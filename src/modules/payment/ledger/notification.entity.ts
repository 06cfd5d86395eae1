import { defineEntity, type InferEntity, p } from '@mikro-orm/core';
import { Payment } from './payment.entity.ts';

/** A provider's notification, stored raw before it is processed. A notification of an unknown payment stays and is processed later. */
export const PaymentNotification = defineEntity({
  name: 'PaymentNotification',
  tableName: 'payment_notification',
  indexes: [{ name: 'payment_notification_reference_index', properties: ['provider', 'reference'] }],
  properties: {
    id: p.integer().primary(),
    provider: p.string().length(20),
    reference: p.string().length(84).nullable(),
    /** Candidates for our reference or the provider's id, best first, to find its payment later. */
    candidates: p.json().$type<string[]>().default('[]'),
    /** Whether it carried a valid signature over its raw bytes. */
    signed: p.boolean().default(false),
    /** The provider's event id, or a hash; identifies repeated notifications. */
    eventKey: p.string().length(128).nullable(),
    /** Five headers, of limited length: type, length, user agent, address as given by the proxy, and the provider's signature. */
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
