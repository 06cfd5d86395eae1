import { readJsonRows } from '../../../platform/database/rows.ts';
import type { DomainEvents } from '../../../platform/use-cases/events.ts';
import { shownTitle } from '../../content/index.ts';

/** Exports and erases a learner's practices and their marks. */
export function subscribe(events: DomainEvents): void {
  events.on('learner.erasing', async (tx, { userId }) => {
    await tx.execute('delete from practice_mark where user_id = ?', [userId]);
    await tx.execute('delete from practice where user_id = ?', [userId]);
  });
  events.on('learner.exporting', async (tx, { userId, add }) => {
    add(
      'practice',
      await readJsonRows(
        tx,
        `select t.item_id, t.verdict, t.marked_at, t.times, ${shownTitle('i')} as titre from practice t left join item i on i.id = t.item_id
         where t.user_id = ? order by t.item_id`,
        [userId],
      ),
    );
    add(
      'practice_mark',
      await readJsonRows(
        tx,
        `select m.item_id, ${shownTitle('i')} as titre, m.verdict, m.points, m.possible, m.seconds, m.marked_at from practice_mark m left join item i on i.id = m.item_id
         where m.user_id = ? order by m.marked_at, m.cle`,
        [userId],
      ),
    );
  });
}
