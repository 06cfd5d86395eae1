import { daysLeft, formatDate } from '../../../shared/dates.ts';
import type { EnrolmentRow } from './enrolment.repository.ts';

/** The fields that decide whether an enrolment is active. */
type Access = Pick<EnrolmentRow, 'statut' | 'dateExpiration'>;

/** Returns whether an enrolment is active at `now`. The stored status alone may be outdated. */
export const isActive = (enrolment: Access, now: Date): boolean => enrolment.statut === 'active' && enrolment.dateExpiration > now;

/** Returns an enrolment as the API returns it. A past end reads `expired` even before the nightly run. */
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

/** Returns an enrolment for the dashboard. */
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

/** Returns the reason for which a learner is shown the trial. */
export function refusalReason(enrolment: Access | null, now: Date): string {
  if (!enrolment) return "Vous n'êtes pas encore inscrit à cette préparation : en voici la version d'essai.";
  if (enrolment.statut === 'cancelled') return "Votre inscription à cette préparation a été annulée : en voici la version d'essai.";
  if (enrolment.dateExpiration <= now) {
    return `Votre accès a pris fin le ${formatDate(enrolment.dateExpiration)} : renouvelez votre inscription pour retrouver tout le contenu.`;
  }
  return 'Votre accès à cette préparation est terminé : renouvelez votre inscription pour retrouver tout le contenu.';
}

/** Shown when a payment is confirmed, but the days that it opened are over. */
export const accessEnded = 'Votre accès à cette préparation est terminé : renouvelez votre inscription pour la retrouver.';
