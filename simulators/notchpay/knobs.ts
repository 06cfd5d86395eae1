import { z } from 'zod';
import { faultsSchema, type Patch, patchSchema } from '../platform/knob-board.ts';
import { referenceSchema } from './start-request.ts';

const ms = z
  .int()
  .min(0)
  .max(31 * 86_400_000);

const knobsSchema = z.strictObject({
  /** Type of `transaction` in the response to a start. */
  transactionShape: z.enum(['object', 'string']),
  /** The provider's pages disagree: the guide documents 200 and 201, the OpenAPI file 202. */
  startHttpStatus: z.literal([200, 201, 202]),
  verifyHttpStatus: z.literal([200, 201, 202]),
  /** Type of the field `code` in responses. */
  codeType: z.enum(['number', 'string']),
  /** Name of the field that holds the transaction. `nested`: the field `transaction` within `data`. */
  envelope: z.enum(['transaction', 'data', 'payment', 'nested']),
  /** Field of the merchant's reference. The provider's is in `id` if this is `reference`, otherwise in `reference`. */
  ownReferenceField: z.enum(['merchant_reference', 'trxref', 'reference']),
  sandbox: z.literal([0, 1, false, true]),
  /** Whether a paid transaction has `fee`, `amount_total`, `payment_method` and `completed_at`. */
  statementFields: z.boolean(),
  /** Status of a partly refunded payment. `refunded`: the same status as for a full refund. */
  partWord: z.enum(['partialy-refunded', 'partially-refunded', 'refunded']),
  /** Name of the field with the refunded amount in a verification. */
  returnedField: z.enum(['amount_refunded', 'refunded_amount', 'refunds', 'none']),
  strictPhone: z.boolean(),
  /** With `lost` and `hang` the payment is opened, but the response is lost or late. The other faults open no payment. */
  startFaults: faultsSchema(['http500', 'http403', 'http409', 'http429', 'html', 'lost', 'hang']),
  /** Events that happen and are notified before the response to the start. */
  beforeAnswer: z.enum(['nothing', 'created', 'complete']),
  /** `authorization_url` of the response to a start, or null for this simulator's checkout page. */
  authorizationUrl: z.string().max(2048).nullable(),
  /** Consumed in order, one per verification. `bare-reference`: the transaction is only the provider's reference. */
  verifyFaults: faultsSchema(['http500', 'http404', 'http429', 'hang', 'html', 'bare-reference']),
  hangMs: z.int().min(1).max(120_000),
  retryAfterSeconds: z.int().min(0).max(86_400),
  retryAfterFormat: z.enum(['seconds', 'date']),
  /** Status that verifications report instead of the true one, or null. */
  statusWord: z.string().min(1).max(40).nullable(),
  /** The payer's phone if the start has none, reported after the decision; null: never reported. */
  payerPhone: z.string().max(40).nullable(),
  /** Amount and currency that verifications report instead of the true ones, or null. */
  tamperedAmount: z.int().min(0).nullable(),
  tamperedCurrency: z
    .string()
    .regex(/^[A-Z]{3}$/)
    .nullable(),
  expiresAfterMs: ms.min(1),
  /** Delay of the payer's approval, in ms. */
  approvalDelayMs: ms,
  /** Events sent for an approval: only the success, a failure first, or a late `processing` after it. */
  approvalStory: z.enum(['plain', 'failed-then-complete', 'complete-then-processing']),
  webhookTimes: z.int().min(0).max(20),
  webhookMoment: z.enum(['before-redirect', 'after-redirect']),
  webhookGeneration: z.enum(['type', 'event']),
  /** The reference in `data.reference`: the merchant's, the provider's, or as in the documented example (`documented`). */
  webhookReference: z.enum(['documented', 'ours', 'theirs', 'trxref']),
  /** `nested`: the transaction is in `data.transaction`. */
  webhookData: z.enum(['flat', 'nested']),
  /** Whether `id` is the id of the event or of the endpoint. */
  webhookId: z.enum(['event', 'endpoint']),
  webhookBody: z.enum(['compact', 'pretty']),
  webhookSignature: z.enum(['valid', 'wrong-key', 'other-body', 'none']),
  signatureHeader: z.string().regex(/^[A-Za-z-]{1,60}$/),
  signatureAlgorithm: z.enum(['sha256', 'sha512']),
  /** Delays in ms before each retry after a response other than 2xx; empty: no retries. */
  webhookRetryDelaysMs: z.array(ms).max(10),
  /** Whether a 4xx response disables the webhook until its address is set again. */
  webhookDisabledBy4xx: z.boolean(),
  /** The reference in `?reference=` when the browser returns to the site: the merchant's or the provider's. */
  returnReference: z.enum(['ours', 'theirs']),
});

export type Knobs = z.infer<typeof knobsSchema>;

const MINUTE_MS = 60_000;

export const DEFAULTS: Knobs = {
  transactionShape: 'object',
  startHttpStatus: 201,
  verifyHttpStatus: 200,
  codeType: 'number',
  envelope: 'transaction',
  ownReferenceField: 'merchant_reference',
  sandbox: 1,
  statementFields: false,
  partWord: 'partialy-refunded',
  returnedField: 'amount_refunded',
  strictPhone: true,
  startFaults: [],
  beforeAnswer: 'nothing',
  authorizationUrl: null,
  verifyFaults: [],
  hangMs: 30_000,
  retryAfterSeconds: 30,
  retryAfterFormat: 'seconds',
  statusWord: null,
  payerPhone: '+237670000042',
  tamperedAmount: null,
  tamperedCurrency: null,
  expiresAfterMs: 180 * MINUTE_MS,
  approvalDelayMs: 0,
  approvalStory: 'plain',
  webhookTimes: 1,
  webhookMoment: 'before-redirect',
  webhookGeneration: 'type',
  webhookReference: 'documented',
  webhookData: 'flat',
  webhookId: 'event',
  webhookBody: 'compact',
  webhookSignature: 'valid',
  signatureHeader: 'x-notch-signature',
  signatureAlgorithm: 'sha256',
  webhookRetryDelaysMs: [MINUTE_MS, 5 * MINUTE_MS, 15 * MINUTE_MS, 60 * MINUTE_MS, 180 * MINUTE_MS],
  webhookDisabledBy4xx: false,
  returnReference: 'theirs',
};

export type KnobPatch = Patch<Knobs>;

/** Body of POST /control/knobs: the knobs to change (null resets a knob), for one reference or for all. */
export const knobPatchSchema = patchSchema(knobsSchema, referenceSchema);
