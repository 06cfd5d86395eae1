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
  },
});
export type AdministratorSession = InferEntity<typeof AdministratorSession>;
