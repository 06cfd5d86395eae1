import { z } from 'zod';
import { faultsSchema, type Patch, patchSchema } from '../platform/knob-board.ts';
import { referenceSchema } from './checkout-parameters.ts';

const knobsSchema = z.strictObject({
  /** Delay of the payer's approval, in ms. */
  approvalDelayMs: z.int().min(0).max(86_400_000),
  notificationTimes: z.int().min(0).max(20),
  notificationMoment: z.enum(['before-redirect', 'after-redirect']),
  notificationReference: z.enum(['own', 'unknown']),
  notificationEncoding: z.enum(['urlencoded', 'multipart']),
  notifyFailures: z.boolean(),
  /** `info` of a declined payment. */
  declineInfo: z.string().max(200),
  statusType: z.enum(['number', 'string']),
  /** Paid amount that verifications report instead of the true one, or null. */
  tamperedAmount: z.int().min(0).nullable(),
  /** The currency and amount charged. The requested values are then in `original_*`. */
  otherCurrency: z.strictObject({ currency: z.string().regex(/^[A-Z]{3}$/), amount: z.string().max(20) }).nullable(),
  /** Consumed in order, one per verification. */
  verifyFaults: faultsSchema(['http500', 'hang', 'html', 'error']),
  verifyHangMs: z.int().min(1).max(120_000),
  browserReturn: z.enum(['post', 'get']),
  successTwice: z.boolean(),
  /** The provider's documentation shows callbacks with `ref` only; our specification also has status and payment_method. */
  doneMessage: z.enum(['full', 'ref-only']),
});

export type Knobs = z.infer<typeof knobsSchema>;

export const DEFAULTS: Knobs = {
  approvalDelayMs: 0,
  notificationTimes: 1,
  notificationMoment: 'before-redirect',
  notificationReference: 'own',
  notificationEncoding: 'urlencoded',
  notifyFailures: false,
  declineInfo: 'Declined',
  statusType: 'number',
  tamperedAmount: null,
  otherCurrency: null,
  verifyFaults: [],
  verifyHangMs: 30_000,
  browserReturn: 'post',
  successTwice: false,
  doneMessage: 'full',
};

export type KnobPatch = Patch<Knobs>;

/** Body of POST /control/knobs: the knobs to change (null resets a knob), for one reference or for all. */
export const knobPatchSchema = patchSchema(knobsSchema, referenceSchema);
