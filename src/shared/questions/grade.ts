import { foldText } from '../search-text.ts';
import { isNear, readNumber, readTolerance } from './number.ts';
import type { QuestionKey } from './question-keys.ts';

/** What a learner answered. `skipped`: 'Je ne sais pas', which is wrong without guessing. */
export type Given = { choices: string[] } | { typed: string } | { skipped: true };

type Judged = Pick<QuestionKey, 'kind' | 'right' | 'value' | 'tolerance' | 'unit' | 'accepted'>;

/** Returns whether an answer is right. Browser and server run the same. */
export function isRight(key: Judged, given: Given): boolean {
  if ('skipped' in given) return false;
  if (key.kind === 'one' || key.kind === 'several') return 'choices' in given && sameSet(given.choices, key.right);
  if (!('typed' in given)) return false;
  return key.kind === 'number'
    ? isRightNumber(key, given.typed)
    : key.accepted.some((answer) => foldText(answer) === foldText(given.typed));
}

function isRightNumber({ value, tolerance, unit }: Judged, typed: string): boolean {
  const expected = readNumber(value);
  const allowed = readTolerance(tolerance);
  const number = readNumber(withoutUnit(typed, unit));
  return expected !== null && allowed !== null && number !== null && isNear(number, expected, allowed);
}

/** Returns what was typed without the question's unit, which may be typed or not, in any case and with a full stop. */
export function withoutUnit(typed: string, unit: string): string {
  const text = typed.trim().replace(/\.$/, '');
  return unit !== '' && text.toLowerCase().endsWith(unit.toLowerCase()) ? text.slice(0, -unit.length) : text;
}

const sameSet = (some: readonly string[], others: readonly string[]): boolean =>
  others.length > 0 && new Set(some).size === new Set(others).size && others.every((id) => some.includes(id));
