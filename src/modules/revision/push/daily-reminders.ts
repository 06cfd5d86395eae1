import type { EntityManager } from '@mikro-orm/postgresql';
import { namedStatement } from '../../../platform/database/named-statement.ts';
import { dayIn, hourIn, startOfDay } from '../../../shared/dates.ts';
import type { PushPayload } from './push-message.entity.ts';

/** Topic of the reminder of a day's session. */
export const dailyTopic = 'seance';

/** Hours after the learner's hour within which a late run still reminds. */
const lateHours = 3;
/** Subscriptions per statement. */
const batch = 1_000;

const payload: PushPayload = {
  title: 'Séance du jour',
  body: 'Votre séance vous attend : quelques minutes, et la journée compte.',
  url: '/user/seance',
};

/**
 * SQL: whether a learner has finished a session of a day, in any prepa. A scalar subquery, so that it is looked up by its index for each row,
 * whatever PostgreSQL believes about the tables' sizes. @param learner SQL @param day SQL
 */
export const finishedOn = (learner: string, day: string): string =>
  `coalesce((select true from daily_session t where t.user_id = ${learner} and t.day = ${day} and t.finished_at is not null limit 1), false)`;

const queueing = namedStatement<{ queued: number; hour: number; id: number }>({
  name: 'push.queue-reminders',
  // The row lock is taken on rows that still meet the conditions, so that two runs queue each reminder once.
  text: `with asking as materialized (
           select distinct d.prepa_id from discipline d
           where exists (select from item i join question q on q.item_id = i.id where i.discipline_id = d.id and q.usable and q.position is not null)),
         page as materialized (
           select s.id, s.hour from push_subscription s
           where s.hour between $1 and $2 and (s.hour, s.id) > ($3, $4) and s.reminded_day is distinct from $5::date
           order by s.hour, s.id limit ${batch}),
         due as materialized (
           select s.id from page join push_subscription s on s.id = page.id
           where s.reminded_day is distinct from $5::date and not ${finishedOn('s.user_id', '$5::date')}
             and (select u.blocked_at is null from app_user u where u.id = s.user_id)
             and (select true from enrolment e where e.user_id = s.user_id and e.statut = 'active' and e.date_expiration > $6
                  and e.prepa_id in (select prepa_id from asking) limit 1)
           for update of s skip locked),
         marked as (
           update push_subscription s set reminded_day = $5::date from due where s.id = due.id returning s.id, s.service, s.hour),
         queued as (
           insert into push_message (subscription_id, service, topic, payload, due_at, expires_at)
           select id, service, '${dailyTopic}', $7::jsonb, $6, $8::timestamptz + (hour + ${lateHours}) * interval '1 hour' from marked)
         select (select count(*)::int from marked) as queued, hour, id from page order by hour desc, id desc limit 1`,
});

/**
 * Queues 'Séance du jour' for the browsers whose hour has come: of learners who have access to a prepa with questions and have not finished
 * a session today. Each browser gets it once a day, however often and by how many runs at once it is called.
 * @returns the number of messages queued
 */
export async function queueDailyReminders(em: EntityManager, now: Date): Promise<number> {
  const midnight = startOfDay(now);
  const hour = hourIn(now);
  let queued = 0;
  let last = { hour: -1, id: 0 };
  for (;;) {
    const values = [hour - lateHours + 1, hour, last.hour, last.id, dayIn(now), now, JSON.stringify(payload), midnight];
    const [page] = await queueing(em, values);
    if (!page) return queued;
    queued += page.queued;
    last = page;
  }
}
