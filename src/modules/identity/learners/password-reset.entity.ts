import { defineEntity, type InferEntity, p } from '@mikro-orm/core';
import { User } from '../accounts/user.entity.ts';

/** A one-time password reset, sent by e-mail. `id` is the SHA-256 (hex) of the token; the token itself is never stored. */
export const PasswordReset = defineEntity({
  name: 'PasswordReset',
  tableName: 'password_reset',
  properties: {
    id: p.string().length(64).primary(),
    user: () => p.manyToOne(User).mapToPk().deleteRule('cascade').index('password_reset_user_index'),
    createdAt: p.datetime(),
    expiresAt: p.datetime().index('password_reset_expiry_index'),
    usedAt: p.datetime().nullable(),
  },
});
export type PasswordReset = InferEntity<typeof PasswordReset>;
