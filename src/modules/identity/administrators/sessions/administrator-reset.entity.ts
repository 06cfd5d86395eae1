import { defineEntity, type InferEntity, p } from '@mikro-orm/core';
import { Administrator } from '../../accounts/administrator.entity.ts';

/** A one-time key for an administrator's new password, issued from the command line. `id` is the SHA-256 (hex) of the key. */
export const AdministratorReset = defineEntity({
  name: 'AdministratorReset',
  tableName: 'administrator_reset',
  properties: {
    id: p.string().length(64).primary(),
    administrator: () => p.manyToOne(Administrator).mapToPk().deleteRule('cascade').index('administrator_reset_administrator_index'),
    createdAt: p.datetime(),
    expiresAt: p.datetime().index('administrator_reset_expiry_index'),
    usedAt: p.datetime().nullable(),
  },
});
export type AdministratorReset = InferEntity<typeof AdministratorReset>;
