import { dayMs } from '../../../shared/dates.ts';
import type { EnrolmentRow } from '../access/enrolment.repository.ts';

/** A payment or a grant opens this many days (specification §9). */
export const enrolmentDays = 30;

/** Until when days added at `now` open a prepa: from its end on while it lasts, by its end alone, and from now on after it (design §4). */
export function endAfterExtension(
  enrolment: Pick<EnrolmentRow, 'statut' | 'dateExpiration'> | null,
  now: Date,
  days: number = enrolmentDays,
): Date {
  const renewed = enrolment !== null && enrolment.statut !== 'cancelled' && enrolment.dateExpiration > now;
  return new Date((renewed ? enrolment.dateExpiration : now).getTime() + days * dayMs);
}
