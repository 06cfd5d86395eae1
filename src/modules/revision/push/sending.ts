import type { EntityManager } from '@mikro-orm/postgresql';
import { namedStatement } from '../../../platform/database/named-statement.ts';
import type { UseCaseContext } from '../../../platform/use-cases/events.ts';
import { dayIn } from '../../../shared/dates.ts';
import { dailyTopic, finishedOn, queueDailyReminders } from './daily-reminders.ts';
import { queueExamReminders } from './exam-reminders.ts';
import { encryptFor } from './protocol/encryption.ts';
import { type Outcome, openTransport, type Transport } from './protocol/transport.ts';
import { type VapidKeys, vapidHeader } from './protocol/vapid.ts';
import type { PushPayload } from './push-message.entity.ts';

/** Settings of push messages. */
export interface PushSettings extends VapidKeys {
  /** Address of the site's operator for push services. */
  subject: string;
}

interface SendOptions {
  /** Time limit of a request, in ms. */
  timeoutMs?: number;
}

export type SendCounts = Record<Outcome | 'queued', number>;

/** Services that are sent to at once. */
const services = 8;
/** Messages taken and sent to one service at once. A run that is killed loses at most these. */
const width = 50;
/** A service is left alone for the rest of a run after so many requests in a row without success. */
const maxFailures = 3;
/** Time after which a refused message is sent again, in ms: the next run. */
const retryMs = 10 * 60_000;
/** Expired messages deleted per statement. */
const pruneBatch = 1_000;
/** Most services of one run. Those with most messages come first. */
const maxServices = 1_000;

interface Claimed {
  id: number;
  subscriptionId: number;
  topic: string;
  payload: PushPayload;
  expiresAt: Date;
  endpoint: string;
  p256dh: string;
  auth: string;
}

const expired = namedStatement<{ id: number }>({
  name: 'push.delete-expired',
  text: `delete from push_message where id in (
           select id from push_message where expires_at <= $1 order by expires_at limit ${pruneBatch} for update skip locked) returning id`,
});

const waiting = namedStatement<{ service: string }>({
  name: 'push.services',
  text: `select service from push_message where claimed_at is null and due_at <= $1 group by service order by count(*) desc, service
         limit ${maxServices}`,
});

const claiming = namedStatement<Claimed>({
  name: 'push.claim',
  text: `with next as materialized (
           select m.id from push_message m join push_subscription s on s.id = m.subscription_id
           where m.service = $1 and m.claimed_at is null and m.due_at <= $2 and m.expires_at > $2
             and not (m.topic = '${dailyTopic}' and ${finishedOn('s.user_id', '$3::date')})
           order by m.due_at, m.id limit $4 for update of m skip locked)
         update push_message m set claimed_at = $2 from next, push_subscription s
         where m.id = next.id and s.id = m.subscription_id
         returning m.id, m.subscription_id, m.topic, m.payload, m.expires_at, s.endpoint, s.p256dh, s.auth`,
});

const settling = namedStatement({
  name: 'push.settle',
  text: `with gone as (delete from push_subscription where id = any($1::int[])),
              back as (update push_message set claimed_at = null, due_at = $2 where id = any($3::int[]))
         delete from push_message where id = any($4::int[])`,
});

/**
 * Queues the reminders of mock exams and of the hour, and sends all messages that are due. A message is taken before it is sent and deleted afterwards: runs at
 * once, repeats and kills send none twice. Each service has its own queue, so that a slow or dead one delays only its own messages.
 * @returns the number of messages queued, and sent by outcome
 */
export async function sendPushMessages(
  em: EntityManager,
  context: UseCaseContext,
  settings: PushSettings,
  { timeoutMs = 10_000 }: SendOptions = {},
): Promise<SendCounts> {
  const now = context.clock.now();
  const counts: SendCounts = { queued: 0, sent: 0, gone: 0, refused: 0, rejected: 0, unknown: 0 };
  while ((await expired(em, [now])).length === pruneBatch);
  counts.queued = (await queueExamReminders(em, context)) + (await queueDailyReminders(em, now));
  const left = (await waiting(em, [now])).map(({ service }) => service);
  const transport = openTransport({ timeoutMs, connections: width });
  try {
    const lane = async () => {
      for (let service = left.shift(); service !== undefined; service = left.shift())
        await sendTo(service, { em, context, settings, transport, counts });
    };
    await Promise.all(Array.from({ length: services }, lane));
  } finally {
    transport.close();
  }
  if (counts.rejected > 0) context.log.warn({ rejected: counts.rejected }, 'push services rejected messages');
  return counts;
}

interface Run {
  em: EntityManager;
  context: UseCaseContext;
  settings: PushSettings;
  transport: Transport;
  counts: SendCounts;
}

/** Sends the messages of one service: the first one alone, then many at once for as long as the service accepts them. */
async function sendTo(service: string, { em, context, settings, transport, counts }: Run): Promise<void> {
  const authorizations = new Map<string, string>();
  const authorize = (origin: string): string => {
    const header = authorizations.get(origin) ?? vapidHeader(settings, origin, settings.subject, context.clock.now());
    authorizations.set(origin, header);
    return header;
  };
  let failures = 0;
  for (let atOnce = 1; failures < maxFailures; ) {
    const now = context.clock.now();
    const batch = await claiming(em, [service, now, dayIn(now), atOnce]);
    if (batch.length === 0) return;
    const outcomes = await Promise.all(
      batch.map((message) =>
        transport.deliver({
          endpoint: message.endpoint,
          authorization: authorize(new URL(message.endpoint).origin),
          body: encryptFor(message, JSON.stringify({ ...message.payload, tag: message.topic })),
          ttlSeconds: Math.max(Math.floor((message.expiresAt.getTime() - now.getTime()) / 1000), 0),
          topic: message.topic,
        }),
      ),
    );
    const those = (...wanted: Outcome[]) => batch.filter((_, index) => wanted.includes(outcomes[index] ?? 'unknown'));
    await settling(em, [
      those('gone').map(({ subscriptionId }) => subscriptionId),
      new Date(now.getTime() + retryMs),
      those('refused').map(({ id }) => id),
      those('sent', 'rejected').map(({ id }) => id),
    ]);
    for (const outcome of outcomes) counts[outcome] += 1;
    const failed = those('refused', 'unknown').length;
    failures = failed === batch.length ? failures + failed : 0;
    atOnce = failed === 0 ? width : 1;
  }
}
