import { defineEntity, type InferEntity, p } from '@mikro-orm/core';
import { Administrator } from '../accounts/administrator.entity.ts';
import { User } from '../accounts/user.entity.ts';

/**
 * A browser that has signed in to a learner's or an administrator's account.
 * `device` is the SHA-256 (hex) of its cookie's token, the same for all accounts to which the browser has signed in. It gives no
 * access by itself.
 */
export const KnownDevice = defineEntity({
  name: 'KnownDevice',
  tableName: 'known_device',
  checks: [{ name: 'known_device_account_check', expression: 'num_nonnulls(user_id, administrator_id) = 1' }],
  properties: {
    id: p.integer().primary(),
    device: p.string().length(64).index('known_device_device_index'),
    user: () => p.manyToOne(User).mapToPk().nullable().deleteRule('cascade').index('known_device_user_index'),
    administrator: () => p.manyToOne(Administrator).mapToPk().nullable().deleteRule('cascade').index('known_device_administrator_index'),
    /** Its last sign-in. */
    knownAt: p.datetime(),
  },
});
export type KnownDevice = InferEntity<typeof KnownDevice>;
