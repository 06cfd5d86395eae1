import { dayIn } from '../../../shared/dates.ts';
import { countdown, daysUntil, formatConcoursDay, outcomeNames, outcomes } from '../../../shared/revision/countdown.ts';
import type { Plan } from './plan.repository.ts';

/** Days after a concours during which the learner is asked how it went. */
const askedForDays = 60;

export const planHref = (prepaId: number): string => `/user/concours/${prepaId}`;

/**
 * Returns the line about a concours at the top of the dashboard: that of the prepa shown there, else of the one whose access ends last. Null
 * without any.
 */
export function presentConcours(plans: readonly Plan[], shown: number | null, now: Date) {
  const plan = plans.find((one) => one.prepaId === shown) ?? plans[0];
  if (!plan) return null;
  const { prepaId, prepaNom, day, outcome } = plan;
  const isPast = day !== null && daysUntil(day, now) < 0;
  return {
    href: planHref(prepaId),
    nom: prepaNom,
    /** Whether the learner prepares several concours, so that the name is needed. */
    several: plans.length > 1,
    /** `J-23`; null without a coming date. */
    countdown: day === null ? null : countdown(day, now),
    date: day === null ? null : formatConcoursDay(day),
    past:
      isPast && daysUntil(day, now) >= -askedForDays
        ? { day, outcome: outcome && outcomeNames[outcome], answers: outcomes.map((word) => ({ word, name: outcomeNames[word] })) }
        : null,
  };
}

/** Returns the smallest and largest day that a form accepts. */
export function dayLimits(now: Date): { min: string; max: string } {
  const today = dayIn(now);
  return { min: today, max: `${Number(today.slice(0, 4)) + 2}${today.slice(4)}` };
}

/** Returns the question for the date, after a payment. */
export const presentPlanQuestion = (prepaId: number, now: Date) => ({ href: planHref(prepaId), limits: dayLimits(now) });
