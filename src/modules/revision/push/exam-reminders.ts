import type { EntityManager } from '@mikro-orm/postgresql';
import { readRows } from '../../../platform/database/rows.ts';
import type { UseCaseContext } from '../../../platform/use-cases/events.ts';
import { transact } from '../../../platform/use-cases/transaction.ts';
import { startOfDay } from '../../../shared/dates.ts';
import { examName, formatHour } from '../../../shared/exams/announcement.ts';
import { examHref, maySit } from '../../questions/index.ts';
import type { ReminderKind } from './exam-reminder.entity.ts';
import type { PushPayload } from './push-message.entity.ts';

const hourMs = 3_600_000;
const topicOf = (examId: number, kind: ReminderKind): string => `concours-${examId}-${kind}`;

interface DueReminder {
  examId: number;
  kind: ReminderKind;
  titre: string;
  /** Text of a timestamp. */
  opensAt: string;
}

/**
 * Queues the reminders of mock exams for the browsers in which candidates asked to be reminded: on the day before the opening for their hour,
 * and one hour before the opening. Each is queued once per exam, however often and by how many runs at once it is called.
 * @returns the number of messages queued
 */
export async function queueExamReminders(em: EntityManager, context: UseCaseContext): Promise<number> {
  const now = context.clock.now();
  return transact(em, context, async (tx) => {
    // A second run at once waits for the keys, and then finds them.
    const due = await readRows<DueReminder>(
      tx,
      `with due as (
         select id, 'eve' as kind, opens_at from exam where announced_at is not null and opens_at >= ? and opens_at < ?
         union all select id, 'hour', opens_at from exam where announced_at is not null and opens_at > ? and opens_at <= ?),
       marked as (insert into exam_reminder (exam_id, kind, opens_at) select id, kind, opens_at from due order by id, kind
                  on conflict do nothing returning exam_id, kind)
       select m.exam_id, m.kind, x.titre, x.opens_at from marked m join exam x on x.id = m.exam_id`,
      [startOfDay(now, 1), startOfDay(now, 2), now, new Date(now.getTime() + hourMs)],
    );
    if (due.length === 0) return 0;
    const reminders = due.map((reminder) => ({
      exam_id: reminder.examId,
      topic: topicOf(reminder.examId, reminder.kind),
      payload: payloadOf(reminder),
      // Without an hour of the learner's: at once.
      from: reminder.kind === 'eve' ? startOfDay(now) : null,
    }));
    const queued = await readRows<{ id: number }>(
      tx,
      `insert into push_message (subscription_id, service, topic, payload, due_at, expires_at)
       select s.id, s.service, r.topic, r.payload, greatest(r."from" + s.hour * interval '1 hour', ?::timestamptz), x.opens_at
       from jsonb_to_recordset(?::jsonb) as r(exam_id int, topic text, payload jsonb, "from" timestamptz)
            join exam x on x.id = r.exam_id join push_subscription s on ${maySit('s.user_id', 'x.opens_at')}
            join app_user u on u.id = s.user_id and u.blocked_at is null
       returning 1 as id`,
      [now, JSON.stringify(reminders)],
    );
    return queued.length;
  });
}

function payloadOf({ examId, kind, titre, opensAt }: DueReminder): PushPayload {
  const hour = formatHour(new Date(opensAt));
  return {
    title: `${examName(titre)} ${kind === 'eve' ? `demain à ${hour}` : `à ${hour}`}`,
    body:
      kind === 'eve'
        ? 'Ouvrez la salle dès maintenant : le sujet scellé se prépare sur votre appareil, et demain tout commence sans attente.'
        : 'Ouvrez la salle : le sujet scellé se prépare sur votre appareil.',
    url: examHref(examId),
  };
}
