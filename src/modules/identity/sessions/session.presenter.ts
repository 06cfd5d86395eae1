import { daysBetween, formatDate, formatInstant } from '../../../shared/dates.ts';
import type { SessionRow } from './session.repository.ts';

/** A session as its learner knows it, and as an administrator sees it. */
export const presentSession = ({ id, device, createdAt, usedAt, current }: SessionRow, now: Date) => ({
  id,
  device: device ?? 'Appareil inconnu',
  opened: formatInstant(createdAt),
  used: current ? 'maintenant' : sayDay(usedAt, now),
  current,
});

/** The last use is known to a day. */
function sayDay(at: Date, now: Date): string {
  const days = daysBetween(at, now);
  if (days <= 0) return "aujourd'hui";
  return days === 1 ? 'hier' : `le ${formatDate(at)}`;
}
