import { createHash } from 'node:crypto';
import type { EntityManager } from '@mikro-orm/postgresql';
import { notFound } from '../../../platform/errors.ts';
import type { UseCaseContext } from '../../../platform/use-cases/events.ts';
import { transact } from '../../../platform/use-cases/transaction.ts';
import { dayMs } from '../../../shared/dates.ts';
import type { AdministratorRole } from '../../../shared/forms/administrator.ts';
import type { Actor } from '../accounts/actor.ts';
import { keysRefused } from '../accounts/identity.errors.ts';
import { newPaperKey } from '../accounts/paper-key.ts';
import { recordChange } from '../audit/audit.service.ts';
import { AdministrationKeys } from './administration-keys.entity.ts';

/** Default validity of a pair, in days. */
export const keysDays = 7;
/** Longest validity of a pair, in days. */
export const maxKeysDays = 90;

/** Returns a key of 118 random bits. */
const randomKey = () => newPaperKey(6);

const hashKey = (key: string): string => createHash('sha256').update(key).digest('hex');

/** Creates a pair for one registration with one role, valid for `days`. The keys are shown once; only their hashes are stored. */
export function issueKeys(
  em: EntityManager,
  context: UseCaseContext,
  actor: Actor,
  { role, days = keysDays }: { role: AdministratorRole; days?: number },
) {
  const createdAt = context.clock.now();
  const expiresAt = new Date(createdAt.getTime() + days * dayMs);
  const [adminKey1, adminKey2] = [randomKey(), randomKey()];
  return transact(em, context, async (tx) => {
    const id = await tx.insert(AdministrationKeys, {
      role,
      firstHash: hashKey(adminKey1),
      secondHash: hashKey(adminKey2),
      issuedBy: actor.administratorId,
      createdAt,
      expiresAt,
    });
    const after = { role, expiresAt: expiresAt.toISOString() };
    await recordChange(tx, context, actor, { action: 'issued', subject: 'keys', subjectId: id, label: `Paire n° ${id}`, after });
    return { id, adminKey1, adminKey2, role, expiresAt };
  });
}

export type IssuedKeys = Awaited<ReturnType<typeof issueKeys>>;

/**
 * Revokes an unused pair.
 * @throws AppError 404 when the pair does not exist, or was already used or revoked
 */
export function revokeKeys(em: EntityManager, context: UseCaseContext, actor: Actor, id: number): Promise<void> {
  return transact(em, context, async (tx) => {
    const revokedAt = context.clock.now();
    const revoked = await tx.nativeUpdate(AdministrationKeys, { id, usedAt: null, revokedAt: null }, { revokedAt });
    if (revoked === 0) throw notFound("Cette paire de clés n'existe pas, ou a déjà été utilisée ou révoquée.");
    await recordChange(tx, context, actor, { action: 'revoked', subject: 'keys', subjectId: id, label: `Paire n° ${id}` });
  });
}

/**
 * Marks a pair as used and returns its id. A single statement, so that of two concurrent registrations only one gets the pair.
 * @throws AppError 403, the same for every fault of the keys
 */
export async function claimKeys(
  em: EntityManager,
  context: UseCaseContext,
  { adminKey1, adminKey2, role }: { adminKey1: string; adminKey2: string; role: AdministratorRole },
): Promise<number> {
  const now = context.clock.now();
  const [claimed] = await em.execute<{ id: number }[]>(
    `update administration_keys set used_at = ?
     where first_hash = ? and second_hash = ? and role = ? and used_at is null and revoked_at is null and expires_at > ? returning id`,
    [now, hashKey(adminKey1), hashKey(adminKey2), role, now],
  );
  if (!claimed) throw keysRefused();
  return claimed.id;
}
