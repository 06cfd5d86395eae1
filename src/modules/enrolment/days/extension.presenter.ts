import { formatDate } from '../../../shared/dates.ts';
import { isActive } from '../access/enrolment.presenter.ts';
import type { EnrolmentRow } from '../access/enrolment.repository.ts';
import { endAfterExtension, enrolmentDays } from './end-after-extension.ts';

/** What one more payment changes for a learner who has access at `now`. */
export interface Extension {
  /** The present end, '27 décembre 2026'. */
  acces: string;
  /** The end after the payment. */
  fin: string;
}

/** Returns null where nothing is open at `now`: there a payment opens the access. */
export const presentExtension = (enrolment: Pick<EnrolmentRow, 'statut' | 'dateExpiration'> | null, now: Date): Extension | null =>
  enrolment && isActive(enrolment, now)
    ? { acces: formatDate(enrolment.dateExpiration), fin: formatDate(endAfterExtension(enrolment, now)) }
    : null;

/** Says of a payment without an outcome what it will do for a learner who has access already. */
export const willAddDays = ({ acces, fin }: Extension): string =>
  `Vous avez déjà accès à cette préparation jusqu'au ${acces} ; confirmé, ce paiement ajoute ${enrolmentDays} jours, jusqu'au ${fin}.`;
