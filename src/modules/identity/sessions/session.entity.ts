import { defineEntity, type InferEntity, p } from '@mikro-orm/core';
import { User } from '../accounts/user.entity.ts';
import type { SessionEnding } from './session-endings.ts';

/** A session of a learner. `id` is the SHA-256 (hex) of the token; the token itself is never stored. */
export const Session = defineEntity({
  name: 'Session',
  tableName: 'session',
  properties: {
    id: p.string().length(64).primary(),
    user: () => p.manyToOne(User).mapToPk().deleteRule('cascade').index('session_user_index'),
    expiresAt: p.datetime().index('session_expiry_index'),
    createdAt: p.datetime(),
    /** Browser and system in short (« Chrome, Android »); null for an API client without a known User-Agent. */
    device: p.string().length(60).nullable(),
    /** Last use, accurate to a day; null until a use on a later day than the first. */
    usedAt: p.datetime().nullable(),
    /** Reason for an early end at `expiresAt`, shown on the device. Null for a valid session, and for one that expired by itself. */
    ended: p.string().$type<SessionEnding>().length(20).nullable(),
  },
});
export type Session = InferEntity<typeof Session>;
