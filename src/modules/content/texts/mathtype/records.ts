// The records of an equation of MathType or Equation Editor (MTEF, "MathType Equation Format"), independent of the format's version.

/** A character with its embellishments, such as primes and hats. */
export interface CharRecord {
  readonly type: 'char';
  /** One of `Typeface`, or a negative number for an explicit font. */
  readonly typeface: number;
  /** MTCode: Unicode with additions in its private area; null when only the position in the font is given. */
  readonly code: number | null;
  /** Position of the character in its font. */
  readonly position: number | null;
  readonly startsFunction: boolean;
  readonly embellishments: readonly number[];
  readonly font: FontStyle | null;
}

export interface FontStyle {
  readonly name: string;
  readonly isBold: boolean;
  readonly isItalic: boolean;
}

/** A construct such as a fraction. Selector and variation are those of version 5 (`Selector`). */
export interface TemplateRecord {
  readonly type: 'template';
  readonly selector: number;
  readonly variation: number;
  /** Its slots, in their order; an empty slot has no records. */
  readonly slots: readonly Slot[];
  /** Its own characters, such as brackets or the sign of an operator. */
  readonly chars: readonly CharRecord[];
}

export type Slot = readonly MtefRecord[];

/** Lines below each other. */
export interface PileRecord {
  readonly type: 'pile';
  readonly align: Align;
  readonly lines: readonly Slot[];
}

export interface MatrixRecord {
  readonly type: 'matrix';
  readonly align: Align;
  readonly columns: number;
  /** Whether a line is drawn before each row, and after the last one. */
  readonly rowLines: readonly boolean[];
  readonly columnLines: readonly boolean[];
  /** Cells from left to right and top to bottom. */
  readonly cells: readonly Slot[];
}

export type MtefRecord = CharRecord | TemplateRecord | PileRecord | MatrixRecord;

export type Align = 'left' | 'center' | 'right' | 'relation' | 'decimal';

/** Alignments of piles by their number. A matrix counts from 0, unlike the format's documentation says. */
export const ALIGNS: Readonly<Record<number, Align>> = { 1: 'left', 2: 'center', 3: 'right', 4: 'relation', 5: 'decimal' };

export const Typeface = {
  text: 1,
  function: 2,
  variable: 3,
  smallGreek: 4,
  capitalGreek: 5,
  symbol: 6,
  vector: 7,
  number: 8,
  user1: 9,
  user2: 10,
  mtExtra: 11,
  eastAsianText: 12,
  expanding: 22,
  marker: 23,
  space: 24,
} as const;

/** Selectors of templates in version 5. */
export const Selector = {
  angle: 0,
  paren: 1,
  brace: 2,
  bracket: 3,
  bar: 4,
  doubleBar: 5,
  floor: 6,
  ceiling: 7,
  openBracket: 8,
  interval: 9,
  root: 10,
  fraction: 11,
  underbar: 12,
  overbar: 13,
  arrow: 14,
  integral: 15,
  sum: 16,
  product: 17,
  coproduct: 18,
  union: 19,
  intersection: 20,
  integralOperator: 21,
  sumOperator: 22,
  limit: 23,
  horizontalBrace: 24,
  horizontalBracket: 25,
  longDivision: 26,
  sub: 27,
  sup: 28,
  subsup: 29,
  dirac: 30,
  vector: 31,
  tilde: 32,
  hat: 33,
  arc: 34,
  jointStatus: 35,
  strike: 36,
  box: 37,
} as const;

export interface Equation {
  readonly records: Slot;
  /** Whether the equation was written for a line of text; null when the format does not say. */
  readonly isInline: boolean | null;
}

/** Writes the records of a slot as LaTeX. */
export type Write = (slot: Slot) => string;
