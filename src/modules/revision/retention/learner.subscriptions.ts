import { readJsonRows } from '../../../platform/database/rows.ts';
import type { DomainEvents } from '../../../platform/use-cases/events.ts';

/** Exports and erases a learner's dates of concours, daily time and results. */
export function subscribe(events: DomainEvents): void {
  events.on('learner.erasing', async (tx, { userId }) => {
    await tx.execute('delete from study_plan where user_id = ?', [userId]);
    await tx.execute('delete from daily_session where user_id = ?', [userId]);
    await tx.execute('delete from study_day where user_id = ?', [userId]);
    await tx.execute('delete from concours_outcome where user_id = ?', [userId]);
  });
  events.on('learner.exporting', async (tx, { userId, add }) => {
    add(
      'study_plan',
      await readJsonRows(
        tx,
        'select p.nom as prepa, s.choice, s.day, s.minutes from study_plan s join prepa p on p.id = s.prepa_id where s.user_id = ? order by s.prepa_id',
        [userId],
      ),
    );
    add(
      'daily_session',
      await readJsonRows(
        tx,
        `select p.nom as prepa, s.day, s.part, s.asked, s.started_at, s.finished_at from daily_session s join prepa p on p.id = s.prepa_id
         where s.user_id = ? order by s.started_at, s.id`,
        [userId],
      ),
    );
    add('study_day', await readJsonRows(tx, 'select day, answers, seconds from study_day where user_id = ? order by day', [userId]));
    add(
      'concours_outcome',
      await readJsonRows(
        tx,
        `select p.nom as prepa, o.day, o.outcome, o.answered_at from concours_outcome o join prepa p on p.id = o.prepa_id
         where o.user_id = ? order by o.day, o.prepa_id`,
        [userId],
      ),
    );
  });
}
