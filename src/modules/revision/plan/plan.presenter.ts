import { dayIn } from '../../../shared/dates.ts';
import { countdown, daysUntil, formatConcoursDay, outcomeNames, outcomes } from '../../../shared/revision/countdown.ts';
import type { Plan } from './plan.repository.ts';

/** Days after a concours during which the learner is asked how it went. */
const askedForDays = 60;

export const planHref = (prepaId: number): string => `/user/concours/${prepaId}`;

/**
 * Returns the parts about concours at the top of the dashboard: each day that has passed without an answer, then the nearest date to come.
 * Without such a date, the last part is that of the prepa shown there, else of the one whose access ends last. Empty without any prepa.
 */
export function presentConcours(plans: readonly Plan[], shown: number | null, now: Date) {
  const left = ({ day }: Plan): number | null => (day === null ? null : daysUntil(day, now));
  const isAsked = (plan: Plan): boolean => {
    const days = left(plan);
    return days !== null && days < 0 && days >= -askedForDays && plan.outcome === null;
  };
  const asked = plans.filter(isAsked);
  const inTurn = [...plans].sort((one, other) => Number(other.prepaId === shown) - Number(one.prepaId === shown));
  const [nearest] = inTurn
    .filter(({ day }) => day !== null && daysUntil(day, now) >= 0)
    .sort((one, other) => (left(one) ?? 0) - (left(other) ?? 0));
  const last = nearest ?? inTurn[0];
  return [...asked, ...(last && !asked.includes(last) ? [last] : [])].map((plan) => presentPlan(plan, plans.length > 1, now));
}

function presentPlan({ prepaId, prepaNom, day, outcome }: Plan, several: boolean, now: Date) {
  const left = day === null ? null : daysUntil(day, now);
  return {
    prepaId,
    href: planHref(prepaId),
    nom: prepaNom,
    /** Whether the learner prepares several concours, so that the name is needed. */
    several,
    /** `J-23`; null without a coming date. */
    countdown: day === null ? null : countdown(day, now),
    date: day === null ? null : formatConcoursDay(day),
    past:
      left !== null && left < 0 && left >= -askedForDays
        ? { day, outcome: outcome && outcomeNames[outcome], answers: outcomes.map((word) => ({ word, name: outcomeNames[word] })) }
        : null,
  };
}

/** Returns the smallest and largest day of a form's field. @param stored the day that is stored already, which may stay when it has passed */
export function dayLimits(now: Date, stored: string | null = null): { min: string; max: string } {
  const today = dayIn(now);
  return { min: stored !== null && stored < today ? stored : today, max: `${Number(today.slice(0, 4)) + 2}${today.slice(4)}` };
}

/** Returns the question for the date, after a payment. */
export const presentPlanQuestion = (prepaId: number, now: Date) => ({ href: planHref(prepaId), limits: dayLimits(now) });
