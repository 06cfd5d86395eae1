import type { DomainEvents } from '../../platform/events.ts';
import { formatDate } from '../../shared/dates.ts';
// The enrolment module's events come with its front door.
import type {} from '../enrolment/index.ts';
import { Notification } from './notification.entity.ts';

/** What learners are told, written in the transaction of what it tells about. */
export function subscribe(events: DomainEvents): void {
  events.on('enrolment.extended', async (em, enrolment) => {
    const nom = `<strong>${escapeHtml(enrolment.prepaNom)}</strong>`;
    const end = formatDate(enrolment.dateExpiration);
    const message = enrolment.renewed
      ? `Votre inscription à ${nom} est renouvelée : vous y avez accès jusqu'au ${end}.`
      : `Votre inscription à ${nom} est confirmée : vous y avez accès jusqu'au ${end}.`;
    await em.insert(Notification, { user: enrolment.userId, message, lu: false, dateCreation: enrolment.at });
  });
}

function escapeHtml(text: string): string {
  return text.replaceAll('&', '&amp;').replaceAll('<', '&lt;').replaceAll('>', '&gt;').replaceAll('"', '&quot;');
}
