import { dayIn, daysBetween } from '../dates.ts';
import { type ExamState, type ExamTimes, examState } from './exam-state.ts';

const timeZone = 'Africa/Douala';
const day = new Intl.DateTimeFormat('fr-FR', { weekday: 'long', day: 'numeric', month: 'long', timeZone });
const clock = new Intl.DateTimeFormat('fr-FR', { hour: 'numeric', minute: '2-digit', timeZone });

/** Returns `8 h` or `8 h 30` with no-break spaces, in Africa/Douala. */
export function formatHour(at: Date): string {
  const [hour = '', minute = ''] = clock.format(at).split(':');
  return `${Number(hour)}\u00a0h${minute === '00' ? '' : `\u00a0${minute}`}`;
}

const formatDay = (at: Date): string => day.format(at).replace(/ 1 /, ' 1er ');

/** Returns `samedi 5 décembre à 8 h`, in Africa/Douala. */
export const formatOpening = (at: Date): string => `${formatDay(at)} à ${formatHour(at)}`;

/** Returns `Samedi 5 décembre, de 8 h à 12 h 30`, or from one day to another. */
export const formatWindow = ({ opensAt, closesAt }: Pick<ExamTimes, 'opensAt' | 'closesAt'>): string =>
  dayIn(opensAt) === dayIn(closesAt)
    ? `${capital(formatDay(opensAt))}, de ${formatHour(opensAt)} à ${formatHour(closesAt)}`
    : `Du ${formatOpening(opensAt)} au ${formatOpening(closesAt)}`;

const capital = (text: string): string => text.charAt(0).toUpperCase() + text.slice(1);

/** Returns `Concours blanc « ENAM »`; a title that says so itself as it is. */
export const examName = (titre: string): string => (/^concours blanc/i.test(titre) ? titre : `Concours blanc « ${titre} »`);

const hourMs = 3_600_000;

/**
 * Returns when an exam begins, as people say it: `Commence dans 3 jours`, `Commence demain`, `Commence dans 2 h`, `Commence dans 12 min`,
 * rounded up; while it is open, `Ouvert jusqu'à 12 h`.
 */
export function startsIn({ opensAt, closesAt }: Pick<ExamTimes, 'opensAt' | 'closesAt'>, now: Date): string {
  if (now >= opensAt)
    return `Ouvert jusqu'${dayIn(closesAt) === dayIn(now) ? `à ${formatHour(closesAt)}` : `au ${formatOpening(closesAt)}`}`;
  const left = opensAt.getTime() - now.getTime();
  if (left < hourMs) return `Commence dans ${Math.ceil(left / 60_000)}\u00a0min`;
  const days = daysBetween(now, opensAt);
  if (days > 1) return `Commence dans ${days} jours`;
  return days === 1 ? 'Commence demain' : `Commence dans ${Math.floor(left / hourMs)}\u00a0h`;
}

/** Returns the state in words for a candidate. @param hasSat whether the candidate has begun */
export function stateForCandidate(times: ExamTimes, hasSat: boolean, now: Date): { state: ExamState; label: string } {
  const state = examState(times, now);
  const waiting = hasSat ? 'Résultats à venir' : 'Terminé';
  const labels: Record<ExamState, string> = {
    draft: 'En préparation',
    announced: 'Annoncé',
    open: 'Ouvert',
    closed: waiting,
    marked: waiting,
    published: 'Résultats publiés',
  };
  return { state, label: labels[state] };
}
