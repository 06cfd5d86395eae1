import type { DomainEvents } from '../../../platform/use-cases/events.ts';
// Imported for its event declarations.
import type {} from '../../catalogue/index.ts';
import { findOpenOf } from './payment.repository.ts';

/** Reports open payments when their prepa is about to be deleted: they would have to be refunded. */
export function subscribe(events: DomainEvents): void {
  events.on('prepa.losses', async (em, { prepaId, tell }) => {
    const { count, ids } = await findOpenOf(em, prepaId);
    if (count === 0) return;
    const text =
      count === 1
        ? "Un paiement est en cours pour cette préparation. S'il aboutit, la somme sera à rendre."
        : `${count} paiements sont en cours pour cette préparation. S'ils aboutissent, les sommes seront à rendre.`;
    tell({ kind: 'payments', text, key: ids });
  });
}
