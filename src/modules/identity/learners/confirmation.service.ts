import type { EntityManager } from '@mikro-orm/postgresql';
import { namedStatement } from '../../../platform/database/named-statement.ts';
import type { UseCaseContext } from '../../../platform/use-cases/events.ts';
import type { Learner } from '../accounts/learner.ts';
import { hashToken, newToken } from '../accounts/token.ts';
import { User } from '../accounts/user.entity.ts';

/** Validity of a link, in ms. */
export const confirmationLifetimeMs = 24 * 3_600_000;

const find = namedStatement<{ hash: string | null; expiresAt: Date | null; confirmedAt: Date | null }>({
  name: 'identity.confirmation',
  text: 'select confirmation_hash as hash, confirmation_expires_at as expires_at, email_confirmed_at as confirmed_at from app_user where id = $1',
});

/** Returns whether a learner's address is confirmed, and whether this token of the last e-mail would confirm it. */
export async function readConfirmation(em: EntityManager, { clock }: UseCaseContext, { id }: Learner, token: string | null) {
  const [row] = await find(em, [id]);
  const holds = token !== null && row?.hash === hashToken(token) && row.expiresAt !== null && row.expiresAt > clock.now();
  return { confirmed: row?.confirmedAt != null, holds };
}

/**
 * Creates the token of a confirmation link, which replaces any older one; null when the address is confirmed already.
 * @returns the token, which cannot be read again
 */
export async function openConfirmation(em: EntityManager, { clock, log }: UseCaseContext, { id }: Learner): Promise<string | null> {
  const token = newToken();
  const confirmationExpiresAt = new Date(clock.now().getTime() + confirmationLifetimeMs);
  const changed = await em.nativeUpdate(
    User,
    { id, emailConfirmedAt: null, erasedAt: null },
    { confirmationHash: hashToken(token), confirmationExpiresAt },
  );
  if (changed === 0) return null;
  log.info({ userId: id }, 'confirmation of an address opened');
  return token;
}

/**
 * Confirms the signed-in learner's address by the token of an e-mail. Only the signed-in learner's own token is accepted.
 * @returns whether the token is valid; used, replaced and expired tokens are not
 */
export async function confirmEmail(
  em: EntityManager,
  { clock, log }: UseCaseContext,
  { id }: Learner,
  token: string | null,
): Promise<boolean> {
  if (token === null) return false;
  const emailConfirmedAt = clock.now();
  const open = { id, confirmationHash: hashToken(token), confirmationExpiresAt: { $gt: emailConfirmedAt } };
  const changed = await em.nativeUpdate(User, open, { emailConfirmedAt, confirmationHash: null, confirmationExpiresAt: null });
  if (changed > 0) log.info({ userId: id }, 'address confirmed');
  return changed > 0;
}
