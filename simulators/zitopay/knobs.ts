import { z } from 'zod';
import { referenceSchema } from './checkout-parameters.ts';
import { SimulatorError } from './errors.ts';

const faultSchema = z.strictObject({
  kind: z.enum(['http500', 'hang', 'html', 'error']),
  /** For how many verifications; null: until cleared. */
  times: z.int().min(1).max(1_000_000).nullable(),
});

export type VerifyFault = z.infer<typeof faultSchema>;

const knobsSchema = z.strictObject({
  /** Time between the payer's approval and its effect, in ms. */
  approvalDelayMs: z.int().min(0).max(86_400_000),
  notificationTimes: z.int().min(0).max(20),
  notificationMoment: z.enum(['before-redirect', 'after-redirect']),
  notificationReference: z.enum(['own', 'unknown']),
  notificationEncoding: z.enum(['urlencoded', 'multipart']),
  notifyFailures: z.boolean(),
  statusType: z.enum(['number', 'string']),
  /** The amount that verification claims was paid; null: the true one. */
  tamperedAmount: z.int().min(0).nullable(),
  /** What the payer was charged; the request's own values then stand in `original_*`. */
  otherCurrency: z.strictObject({ currency: z.string().regex(/^[A-Z]{3}$/), amount: z.string().max(20) }).nullable(),
  /** Consumed in order, one per verification. */
  verifyFaults: z.array(faultSchema).max(20),
  verifyHangMs: z.int().min(1).max(120_000),
  browserReturn: z.enum(['post', 'get']),
  successTwice: z.boolean(),
  /** Documented callbacks carry `ref` alone; the specification's also carry status and payment_method. */
  doneMessage: z.enum(['full', 'ref-only']),
});

export type Knobs = z.infer<typeof knobsSchema>;

const DEFAULTS: Knobs = {
  approvalDelayMs: 0,
  notificationTimes: 1,
  notificationMoment: 'before-redirect',
  notificationReference: 'own',
  notificationEncoding: 'urlencoded',
  notifyFailures: false,
  statusType: 'number',
  tamperedAmount: null,
  otherCurrency: null,
  verifyFaults: [],
  verifyHangMs: 30_000,
  browserReturn: 'post',
  successTwice: false,
  doneMessage: 'full',
};

type Patch<T> = { [K in keyof T]?: T[K] | null };
export type KnobPatch = Patch<Knobs>;

const nullable = Object.fromEntries(
  Object.entries(knobsSchema.shape).map(([name, schema]) => [name, (schema as z.ZodType).nullable().optional()]),
);

/** Body of POST /control/knobs: the knobs to change (null: back to the inherited value), for one reference or for all. */
export const knobPatchSchema = z.strictObject({ ...nullable, ref: referenceSchema.optional() }) as unknown as z.ZodType<
  KnobPatch & { ref?: string }
>;

export interface KnobBoard {
  /** Changes the knobs of one reference, or of all without one. */
  set(patch: KnobPatch, ref?: string): void;
  /** What holds for a reference: its own knobs first, then those set for all, then the defaults. */
  effective(ref?: string): Knobs;
  /** The fault that the next verification of this reference meets, consumed; null for none. */
  takeFault(ref: string): VerifyFault['kind'] | null;
  clear(): void;
}

/** Knobs for all and per reference, for at most `limit` references. */
export function createKnobBoard(limit: number): KnobBoard {
  const forAll: Partial<Knobs> = {};
  const perReference = new Map<string, Partial<Knobs>>();

  function overridesOf(ref: string | undefined): Partial<Knobs> {
    if (ref === undefined) return forAll;
    const known = perReference.get(ref);
    if (known) return known;
    if (perReference.size >= limit) throw new SimulatorError(503, 'Trop de références réglées : remettez le simulateur à zéro.');
    const created: Partial<Knobs> = {};
    perReference.set(ref, created);
    return created;
  }

  function effective(ref?: string): Knobs {
    return { ...DEFAULTS, ...forAll, ...(ref === undefined ? {} : perReference.get(ref)) };
  }

  return {
    effective,
    set(patch, ref) {
      const overrides: Record<string, unknown> = overridesOf(ref);
      for (const [name, value] of Object.entries(patch)) {
        if (value === null) delete overrides[name];
        else if (value !== undefined) overrides[name] = value;
      }
    },
    takeFault(ref) {
      // The list itself is consumed: it belongs to the reference when it set one, to everybody otherwise.
      const faults = effective(ref).verifyFaults;
      const fault = faults[0];
      if (!fault) return null;
      if (fault.times !== null) {
        fault.times -= 1;
        if (fault.times <= 0) faults.shift();
      }
      return fault.kind;
    },
    clear() {
      for (const name of Object.keys(forAll)) delete forAll[name as keyof Knobs];
      perReference.clear();
    },
  };
}
