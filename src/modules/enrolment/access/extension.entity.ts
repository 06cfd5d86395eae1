import { defineEntity, type InferEntity, p } from '@mikro-orm/core';
import { Payment } from '../../payment/index.ts';
import { Enrolment } from './enrolment.entity.ts';

/** The cause of added or withdrawn days. */
export type ExtensionSource = 'payment' | 'grant' | 'withdrawal' | 'refund';

/**
 * Days added to or removed from an enrolment. Append-only: a trigger refuses UPDATE and DELETE.
 * The days of a payment are added once and reversed once: the unique constraints make a double settlement and a double refund
 * impossible.
 */
export const EnrolmentExtension = defineEntity({
  name: 'EnrolmentExtension',
  tableName: 'enrolment_extension',
  properties: {
    id: p.integer().primary(),
    enrolment: () => p.manyToOne(Enrolment).mapToPk().deleteRule('cascade').index('enrolment_extension_enrolment_index'),
    /** The payment that added the days; null for any other source. */
    payment: () => p.oneToOne(Payment).mapToPk().nullable().owner().deleteRule('restrict').unique('enrolment_extension_payment_unique'),
    /** The extension that a refund reverses. */
    reverses: () =>
      p.oneToOne(EnrolmentExtension).mapToPk().nullable().owner().deleteRule('restrict').unique('enrolment_extension_reverses_unique'),
    /** Negative when days are removed. */
    days: p.integer(),
    source: p.string().length(20).$type<ExtensionSource>(),
    reason: p.string().length(300).nullable(),
    /** The author: an administrator's name, or terminal; null for a payment. */
    operator: p.string().length(100).nullable(),
    expiresBefore: p.datetime().nullable(),
    expiresAfter: p.datetime(),
    createdAt: p.datetime(),
  },
});
export type EnrolmentExtension = InferEntity<typeof EnrolmentExtension>;
