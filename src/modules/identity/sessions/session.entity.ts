import { defineEntity, type InferEntity, p } from '@mikro-orm/core';
import { User } from '../accounts/user.entity.ts';
import type { SessionEnding } from './session-endings.ts';

/** A learner's session. `id` is the SHA-256 (hex) of the token: the token itself is never stored. */
export const Session = defineEntity({
  name: 'Session',
  tableName: 'session',
  properties: {
    id: p.string().length(64).primary(),
    user: () => p.manyToOne(User).mapToPk().deleteRule('cascade').index('session_user_index'),
    expiresAt: p.datetime().index('session_expiry_index'),
    createdAt: p.datetime(),
    /** What the browser calls itself, in short (« Chrome, Android »); null for a bearer that says nothing. */
    device: p.string().length(60).nullable(),
    /** The last use, to a day; null until it has been used on another day than its first. */
    usedAt: p.datetime().nullable(),
    /** Why it has ended before its time, at `expiresAt`: its device is told. Null for one that lasts, or has ended by itself. */
    ended: p.string().$type<SessionEnding>().length(20).nullable(),
  },
});
export type Session = InferEntity<typeof Session>;
