import { defineEntity, type InferEntity, p } from '@mikro-orm/core';
import { Administrator } from '../accounts/administrator.entity.ts';

/**
 * A session of an administrator. Learners' sessions have another table. `id` is the SHA-256 (hex) of the token; the token itself is
 * never stored.
 */
export const AdministratorSession = defineEntity({
  name: 'AdministratorSession',
  tableName: 'administrator_session',
  properties: {
    id: p.string().length(64).primary(),
    administrator: () => p.manyToOne(Administrator).mapToPk().deleteRule('cascade').index('administrator_session_administrator_index'),
    expiresAt: p.datetime().index('administrator_session_expiry_index'),
    createdAt: p.datetime(),
    /** Last confirmation by password or code; null: only at the sign-in. */
    confirmedAt: p.datetime().nullable(),
    /** Browser and system in short (« Chrome, Android »); null for an API client. */
    device: p.string().length(60).nullable(),
    /** Network from which the session was opened (networkOf). */
    network: p.string().length(60).nullable(),
    /** Last use, accurate to some minutes; null before the first. */
    usedAt: p.datetime().nullable(),
  },
});
export type AdministratorSession = InferEntity<typeof AdministratorSession>;
