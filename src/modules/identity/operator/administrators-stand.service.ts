import type { EntityManager } from '@mikro-orm/postgresql';
import { Administrator } from '../accounts/administrator.entity.ts';
import { AdministrationKeys } from '../administrators/administration-keys.entity.ts';
import { SecondFactor } from '../administrators/second-factor/second-factor.entity.ts';
import { createSeal, isSealed } from '../administrators/second-factor/secret-seal.ts';

/** How many may issue keys and disable accounts. */
export const countSuperAdministrators = (em: EntityManager): Promise<number> =>
  em.count(Administrator, { role: 'super_admin', disabledAt: null });

/** Pairs that a super administrator may still register with. */
export const countOpenSuperKeys = (em: EntityManager, now: Date): Promise<number> =>
  em.count(AdministrationKeys, { role: 'super_admin', usedAt: null, revokedAt: null, expiresAt: { $gt: now } });

/** Of how many administrators the secret behind their codes cannot be opened with this key, and of how many it was stored as it is. */
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
