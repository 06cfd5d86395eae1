import type { EntityManager } from '@mikro-orm/postgresql';
import { namedStatement } from '../../../platform/database/named-statement.ts';
import type { UseCaseContext } from '../../../platform/use-cases/events.ts';
import { transact } from '../../../platform/use-cases/transaction.ts';
import type { Subscription } from './push.schemas.ts';

/** Most browsers of one learner; a further one replaces the oldest. */
const maxSubscriptions = 5;

/** Returns SQL of the hour at which a learner is reminded; null without reminders. @param learner SQL */
export const reminderHourOf = (learner: string): string => `(select max(hour) from push_subscription where user_id = ${learner})`;

/**
 * Stores a learner's browser, also one that belonged to another learner, and sets the hour for all of theirs.
 * @param sessionId hash of the token of the learner's session; null if it is unknown
 */
export async function subscribe(
  em: EntityManager,
  context: UseCaseContext,
  { userId, sessionId }: { userId: string; sessionId: string | null },
  { endpoint, service, p256dh, auth, heure }: Omit<Subscription, 'seance'>,
): Promise<void> {
  await transact(em, context, async (tx) => {
    // Concurrent requests of this learner wait for this row lock, so that none exceeds the limit.
    await tx.execute('select id from app_user where id = ? for no key update', [userId]);
    await tx.execute('update push_subscription set hour = ? where user_id = ? and hour <> ?', [heure, userId, heure]);
    await tx.execute(
      `delete from push_subscription where id in (
         select id from push_subscription where user_id = ? and endpoint <> ? order by created_at desc, id desc offset ?)`,
      [userId, endpoint, maxSubscriptions - 1],
    );
    await tx.execute(
      `insert into push_subscription as s (user_id, endpoint, service, p256dh, auth, hour, session_id, created_at) values (?, ?, ?, ?, ?, ?, ?, ?)
       on conflict (endpoint) do update set user_id = excluded.user_id, p256dh = excluded.p256dh, auth = excluded.auth, hour = excluded.hour,
         session_id = excluded.session_id, created_at = excluded.created_at,
         reminded_day = case when s.user_id = excluded.user_id then s.reminded_day end`,
      [userId, endpoint, service, p256dh, auth, heure, sessionId, context.clock.now()],
    );
  });
}

/** Ends all reminders of a learner; messages that wait are removed with them. */
export const unsubscribe = async (em: EntityManager, userId: string): Promise<void> => {
  await em.execute('delete from push_subscription where user_id = ?', [userId]);
};

const ofLearner = namedStatement<{ browsers: number; hour: number | null }>({
  name: 'push.of-learner',
  text: 'select count(*)::int as browsers, max(hour)::int as hour from push_subscription where user_id = $1',
});

/** Returns the number of browsers in which a learner is reminded, and the hour; null for none. */
export async function findReminders(em: EntityManager, userId: string): Promise<{ browsers: number; hour: number } | null> {
  const [{ browsers, hour } = { browsers: 0, hour: null }] = await ofLearner(em, [userId]);
  return hour === null ? null : { browsers, hour };
}
