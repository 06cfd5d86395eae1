import type { EntityManager } from '@mikro-orm/postgresql';
import { Administrator } from '../accounts/administrator.entity.ts';
import { AdministrationKeys } from '../administrators/administration-keys.entity.ts';
import { SecondFactor } from '../administrators/second-factor/second-factor.entity.ts';
import { createSeal, isSealed } from '../administrators/second-factor/secret-seal.ts';

/** Returns the number of active super administrators, who may issue keys and disable accounts. */
export const countSuperAdministrators = (em: EntityManager): Promise<number> =>
  em.count(Administrator, { role: 'super_admin', disabledAt: null });

/** Returns the number of valid pairs of keys for super administrators. */
export const countOpenSuperKeys = (em: EntityManager, now: Date): Promise<number> =>
  em.count(AdministrationKeys, { role: 'super_admin', usedAt: null, revokedAt: null, expiresAt: { $gt: now } });

/** Counts the administrators whose TOTP secret cannot be opened with this key, and those whose secret is stored in clear. */
export async function standOfSeals(em: EntityManager, key: string | null): Promise<{ unreadable: number; unsealed: number }> {
  const { open } = createSeal(key);
  const stand = { unreadable: 0, unsealed: 0 };
  for (const { administrator, secret } of await em.find(SecondFactor, { secret: { $ne: null } }, { populate: ['secret'] })) {
    if (!isSealed(secret ?? '')) stand.unsealed += 1;
    try {
      open(secret ?? '', administrator);
    } catch {
      stand.unreadable += 1;
    }
  }
  return stand;
}
