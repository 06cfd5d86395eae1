import { z } from 'zod';
import { SimulatorError } from './errors.ts';

/** A fault that happens `times` times, or until it is cleared if null. */
interface Fault<Kind extends string = string> {
  kind: Kind;
  times: number | null;
}

/** Schema of a list of faults. Each call consumes one, in order. */
export function faultsSchema<const Kind extends string>(kinds: readonly [Kind, ...Kind[]]) {
  return z.array(z.strictObject({ kind: z.enum(kinds), times: z.int().min(1).max(1_000_000).nullable() })).max(20);
}

/** Knobs to change; null resets a knob. */
export type Patch<T> = { [K in keyof T]?: T[K] | null };

/** Body of POST /control/knobs: the knobs to change, for one reference or for all. */
export function patchSchema<Shape extends z.ZodRawShape>(knobs: z.ZodObject<Shape>, reference: z.ZodType<string>) {
  const nullable = Object.fromEntries(
    Object.entries(knobs.shape).map(([name, schema]) => [name, (schema as z.ZodType).nullable().optional()]),
  );
  return z.strictObject({ ...nullable, ref: reference.optional() }) as unknown as z.ZodType<
    Patch<z.output<z.ZodObject<Shape>>> & { ref?: string }
  >;
}

/** Names of the knobs that hold lists of faults. */
type FaultsOf<Knobs> = { [K in keyof Knobs]: Knobs[K] extends Fault[] ? K : never }[keyof Knobs];

type KindOf<Faults> = Faults extends Fault<infer Kind>[] ? Kind : never;

export interface KnobBoard<Knobs> {
  /** Changes the knobs of one reference, or of all if `ref` is absent. */
  set(patch: Patch<Knobs>, ref?: string): void;
  /** Like `set` for one reference, but does not change knobs already set for it. */
  suggest(patch: Patch<Knobs>, ref: string): void;
  /** Returns the knobs of a reference: its own first, then those set for all, then the defaults. */
  effective(ref?: string): Knobs;
  /** Consumes and returns the fault of the next call about this reference, or null. */
  takeFault<Name extends FaultsOf<Knobs>>(name: Name, ref: string): KindOf<Knobs[Name]> | null;
  clear(): void;
}

/** Creates a board of knobs, for all and for at most `limit` references. */
export function createKnobBoard<Knobs extends object>(defaults: Knobs, limit: number): KnobBoard<Knobs> {
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
    return { ...defaults, ...forAll, ...(ref === undefined ? {} : perReference.get(ref)) };
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
    suggest(patch, ref) {
      const overrides = overridesOf(ref);
      Object.assign(overrides, { ...patch, ...overrides });
    },
    takeFault(name, ref) {
      // Consumes the stored list: the reference's own, or the shared one.
      const faults = effective(ref)[name] as Fault<KindOf<Knobs[typeof name]>>[];
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
