import { defineEntity, type InferEntity, p } from '@mikro-orm/core';
import { Payment } from '../payment/index.ts';
import { Enrolment } from './enrolment.entity.ts';

/** Days added to an enrolment, once per payment: the unique constraint is what makes a double settle impossible. */
export const EnrolmentExtension = defineEntity({
  name: 'EnrolmentExtension',
  tableName: 'enrolment_extension',
  properties: {
    id: p.integer().primary(),
    enrolment: () => p.manyToOne(Enrolment).mapToPk().deleteRule('cascade').index('enrolment_extension_enrolment_index'),
    /** Null for a grant. */
    payment: () => p.oneToOne(Payment).mapToPk().nullable().owner().deleteRule('restrict').unique('enrolment_extension_payment_unique'),
    days: p.integer(),
    /** payment or grant. */
    source: p.string().length(20),
    reason: p.string().length(300).nullable(),
    expiresBefore: p.datetime().nullable(),
    expiresAfter: p.datetime(),
    createdAt: p.datetime(),
  },
});
export type EnrolmentExtension = InferEntity<typeof EnrolmentExtension>;
