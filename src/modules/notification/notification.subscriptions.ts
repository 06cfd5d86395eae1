import type { EntityManager } from '@mikro-orm/postgresql';
import { readJsonRows } from '../../platform/database/rows.ts';
import type { DomainEventMap, DomainEvents } from '../../platform/use-cases/events.ts';
import { dayIn } from '../../shared/dates.ts';
// Imported for their event declarations.
import type {} from '../content/index.ts';
import type {} from '../enrolment/index.ts';
import type {} from '../identity/index.ts';
import type {} from '../payment/index.ts';
import type {} from '../questions/index.ts';
import { Notification } from './notification.entity.ts';
import {
  contentMessage,
  endMessage,
  enrolmentMessage,
  examAnnouncedMessage,
  examCorrectedMessage,
  examMovedMessage,
  examResultsMessage,
  partlyRefundedMessage,
  paymentFailedMessage,
  paymentLateMessage,
  reportMessage,
  restoredMessage,
  shortenedMessage,
} from './notification.messages.ts';

/** Writes learners' notifications about events, in the transaction of each event. */
export function subscribe(events: DomainEvents): void {
  events.on('enrolment.extended', (em, enrolment) =>
    write(em, enrolment.at, [{ user_id: enrolment.userId, message: enrolmentMessage(enrolment), key: null }]),
  );
  events.on('enrolments.announced', (em, { ends, at }) =>
    write(
      em,
      at,
      ends.map((end) => ({
        user_id: end.userId,
        message: endMessage(end, at),
        key: endKey(end),
      })),
    ),
  );
  events.on('enrolments.restored', restored);
  events.on('enrolment.shortened', (em, enrolment) =>
    write(em, enrolment.at, [{ user_id: enrolment.userId, message: shortenedMessage(enrolment), key: null }]),
  );
  events.on('payment.failed', (em, payment) =>
    write(em, payment.at, [
      { user_id: payment.userId, message: paymentFailedMessage(payment), key: `paiement:${payment.paymentId}:echec` },
    ]),
  );
  events.on('payment.late', (em, payment) =>
    write(em, payment.at, [{ user_id: payment.userId, message: paymentLateMessage(payment), key: `paiement:${payment.paymentId}:retard` }]),
  );
  events.on('payment.partly-refunded', (em, refund) =>
    write(em, refund.at, [{ user_id: refund.userId, message: partlyRefundedMessage(refund), key: null }]),
  );
  events.on('content.published', contentPublished);
  events.on('exam.announced', examAnnounced);
  events.on('exam.moved', examMoved);
  events.on('exam.published', (em, exam) => examResults(em, exam, examResultsMessage(exam), `concours-blanc:${exam.examId}:resultats`));
  events.on('exam.remarked', (em, exam) =>
    examResults(em, exam, examCorrectedMessage(exam), `concours-blanc:${exam.examId}:correction:${exam.correctionId}`),
  );
  events.on('learner.erasing', async (em, { userId }) => {
    await em.nativeDelete(Notification, { user: userId });
  });
  events.on('learner.exporting', async (em, { userId, add }) =>
    add(
      'notification',
      await readJsonRows(em, 'select id, message, lu, date_creation, deleted_at from notification where user_id = ? order by id', [userId]),
    ),
  );
  events.on('content.report-closed', (em, report) =>
    write(em, report.at, [{ user_id: report.userId, message: reportMessage(report), key: null }]),
  );
}

/** Learners were notified of an end that was not reached: that message loses its key, so that the real end is still notified. */
async function restored(em: EntityManager, { ends, at }: DomainEventMap['enrolments.restored']): Promise<void> {
  const wrong = ends.map((end) => ({ user_id: end.userId, key: endKey({ ...end, days: 0 }) }));
  await em.execute(
    `update notification n set key = null from jsonb_to_recordset(?::jsonb) as wrong(user_id uuid, key text)
     where n.user_id = wrong.user_id and n.key = wrong.key`,
    [JSON.stringify(wrong)],
  );
  await write(
    em,
    at,
    ends.map((end) => ({ user_id: end.userId, message: restoredMessage(end), key: null })),
  );
}

const endKey = (end: { enrolmentId: number; dateExpiration: Date; days: number }): string =>
  `rappel:${end.enrolmentId}:${end.dateExpiration.toISOString()}:${end.days}`;

interface Told {
  user_id: string;
  message: string;
  /** Identifies the event of a message that is sent only once; null: sent each time. */
  key: string | null;
}

/** Inserts notifications in one statement. Those whose key exists already are skipped. */
async function write(em: EntityManager, at: Date, told: Told[]): Promise<void> {
  await em.execute(
    `insert into notification (user_id, message, lu, date_creation, key)
     select user_id, message, false, ?::timestamptz, key from jsonb_to_recordset(?::jsonb) as told(user_id uuid, message text, key text)
     on conflict (user_id, key) do nothing`,
    [at, JSON.stringify(told)],
  );
}

/**
 * Writes one notification per day, prepa and learner. Later contents of that day raise its count, but do not make it unread again; a
 * deleted one stays deleted.
 * Rows are locked in one order, since two disciplines of a prepa may get new contents concurrently.
 */
async function contentPublished(em: EntityManager, { prepas, at }: DomainEventMap['content.published']): Promise<void> {
  const told = prepas.map(({ prepaId, prepaNom, items }) => ({
    prepa_id: prepaId,
    items,
    ...contentMessage({ prepaId, prepaNom }),
    key: `contenu:${prepaId}:${dayIn(at)}`,
  }));
  await em.execute(
    `with told as materialized (select * from jsonb_to_recordset(?::jsonb) as t(prepa_id int, items int, one text, more text, key text))
     insert into notification (user_id, message, lu, date_creation, key)
     select e.user_id, case when t.items = 1 then t.one else t.items || t.more end, false, ?::timestamptz, t.key
     from told t join enrolment e on e.prepa_id = t.prepa_id
     where e.statut = 'active' and e.date_expiration > ? order by e.user_id, t.prepa_id
     on conflict (user_id, key) do update
     set message = (select substring(notification.message from '^[0-9]+')::int + t.items || t.more from told t where t.key = excluded.key)
     where notification.deleted_at is null`,
    [JSON.stringify(told), at, at],
  );
}

/**
 * Notifies the learners who may take an exam: those with access to its prepa, and of one that is open to all also those who are signed in on
 * some device. Others find it in their list of exams.
 */
async function examAnnounced(em: EntityManager, exam: DomainEventMap['exam.announced']): Promise<void> {
  await em.execute(
    `insert into notification (user_id, message, lu, date_creation, key)
     select told.user_id, ?, false, ?::timestamptz, ? from (
       ${invited}) told
     order by told.user_id on conflict (user_id, key) do nothing`,
    [examAnnouncedMessage(exam), exam.at, announcementKey(exam), ...invitedOf(exam)],
  );
}

const announcementKey = ({ examId }: { examId: number }): string => `concours-blanc:${examId}:annonce`;

/** SQL: the learners whom an exam's notification is for. Its parameters are `invitedOf`. */
const invited = `select user_id from enrolment where prepa_id = ? and statut = 'active' and date_expiration > ?
       union select user_id from session where ? = 'learners' and expires_at > ?`;
const invitedOf = ({ prepaId, at, audience }: DomainEventMap['exam.announced']) => [prepaId, at, audience, at];

/**
 * Notifies of an exam's other times: those who may take it, and those who compose. The notification of the
 * announcement gets the new text and is unread again, also where it was deleted: its time is wrong now.
 */
async function examMoved(em: EntityManager, exam: DomainEventMap['exam.moved']): Promise<void> {
  await em.execute(
    `insert into notification (user_id, message, lu, date_creation, key)
     select told.user_id, ?, false, ?::timestamptz, ? from (
       ${invited}
       union select user_id from exam_sitting where exam_id = ? and handed_in_at is null) told
     order by told.user_id on conflict (user_id, key) do update
     set message = excluded.message, lu = false, date_creation = excluded.date_creation, deleted_at = null`,
    [examMovedMessage(exam), exam.at, announcementKey(exam), ...invitedOf(exam), exam.examId],
  );
}

/** Notifies the candidates of an exam whose results are published. */
async function examResults(em: EntityManager, { examId, at }: { examId: number; at: Date }, message: string, key: string): Promise<void> {
  await em.execute(
    `insert into notification (user_id, message, lu, date_creation, key)
     select s.user_id, ?, false, ?::timestamptz, ? from exam x join exam_sitting s on s.exam_id = x.id
     where x.id = ? and x.published_at is not null order by s.user_id on conflict (user_id, key) do nothing`,
    [message, at, key, examId],
  );
}
