import { formatDate } from '../../../shared/dates.ts';
import { isActive } from '../access/enrolment.presenter.ts';
import type { EnrolmentRow } from '../access/enrolment.repository.ts';
import { endAfterExtension, enrolmentDays } from './end-after-extension.ts';

/** The change that a further payment makes for a learner with access at `now`. */
export interface Extension {
  /** The present end, '27 décembre 2026'. */
  acces: string;
  /** The end after the payment. */
  fin: string;
}

/** Returns null when there is no access at `now`: a payment then opens it. */
export const presentExtension = (enrolment: Pick<EnrolmentRow, 'statut' | 'dateExpiration'> | null, now: Date): Extension | null =>
  enrolment && isActive(enrolment, now)
    ? { acces: formatDate(enrolment.dateExpiration), fin: formatDate(endAfterExtension(enrolment, now)) }
    : null;

/** Returns the French effect of a payment without outcome for a learner who already has access. */
export const willAddDays = ({ acces, fin }: Extension): string =>
  `Vous avez déjà accès à cette préparation jusqu'au ${acces} ; confirmé, ce paiement ajoute ${enrolmentDays} jours, jusqu'au ${fin}.`;
