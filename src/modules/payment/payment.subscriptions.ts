import type { DomainEvents } from '../../platform/events.ts';
// The catalogue's events come with its front door.
import { confirmationRequired } from '../catalogue/index.ts';
import { Payment } from './payment.entity.ts';

/** A prepa with payments under way is deleted only when its name was typed: their money would have to be given back. */
export function subscribe(events: DomainEvents): void {
  events.on('prepa.deleting', async (em, { prepaId, nom, confirmation }) => {
    if (confirmation === nom) return;
    const open = await em.count(Payment, { prepa: prepaId, status: ['created', 'pending'] });
    if (open === 0) return;
    const which = open === 1 ? 'Un paiement est en cours' : `${open} paiements sont en cours`;
    throw confirmationRequired(`${which} pour cette préparation. Pour la supprimer malgré tout, saisissez son nom.`, nom);
  });
}
