import { daysBetween, formatDate, formatInstant } from '../../../shared/dates.ts';
import type { SessionRow } from './session.repository.ts';

/** Returns a session for the learner's and the administrators' lists. */
export const presentSession = ({ id, device, createdAt, usedAt, current }: SessionRow, now: Date) => ({
  id,
  device: device ?? 'Appareil inconnu',
  opened: formatInstant(createdAt),
  used: current ? 'maintenant' : sayDay(usedAt, now),
  current,
});

/** Returns the day of the last use in French; uses are recorded by day. */
function sayDay(at: Date, now: Date): string {
  const days = daysBetween(at, now);
  if (days <= 0) return "aujourd'hui";
  return days === 1 ? 'hier' : `le ${formatDate(at)}`;
}
