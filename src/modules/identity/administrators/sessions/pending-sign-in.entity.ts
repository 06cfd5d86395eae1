import { defineEntity, type InferEntity, p } from '@mikro-orm/core';
import { Administrator } from '../../accounts/administrator.entity.ts';

/**
 * A sign-in between password and code. It only gives access to the page that asks for the code. `id` is the SHA-256 (hex) of its
 * token.
 */
export const PendingSignIn = defineEntity({
  name: 'PendingSignIn',
  tableName: 'pending_sign_in',
  properties: {
    id: p.string().length(64).primary(),
    administrator: () => p.manyToOne(Administrator).mapToPk().deleteRule('cascade').index('pending_sign_in_administrator_index'),
    expiresAt: p.datetime().index('pending_sign_in_expiry_index'),
  },
});
export type PendingSignIn = InferEntity<typeof PendingSignIn>;
