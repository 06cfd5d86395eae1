import { type EntityManager, LockMode, raw } from '@mikro-orm/postgresql';
import { AppError, notFound } from '../../../../platform/errors.ts';
import type { UseCaseContext } from '../../../../platform/use-cases/events.ts';
import { transact } from '../../../../platform/use-cases/transaction.ts';
import { trimBlanks } from '../../../../shared/blanks.ts';
import { administratorResetSchema } from '../../../../shared/forms/administrator.ts';
import { parseForm } from '../../../../shared/forms/field-errors.ts';
import { type Actor, actorOf } from '../../accounts/actor.ts';
import { Administrator } from '../../accounts/administrator.entity.ts';
import { invalidForm, resetKeyRefused } from '../../accounts/identity.errors.ts';
import { bareKey, newPaperKey } from '../../accounts/paper-key.ts';
import { hashPassword } from '../../accounts/password.ts';
import { hashToken } from '../../accounts/token.ts';
import { recordChange } from '../../audit/audit.service.ts';
import { recordSignInFailure } from '../../audit/failures.service.ts';
import type { Caller } from '../../sign-in/caller.ts';
import { forgetFailures } from '../../sign-in/sign-in-limits.ts';
import { removeSecondFactor } from '../second-factor/second-factor.service.ts';
import type { AdministratorLimits } from '../sessions/administrator-limits.ts';
import { AdministratorReset } from '../sessions/administrator-reset.entity.ts';
import { endEveryAdministratorSession } from '../sessions/administrator-sessions.service.ts';

/** Validity of a key, in ms. */
const lifetimeMs = 3_600_000;

const administratorNotFound = () => notFound("Aucun administrateur n'a cette adresse électronique.");

/**
 * Issues a key for a new password of this account, and revokes older ones. The key has 118 random bits; only its hash is stored.
 * @throws AppError 404 when the account does not exist
 */
export function issueAdministratorReset(em: EntityManager, context: UseCaseContext, actor: Actor, email: string) {
  return transact(em, context, async (tx) => {
    const administrator = await lockByEmail(tx, email);
    const { id, username } = administrator;
    const key = newPaperKey(6);
    const createdAt = context.clock.now();
    const expiresAt = new Date(createdAt.getTime() + lifetimeMs);
    await tx.nativeDelete(AdministratorReset, { administrator: id });
    await tx.insert(AdministratorReset, { id: hashKey(key), administrator: id, createdAt, expiresAt });
    const after = { expiresAt: expiresAt.toISOString() };
    await recordChange(tx, context, actor, { action: 'reset-issued', subject: 'administrator', subjectId: id, label: username, after });
    return { key, expiresAt, username, email: administrator.email };
  });
}

/**
 * Removes an account's second factor, for an administrator who has lost both telephone and recovery codes.
 * Ends all sessions and discards an unfinished set-up, even when the account had no second factor.
 * @throws AppError 404 when the account does not exist
 */
export function resetSecondFactor(em: EntityManager, context: UseCaseContext, actor: Actor, email: string) {
  return transact(em, context, async (tx) => {
    const administrator = await lockByEmail(tx, email);
    const removed = await removeSecondFactor(tx, context, actor, administrator);
    await endEveryAdministratorSession(tx, context, administrator.id);
    return { username: administrator.username, email: administrator.email, removed };
  });
}

/**
 * Sets a new password, given a key from the command line. Ends all sessions and resets failed sign-ins; the second factor stays.
 * @throws AppError 400 with the faults of all fields, 403 for an invalid key (the same in all cases), 429 with Retry-After
 */
export async function resetAdministratorPassword(
  em: EntityManager,
  context: UseCaseContext,
  form: unknown,
  limits: AdministratorLimits,
  caller: Caller,
): Promise<void> {
  const { data, errors } = parseForm(administratorResetSchema, form ?? {});
  if (errors) throw invalidForm(errors);
  const email = data.email.toLowerCase();
  const { network } = caller;
  try {
    await limits.resetPerNetwork.consume(network);
    try {
      await takeKey(em, context, { email, key: data.key, password: data.password, network }, limits);
    } catch (error) {
      // Only wrong keys count as failures.
      if (!(error instanceof AppError) || error.code !== resetKeyRefused().code) await limits.resetPerNetwork.giveBack(network);
      throw error;
    }
    await limits.resetPerNetwork.giveBack(network);
  } catch (error) {
    await recordSignInFailure(em, context, limits.journal, { email, network, step: 'clé pour un nouveau mot de passe', error });
    throw error;
  }
}

interface KeyUse {
  /** E-mail in lower case. */
  email: string;
  key: string;
  password: string;
  network: string;
}

/** Uses up the key and sets the password. @throws AppError 403 for an invalid key, 400 for a common password */
async function takeKey(
  em: EntityManager,
  context: UseCaseContext,
  { email, key, password, network }: KeyUse,
  { refuseCommonPassword }: AdministratorLimits,
): Promise<void> {
  const id = hashKey(key);
  // One statement for all faults. The password is hashed only for a valid key, since hashing is costly.
  const [owner] = await em.execute<{ id: string; username: string }[]>(
    `select a.id, a.username from administrator_reset r join administrator a on a.id = r.administrator_id
     where r.id = ? and lower(a.email) = ? and a.disabled_at is null and r.used_at is null and r.expires_at > ?`,
    [id, email, context.clock.now()],
  );
  if (!owner) throw resetKeyRefused();
  refuseCommonPassword(password, { username: owner.username, email });
  const passwordHash = await hashPassword(password);
  await transact(em, context, async (tx) => {
    const usedAt = context.clock.now();
    // Of two concurrent uses only one succeeds.
    if ((await tx.nativeUpdate(AdministratorReset, { id, usedAt: null }, { usedAt })) === 0) throw resetKeyRefused();
    await tx.nativeUpdate(Administrator, { id: owner.id }, { passwordHash });
    await endEveryAdministratorSession(tx, context, owner.id);
    await forgetFailures(tx, 'administrator', email);
    const about = { subject: 'administrator', subjectId: owner.id, label: owner.username } as const;
    await recordChange(tx, context, actorOf(owner, network), { action: 'password-reset', ...about });
  });
}

const hashKey = (key: string): string => hashToken(bareKey(key));

async function lockByEmail(tx: EntityManager, email: string): Promise<Administrator> {
  const administrator = await tx.findOne(
    Administrator,
    { [raw('lower(email)')]: trimBlanks(email).toLowerCase() },
    { lockMode: LockMode.PESSIMISTIC_WRITE, disableIdentityMap: true },
  );
  if (!administrator) throw administratorNotFound();
  return administrator;
}
