import { dayMs } from '../../../shared/dates.ts';
import type { EnrolmentRow } from '../access/enrolment.repository.ts';

/** Days opened by a payment or a grant (specification §9). */
export const enrolmentDays = 30;

/**
 * Returns the new end when days are added at `now`: counted from the present end if it lies ahead, otherwise from now (design §4). A
 * cancelled enrolment counts from now; for any other only the end matters, not the stored status.
 */
export function endAfterExtension(
  enrolment: Pick<EnrolmentRow, 'statut' | 'dateExpiration'> | null,
  now: Date,
  days: number = enrolmentDays,
): Date {
  const renewed = enrolment !== null && enrolment.statut !== 'cancelled' && enrolment.dateExpiration > now;
  return new Date((renewed ? enrolment.dateExpiration : now).getTime() + days * dayMs);
}
