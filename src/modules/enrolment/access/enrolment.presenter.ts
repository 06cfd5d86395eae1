import { daysLeft, formatDate } from '../../../shared/dates.ts';
import type { EnrolmentRow } from './enrolment.repository.ts';

/** What says how long an enrolment opens its prepa. */
type Access = Pick<EnrolmentRow, 'statut' | 'dateExpiration'>;

/** Whether an enrolment opens its prepa at `now`, whatever its stored status says. */
export const isActive = (enrolment: Access, now: Date): boolean => enrolment.statut === 'active' && enrolment.dateExpiration > now;

/** An enrolment as the API answers it; an end that has passed reads `expired` even before the nightly run. */
export function presentEnrolment(enrolment: EnrolmentRow, now: Date) {
  return {
    id: enrolment.id,
    prepa_id: enrolment.prepaId,
    prepa_nom: enrolment.prepaNom,
    statut: enrolment.statut === 'active' && !isActive(enrolment, now) ? 'expired' : enrolment.statut,
    date_inscription: enrolment.dateInscription.toISOString(),
    date_expiration: enrolment.dateExpiration.toISOString(),
  };
}

const labels = { active: 'Active', expired: 'Expirée', cancelled: 'Annulée' } as const;

/** An enrolment as the dashboard shows it. */
export function presentEnrolmentCard(enrolment: EnrolmentRow, now: Date) {
  const active = isActive(enrolment, now);
  const statut = enrolment.statut === 'active' && !active ? 'expired' : enrolment.statut;
  return {
    prepaId: enrolment.prepaId,
    nom: enrolment.prepaNom,
    debut: formatDate(enrolment.dateInscription),
    fin: formatDate(enrolment.dateExpiration),
    joursRestants: active ? daysLeft(enrolment.dateExpiration, now) : 0,
    active,
    statutLabel: labels[statut],
  };
}

/** Why a learner is shown the trial instead of the whole prepa. */
export function refusalReason(enrolment: Access | null, now: Date): string {
  if (!enrolment) return "Vous n'êtes pas encore inscrit à cette préparation : en voici la version d'essai.";
  if (enrolment.statut === 'cancelled') return "Votre inscription à cette préparation a été annulée : en voici la version d'essai.";
  if (enrolment.dateExpiration <= now) {
    return `Votre accès a pris fin le ${formatDate(enrolment.dateExpiration)} : renouvelez votre inscription pour retrouver tout le contenu.`;
  }
  return 'Votre accès à cette préparation est terminé : renouvelez votre inscription pour retrouver tout le contenu.';
}

/** A payment has been confirmed, but the days that it opened are over. */
export const accessEnded = 'Votre accès à cette préparation est terminé : renouvelez votre inscription pour la retrouver.';
