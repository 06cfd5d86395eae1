import type { EntityManager } from '@mikro-orm/postgresql';
import { readJsonRows } from '../../../platform/database/rows.ts';
import type { DomainEventMap, DomainEvents } from '../../../platform/use-cases/events.ts';
import { formatDate, startOfDay } from '../../../shared/dates.ts';
// Imported for their event declarations.
import type {} from '../../enrolment/index.ts';
import type {} from '../../identity/index.ts';
import type { PushPayload } from './push-message.entity.ts';

/** Queues messages about ends of access and confirmed payments, in the transaction of each event, and keeps subscriptions to their session. */
export function subscribe(events: DomainEvents): void {
  events.on('enrolments.announced', async (tx, { ends, at }) => {
    const ahead = ends.filter(({ days }) => days > 0);
    await queue(
      tx,
      at,
      ahead.map((end) => ({ user_id: end.userId, topic: endTopic(end.enrolmentId), at_hour: true, payload: endPayload(end) })),
    );
  });
  events.on('enrolment.extended', async (tx, enrolment) => {
    await withdrawEnd(tx, enrolment);
    if (enrolment.source !== 'payment') return;
    const topic = `paiement-${enrolment.enrolmentId}`;
    await queue(tx, enrolment.at, [{ user_id: enrolment.userId, topic, at_hour: false, payload: paymentPayload(enrolment) }]);
  });
  events.on('enrolment.shortened', withdrawEnd);
  events.on('sessions.ended', async (tx, { sessions }) => {
    await tx.execute('delete from push_subscription where session_id in (select jsonb_array_elements_text(?::jsonb))', [
      JSON.stringify(sessions),
    ]);
  });
  events.on('learner.erasing', async (tx, { userId }) => {
    await tx.execute('delete from push_subscription where user_id = ?', [userId]);
  });
  events.on('learner.exporting', async (tx, { userId, add }) => {
    // Without the endpoint and its keys: whoever has them could address the learner's browser.
    const subscriptions = 'select id, service, hour, reminded_day, created_at from push_subscription where user_id = ? order by id';
    add('push_subscription', await readJsonRows(tx, subscriptions, [userId]));
    const messages = `select m.subscription_id, m.topic, m.payload, m.due_at from push_message m join push_subscription s on s.id = m.subscription_id
                      where s.user_id = ? order by m.id`;
    add('push_message', await readJsonRows(tx, messages, [userId]));
  });
}

const endTopic = (enrolmentId: number): string => `fin-${enrolmentId}`;

const endPayload = ({ prepaId, prepaNom, dateExpiration }: DomainEventMap['enrolments.announced']['ends'][number]): PushPayload => ({
  title: 'Votre accès prend bientôt fin',
  body: `${prepaNom} : accès jusqu'au ${formatDate(dateExpiration)}. Renouvelé avant, il est prolongé de 30 jours.`,
  url: prepaId === null ? '/user/dashboard' : `/user/dashboard?paiement=${prepaId}`,
});

const paymentPayload = ({ prepaId, prepaNom, dateExpiration }: DomainEventMap['enrolment.extended']): PushPayload => ({
  title: 'Paiement confirmé',
  body: `${prepaNom} : vous y avez accès jusqu'au ${formatDate(dateExpiration)}.`,
  url: `/user/prepa/${prepaId}`,
});

interface Queued {
  user_id: string;
  topic: string;
  /** Whether the message waits for the learner's hour. */
  at_hour: boolean;
  payload: PushPayload;
}

/** Queues messages for all browsers of their learners, in one statement. They expire after a day. */
async function queue(tx: EntityManager, at: Date, messages: Queued[]): Promise<void> {
  if (messages.length === 0) return;
  await tx.execute(
    `insert into push_message (subscription_id, service, topic, payload, due_at, expires_at)
     select s.id, s.service, told.topic, told.payload, due.at, due.at + interval '1 day'
     from jsonb_to_recordset(?::jsonb) as told(user_id uuid, topic text, at_hour boolean, payload jsonb)
          join push_subscription s on s.user_id = told.user_id
          cross join lateral (select case when told.at_hour then greatest(?::timestamptz + s.hour * interval '1 hour', ?::timestamptz)
                                     else ?::timestamptz end as at) due`,
    [JSON.stringify(messages), startOfDay(at), at, at],
  );
}

/** The end of this access has changed: a message about the earlier end is removed if it was not sent yet. */
async function withdrawEnd(tx: EntityManager, { userId, enrolmentId }: { userId: string; enrolmentId: number }): Promise<void> {
  await tx.execute(
    `delete from push_message m using push_subscription s
     where s.id = m.subscription_id and s.user_id = ? and m.topic = ? and m.claimed_at is null`,
    [userId, endTopic(enrolmentId)],
  );
}
