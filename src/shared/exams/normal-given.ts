import type { Given } from '../questions/grade.ts';
import { storable } from '../questions/read-given.ts';

/**
 * Returns an answer as the server stores it: choices once each and sorted, a text trimmed and without what PostgreSQL cannot store. Null for
 * an empty one, which is no answer.
 */
export function normalGiven(given: { choices: string[] } | { typed: string } | null): Exclude<Given, { skipped: true }> | null {
  if (given === null) return null;
  if ('choices' in given) return given.choices.length === 0 ? null : { choices: [...new Set(given.choices)].sort() };
  const typed = storable(given.typed).trim();
  return typed === '' ? null : { typed };
}
