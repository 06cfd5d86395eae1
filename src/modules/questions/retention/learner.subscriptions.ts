import { readJsonRows } from '../../../platform/database/rows.ts';
import type { DomainEvents } from '../../../platform/use-cases/events.ts';
import { shownTitle } from '../../content/index.ts';

/** Exports and erases a learner's answers and what is derived from them. */
export function subscribe(events: DomainEvents): void {
  events.on('learner.erasing', async (tx, { userId }) => {
    await tx.execute('delete from answer where user_id = ?', [userId]);
    await tx.execute('delete from question_state where user_id = ?', [userId]);
    await tx.execute('delete from series_attempt where user_id = ?', [userId]);
  });
  events.on('learner.exporting', async (tx, { userId, add }) => {
    add(
      'answer',
      await readJsonRows(
        tx,
        `select a.question_id, ${shownTitle('i')} as titre, a.context, a.given, a.is_right, a.points, a.item_version, a.answered_at, a.seconds
         from answer a join question q on q.id = a.question_id join item i on i.id = q.item_id where a.user_id = ? order by a.answered_at, a.cle`,
        [userId],
      ),
    );
    add(
      'series_attempt',
      await readJsonRows(
        tx,
        `select ${shownTitle('i')} as titre, t.mode, t.started_at, t.ends_at, t.finished_at, t.given from series_attempt t join item i on i.id = t.item_id
         where t.user_id = ? order by t.started_at, t.id`,
        [userId],
      ),
    );
    add(
      'question_state',
      await readJsonRows(
        tx,
        `select question_id, key_version, first_given, first_right, last_right, last_at, wrong_at, right_days from question_state
         where user_id = ? order by question_id, key_version`,
        [userId],
      ),
    );
  });
}
