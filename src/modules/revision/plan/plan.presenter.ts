import { dayIn } from '../../../shared/dates.ts';
import { countdown, daysUntil, formatConcoursDay, outcomeNames, outcomes } from '../../../shared/revision/countdown.ts';
import type { Plan } from './plan.repository.ts';

/** Days after a concours during which the learner is asked how it went. */
const askedForDays = 60;

export const planHref = (prepaId: number): string => `/user/concours/${prepaId}`;

/** Returns the line about a concours at the top of the dashboard. */
export function presentConcours({ prepaId, prepaNom, day, outcome }: Plan, now: Date) {
  const isPast = day !== null && daysUntil(day, now) < 0;
  return {
    href: planHref(prepaId),
    nom: prepaNom,
    /** `J-23`; null without a coming date. */
    countdown: day === null ? null : countdown(day, now),
    date: day === null ? null : formatConcoursDay(day),
    past:
      isPast && daysUntil(day, now) >= -askedForDays
        ? { day, outcome: outcome && outcomeNames[outcome], answers: outcomes.map((word) => ({ word, name: outcomeNames[word] })) }
        : null,
  };
}

/** Returns the plan of the prepa that the dashboard shows, or of the one whose access ends last; null without any. */
export const planShown = (plans: readonly Plan[], prepaId: number | null): Plan | null =>
  plans.find((plan) => plan.prepaId === prepaId) ?? plans[0] ?? null;

/** Returns the smallest and largest day that a form accepts. */
export function dayLimits(now: Date): { min: string; max: string } {
  const today = dayIn(now);
  return { min: today, max: `${Number(today.slice(0, 4)) + 2}${today.slice(4)}` };
}

/** Returns the question for the date, after a payment. */
export const presentPlanQuestion = (prepaId: number, now: Date) => ({ href: planHref(prepaId), limits: dayLimits(now) });
