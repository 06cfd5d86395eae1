import { readJsonRows } from '../../../platform/database/rows.ts';
import type { DomainEvents } from '../../../platform/use-cases/events.ts';
// Imported for its event declarations.
import type {} from '../../identity/index.ts';

/** Exports and erases which letters a learner gets. */
export function subscribe(events: DomainEvents): void {
  events.on('learner.erasing', async (tx, { userId }) => {
    await tx.execute('delete from letter_choice where user_id = ?', [userId]);
  });
  events.on('learner.exporting', async (tx, { userId, add }) => {
    add('letter_choice', await readJsonRows(tx, 'select id, weekly, ends, sent_on from letter_choice where user_id = ?', [userId]));
  });
}
