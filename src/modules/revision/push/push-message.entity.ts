import { defineEntity, type InferEntity, p } from '@mikro-orm/core';
import { PushSubscription } from './push-subscription.entity.ts';

/** What the push worker shows (push-worker.ts). */
export interface PushPayload {
  title: string;
  body: string;
  /** Path that a tap opens. */
  url: string;
}

/** A message that waits to be sent to one browser. `prepa push send` deletes it once it is sent. */
export const PushMessage = defineEntity({
  name: 'PushMessage',
  tableName: 'push_message',
  indexes: [
    { name: 'push_message_due_index', properties: ['service', 'dueAt', 'id'], where: 'claimed_at is null' },
    { name: 'push_message_expiry_index', properties: ['expiresAt'] },
  ],
  properties: {
    id: p.integer().primary(),
    subscription: () => p.manyToOne(PushSubscription).mapToPk().deleteRule('cascade').index('push_message_subscription_index'),
    /** Copy of the subscription's service. */
    service: p.string().length(255),
    /** `seance`, `fin-<enrolment>`, `paiement-<enrolment>` or `concours-<exam>-<kind>`: a later message of the same topic replaces an earlier one on the device. */
    topic: p.string().length(32),
    payload: p.json().$type<PushPayload>(),
    dueAt: p.datetime(),
    /** The message is worthless from then on. */
    expiresAt: p.datetime(),
    /** When a run took the message to send it. It is never taken again, unless the service is known not to have accepted it. */
    claimedAt: p.datetime().nullable(),
  },
});
export type PushMessage = InferEntity<typeof PushMessage>;
