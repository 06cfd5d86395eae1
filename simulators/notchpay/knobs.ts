import { z } from 'zod';
import { faultsSchema, type Patch, patchSchema } from '../platform/knob-board.ts';
import { referenceSchema } from './start-request.ts';

const ms = z
  .int()
  .min(0)
  .max(31 * 86_400_000);

const knobsSchema = z.strictObject({
  /** `transaction` in the answer to a start. */
  transactionShape: z.enum(['object', 'string']),
  /** The provider's pages disagree: the guide answers 200 and 201, its OpenAPI file 202. */
  startHttpStatus: z.literal([200, 201, 202]),
  verifyHttpStatus: z.literal([200, 201, 202]),
  /** `code` of an answer. */
  codeType: z.enum(['number', 'string']),
  /** What the transaction stands under; `nested`: under `transaction` within `data`. */
  envelope: z.enum(['transaction', 'data', 'payment', 'nested']),
  /** Where our reference stands in a transaction: in `merchant_reference` or `trxref` with theirs in `reference`, or in `reference` with theirs in `id`. */
  ownReferenceField: z.enum(['merchant_reference', 'trxref', 'reference']),
  sandbox: z.literal([0, 1, false, true]),
  /** `fee`, `amount_total`, `payment_method` and `completed_at` of what has been paid. */
  statementFields: z.boolean(),
  /** The word for a payment of which a part was given back; `refunded`: the same as for the whole. */
  partWord: z.enum(['partialy-refunded', 'partially-refunded', 'refunded']),
  /** Where a verification tells the amount that was given back. */
  returnedField: z.enum(['amount_refunded', 'refunded_amount', 'refunds', 'none']),
  strictPhone: z.boolean(),
  /** `lost` and `hang`: the payment is open, the answer gets lost or comes too late; the others open nothing. */
  startFaults: faultsSchema(['http500', 'http403', 'http409', 'http429', 'html', 'lost', 'hang']),
  /** What happens, and is notified, before the start is answered. */
  beforeAnswer: z.enum(['nothing', 'created', 'complete']),
  /** Where the answer to a start sends the browser; null: this simulator's checkout page. */
  authorizationUrl: z.string().max(2048).nullable(),
  /** Consumed in order, one per verification. `bare-reference`: the transaction is no more than their reference. */
  verifyFaults: faultsSchema(['http500', 'http404', 'http429', 'hang', 'html', 'bare-reference']),
  hangMs: z.int().min(1).max(120_000),
  retryAfterSeconds: z.int().min(0).max(86_400),
  retryAfterFormat: z.enum(['seconds', 'date']),
  /** The word that verification says instead of the true status; null: the true one. */
  statusWord: z.string().min(1).max(40).nullable(),
  /** The payer's number, when the start named none; told once there is a decision, null: never. */
  payerPhone: z.string().max(40).nullable(),
  /** What verification claims; null: the true values. */
  tamperedAmount: z.int().min(0).nullable(),
  tamperedCurrency: z
    .string()
    .regex(/^[A-Z]{3}$/)
    .nullable(),
  expiresAfterMs: ms.min(1),
  /** Time between the payer's approval and its effect. */
  approvalDelayMs: ms,
  /** What an approval looks like from outside: the second has failed once before, the third is told of in the wrong order. */
  approvalStory: z.enum(['plain', 'failed-then-complete', 'complete-then-processing']),
  webhookTimes: z.int().min(0).max(20),
  webhookMoment: z.enum(['before-redirect', 'after-redirect']),
  webhookGeneration: z.enum(['type', 'event']),
  /** Whose reference stands in `data.reference`; `documented`: as the generation's example has it. */
  webhookReference: z.enum(['documented', 'ours', 'theirs', 'trxref']),
  /** `nested`: the transaction stands in `data.transaction`. */
  webhookData: z.enum(['flat', 'nested']),
  /** What `id` names: this event, or the endpoint that all events go to. */
  webhookId: z.enum(['event', 'endpoint']),
  webhookBody: z.enum(['compact', 'pretty']),
  webhookSignature: z.enum(['valid', 'wrong-key', 'other-body', 'none']),
  signatureHeader: z.string().regex(/^[A-Za-z-]{1,60}$/),
  signatureAlgorithm: z.enum(['sha256', 'sha512']),
  /** Waiting times between one attempt and the next, after an answer that is not 2xx; empty: never again. */
  webhookRetryDelaysMs: z.array(ms).max(10),
  /** A 4xx answer turns the webhook off until its address is set again. */
  webhookDisabledBy4xx: z.boolean(),
  /** Whose reference stands in `?reference=` of the browser's return. */
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

/** Body of POST /control/knobs: the knobs to change (null: back to the inherited value), for one reference or for all. */
export const knobPatchSchema = patchSchema(knobsSchema, referenceSchema);
