import { defineEntity, type InferEntity, p } from '@mikro-orm/core';
import { User } from '../../identity/index.ts';

/** A browser in which a learner asked to be reminded. Its fields are those of the browser's PushSubscription (RFC 8030, 8291). */
export const PushSubscription = defineEntity({
  name: 'PushSubscription',
  tableName: 'push_subscription',
  // For the reminders of an hour.
  indexes: [{ name: 'push_subscription_hour_index', properties: ['hour', 'id'] }],
  properties: {
    id: p.integer().primary(),
    user: () => p.manyToOne(User).mapToPk().deleteRule('cascade').index('push_subscription_user_index'),
    /** URL to which messages to this browser are posted. Whoever knows it can send them, if they have the site's private key. */
    endpoint: p.string().length(1000).unique('push_subscription_endpoint_unique'),
    /** Host of the endpoint: messages are sent service by service. */
    service: p.string().length(255),
    /** The browser's public key and secret for encryption, in base64url. */
    p256dh: p.string().length(100),
    auth: p.string().length(40),
    /** Hour of the reminder, in Africa/Douala. */
    hour: p.smallint(),
    /** Hash of the token of the session in which the learner asked: the subscription ends with it. */
    sessionId: p.string().length(64).nullable().index('push_subscription_session_index'),
    /** Day in Africa/Douala for which the last reminder of a session was queued. */
    remindedDay: p.date().nullable(),
    createdAt: p.datetime(),
  },
});
export type PushSubscription = InferEntity<typeof PushSubscription>;
