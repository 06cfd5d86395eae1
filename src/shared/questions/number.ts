/** Spaces that separate thousands: ordinary, non-breaking, narrow non-breaking, thin. */
const spaces = /[ \u00a0\u202f\u2009]/g;
/** Hyphen, minus sign, non-breaking hyphen, en dash. */
const minus = /[−‑–]/g;
/** Digits in groups of three, or without groups; a decimal part; a power of ten. */
const plain = /^([+-]?)(\d{1,3}(?:[ \u00a0\u202f\u2009]\d{3})+|\d+)?(?:[.,](\d+))?(?:\s*(?:e|E|[×x*]\s*10\s*\^?)\s*\(?([+-]?\d{1,3})\)?)?$/;

/**
 * Returns the number that a learner or a teacher typed; null when it is none. Reads '3,5', '3.5', '7/2', '1,2e3', '1,2 × 10^3', '12 000'
 * with any kind of space, and '−4'. A comma or a point is a decimal mark, never a thousands separator.
 */
export function readNumber(typed: string): number | null {
  const text = typed.trim().replaceAll(minus, '-');
  const [above = '', below, ...rest] = text.split('/');
  if (rest.length > 0) return null;
  const numerator = readPlain(above);
  if (below === undefined) return numerator;
  const denominator = readPlain(below);
  return numerator === null || denominator === null || denominator === 0 ? null : numerator / denominator;
}

function readPlain(typed: string): number | null {
  const [, sign, whole, decimals, power] = plain.exec(typed.trim()) ?? [];
  if (whole === undefined && decimals === undefined) return null;
  const value = Number(`${sign}${(whole ?? '0').replaceAll(spaces, '')}.${decimals ?? '0'}e${power ?? '0'}`);
  return Number.isFinite(value) ? value : null;
}

/** How far an answer may be from the value. */
export type Tolerance = { by: 'absolute' | 'relative'; amount: number };

/** Returns a tolerance as a teacher typed it: '0,1' is absolute, '2 %' relative to the value. '' is no tolerance; null when it is invalid. */
export function readTolerance(typed: string): Tolerance | null {
  const text = typed.trim();
  if (text === '') return { by: 'absolute', amount: 0 };
  const percent = /^(.*?)[ \u00a0\u202f]?%$/.exec(text)?.[1];
  const amount = readNumber(percent ?? text);
  if (amount === null || amount < 0) return null;
  return percent === undefined ? { by: 'absolute', amount } : { by: 'relative', amount: amount / 100 };
}

/** Rounding of decimal fractions: 0.1 + 0.2 is within a tolerance of 0 of 0.3. */
const epsilon = 1e-9;

/** Returns whether `given` is within the tolerance of `value`. */
export function isNear(given: number, value: number, { by, amount }: Tolerance): boolean {
  const allowed = by === 'absolute' ? amount : amount * Math.abs(value);
  return Math.abs(given - value) <= allowed + epsilon * Math.max(Math.abs(value), Math.abs(given), allowed);
}
