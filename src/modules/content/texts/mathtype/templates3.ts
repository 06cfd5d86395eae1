import { Selector as S } from './records.ts';

type Variations = readonly (readonly [selector: number, variation: number])[];

const [LOWER, UPPER, BOTH, SUM] = [0x10, 0x20, 0x30, 0x40];
const [TOP, BOTTOM] = [0x04, 0x08];
const LOOP = 0x04;

const fence = (selector: number): Variations => [
  [selector, 3],
  [selector, 1],
  [selector, 2],
];
const arrow = (direction: number): Variations => [
  [S.arrow, direction | TOP],
  [S.arrow, direction | BOTTOM],
];
const big = (selector: number): Variations => [
  [selector, SUM | LOWER],
  [selector, SUM | BOTH],
  [selector, SUM],
];
const bigAtSide = (selector: number): Variations => [
  [selector, LOWER],
  [selector, BOTH],
];
const multiple = (signs: number): Variations => [
  [S.integral, signs],
  [S.integral, signs | LOWER],
  [S.integral, signs | LOOP],
  [S.integral, signs | LOOP | LOWER],
];
const multipleWithSum = (signs: number): Variations => [
  [S.integral, signs | LOOP | SUM | LOWER],
  [S.integral, signs | SUM | LOWER],
];
const operator = (selector: number, style: number): Variations => [
  [selector, style | UPPER],
  [selector, style | LOWER],
  [selector, style | BOTH],
];
const scripts = (precedes: number): Variations => [
  [S.sup, precedes],
  [S.sub, precedes],
  [S.subsup, precedes],
];
const vector = (place: number): Variations => [
  [S.vector, place | 1],
  [S.vector, place | 2],
  [S.vector, place | 3],
];
const alone = (selector: number, variation: number): Variations => [[selector, variation]];
const bars = (selector: number): Variations => [
  [selector, 0],
  [selector, 1],
];

/** Templates of version 3 by their selector: selector and variation of version 5 for each of their variations. */
const TEMPLATES: readonly Variations[] = [
  fence(S.angle),
  fence(S.paren),
  fence(S.brace),
  fence(S.bracket),
  fence(S.bar),
  fence(S.doubleBar),
  alone(S.floor, 3),
  alone(S.ceiling, 3),
  alone(S.interval, 0x22),
  alone(S.interval, 0x33),
  alone(S.interval, 0x23),
  alone(S.interval, 0x12),
  alone(S.interval, 0x30),
  bars(S.root),
  bars(S.fraction),
  scripts(0),
  bars(S.underbar),
  bars(S.overbar),
  arrow(0x10),
  arrow(0x20),
  arrow(0x30),
  [
    [S.integral, 1],
    [S.integral, 1 | LOWER],
    [S.integral, 1 | BOTH],
    [S.integral, 1 | LOOP],
    [S.integral, 1 | LOOP | LOWER],
  ],
  multiple(2),
  multiple(3),
  [
    [S.integral, 1 | SUM | BOTH],
    [S.integral, 1 | SUM | LOWER],
    [S.integral, 1 | LOOP | SUM | LOWER],
  ],
  multipleWithSum(2),
  multipleWithSum(3),
  alone(S.horizontalBrace, 1),
  alone(S.horizontalBrace, 0),
  big(S.sum),
  bigAtSide(S.sum),
  big(S.product),
  bigAtSide(S.product),
  big(S.coproduct),
  bigAtSide(S.coproduct),
  big(S.union),
  bigAtSide(S.union),
  big(S.intersection),
  bigAtSide(S.intersection),
  operator(S.limit, 0),
  [
    [S.longDivision, 1],
    [S.longDivision, 0],
  ],
  [
    [S.fraction, 2],
    [S.fraction, 6],
    [S.fraction, 3],
  ],
  operator(S.integralOperator, 0),
  operator(S.sumOperator, SUM),
  scripts(1),
  fence(S.dirac),
  vector(4),
  vector(0),
  alone(S.arc, 0),
];

/** Returns the selector and variation of version 5 for those of version 3; undefined when they are unknown. */
export function templateOf3(selector: number, variation: number): readonly [selector: number, variation: number] | undefined {
  const variations = TEMPLATES[selector];
  // Templates without variations may carry any number.
  return variations?.length === 1 ? variations[0] : variations?.[variation];
}
