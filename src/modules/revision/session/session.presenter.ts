import { sessionHref } from '../../../shared/revision/session-page.ts';
import { presentWeek } from '../../../shared/revision/week.ts';
import { leftOf } from '../plan/left.ts';
import type { Plan } from '../plan/plan.repository.ts';

/**
 * Returns the card 'Séance du jour' of the dashboard: of the prepa shown there, else of the first other one with questions. Null when no open
 * prepa has a question.
 */
export function presentToday(plans: readonly Plan[], shown: number | null, now: Date) {
  const open = plans.filter(({ access, hasQuestions }) => access && hasQuestions);
  const plan = open.find(({ prepaId }) => prepaId === shown) ?? open[0];
  if (!plan) return null;
  const { prepaId, minutes, today, week } = plan;
  return {
    prepaId,
    minutes,
    /** The open session. */
    resume: today && !today.isFinished ? { href: sessionHref(today.id), left: leftOf(today) } : null,
    /** The finished session. */
    done: today?.isFinished ? sessionHref(today.id) : null,
    week: presentWeek(week, now),
  };
}
