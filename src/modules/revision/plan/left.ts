import { sayCounts } from '../../../shared/revision/week.ts';
import type { Plan } from './plan.repository.ts';

/** Returns what is left of an open session: `3 questions et 1 exercice`, or `le bilan`. */
export const leftOf = ({ asked, answered, exercise }: NonNullable<Plan['today']>): string =>
  sayCounts(asked - answered - (exercise ? 1 : 0), exercise === 'open') || 'le bilan';
