import { readJsonRows } from '../../../platform/database/rows.ts';
import type { DomainEvents } from '../../../platform/use-cases/events.ts';
import { shownTitle } from '../../content/index.ts';
import { lockExamsOf, rankRemaining } from '../exams/marking/erased-candidate.repository.ts';

/** By table: the statement of a learner's rows about mock exams for an export. Hashes of networks are left out, like other hashes. */
const examRows = {
  exam_sitting: `select x.titre, s.started_at, s.ends_at, s.handed_in_at, s.ending, s.receipt, s.late, s.late_until, s.pseudonym
    from exam_sitting s join exam x on x.id = s.exam_id where s.user_id = ? order by s.started_at, s.exam_id`,
  exam_batch: `select x.titre, b.device, b.number, b.sent_at, b.received_at, b.answers
    from exam_batch b join exam x on x.id = b.exam_id where b.user_id = ? order by b.exam_id, b.received_at, b.device, b.number`,
  exam_result: `select x.titre, r.answers, r.points, r.rights, r.wrongs, r.blanks, r.rank, r.by_paper
    from exam_result r join exam x on x.id = r.exam_id where r.user_id = ? order by r.exam_id`,
  exam_self_mark: `select p.titre, m.points, m.marked_at
    from exam_self_mark m join exam_paper p on p.id = m.paper_id where m.user_id = ? order by m.marked_at, m.paper_id`,
};

/** Exports and erases a learner's answers and what is derived from them. */
export function subscribe(events: DomainEvents): void {
  events.on('learner.erasing', async (tx, { userId, at }) => {
    const exams = await lockExamsOf(tx, userId);
    await tx.execute('delete from answer where user_id = ?', [userId]);
    await tx.execute('delete from question_state where user_id = ?', [userId]);
    await tx.execute('delete from series_attempt where user_id = ?', [userId]);
    for (const table of Object.keys(examRows)) await tx.execute(`delete from ${table} where user_id = ?`, [userId]);
    await rankRemaining(tx, exams, at);
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
    for (const [table, statement] of Object.entries(examRows)) add(table, await readJsonRows(tx, statement, [userId]));
  });
}
