import { defineEntity, type InferEntity, p } from '@mikro-orm/core';
import { Administrator } from '../accounts/administrator.entity.ts';

/** An administrator's session, apart from learners'. `id` is the SHA-256 (hex) of the token: the token itself is never stored. */
export const AdministratorSession = defineEntity({
  name: 'AdministratorSession',
  tableName: 'administrator_session',
  properties: {
    id: p.string().length(64).primary(),
    administrator: () => p.manyToOne(Administrator).mapToPk().deleteRule('cascade').index('administrator_session_administrator_index'),
    expiresAt: p.datetime().index('administrator_session_expiry_index'),
    createdAt: p.datetime(),
    /** When its password or a code was last given again; null: with the sign-in. */
    confirmedAt: p.datetime().nullable(),
    /** What the browser calls itself, in short (« Chrome, Android »); null for a program. */
    device: p.string().length(60).nullable(),
    /** From where it was opened (networkOf). */
    network: p.string().length(60).nullable(),
    /** The last use, to some minutes; null before the first. */
    usedAt: p.datetime().nullable(),
  },
});
export type AdministratorSession = InferEntity<typeof AdministratorSession>;
