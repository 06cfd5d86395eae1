import { createHash } from 'node:crypto';
import { type EntityManager, LockMode } from '@mikro-orm/postgresql';
import { AppError } from '../../../../platform/errors.ts';
import type { UseCaseContext } from '../../../../platform/use-cases/events.ts';
import { transact } from '../../../../platform/use-cases/transaction.ts';
import type { Actor, AdministratorActor } from '../../accounts/actor.ts';
import { wrongCode } from '../../accounts/identity.errors.ts';
import { bareKey, newPaperKey } from '../../accounts/paper-key.ts';
import { recordChange } from '../../audit/audit.service.ts';
import { RecoveryCode, SecondFactor } from './second-factor.entity.ts';
import type { Seal } from './secret-seal.ts';
import { newSecret, stepOf } from './totp.ts';

/** Number of recovery codes per set. */
const recoveryCodeCount = 10;

/**
 * Returns the hash of a recovery code. A slow hash is not needed for 78 random bits (16 characters). The owner's id prevents
 * precomputed tables for all accounts.
 */
const hashRecoveryCode = (code: string, administratorId: string): string =>
  createHash('sha256')
    .update(`${administratorId} ${bareKey(code)}`)
    .digest('hex');

/** Returns the second factor with a row lock, so that of two concurrent uses of a code only one succeeds. */
const lockFactor = (tx: EntityManager, administrator: string) =>
  tx.findOne(
    SecondFactor,
    { administrator },
    { populate: ['secret', 'pendingSecret'], lockMode: LockMode.PESSIMISTIC_WRITE, disableIdentityMap: true },
  );

/** Returns the second factor's state for the account page. */
export async function describeSecondFactor(em: EntityManager, administrator: string) {
  const factor = await em.findOne(SecondFactor, { administrator }, { disableIdentityMap: true });
  const confirmedAt = factor?.confirmedAt ?? null;
  const codesLeft = confirmedAt === null ? 0 : await em.count(RecoveryCode, { administrator, usedAt: null });
  return { confirmedAt, codesLeft };
}

/** Returns whether this account's sign-in requires a code. */
export async function hasSecondFactor(em: EntityManager, administrator: string): Promise<boolean> {
  return (await em.count(SecondFactor, { administrator, confirmedAt: { $ne: null } })) > 0;
}

/** Begins to set up an application, replacing an unfinished set-up. An active application stays active until the first code. */
export async function beginSecondFactor(em: EntityManager, seal: Seal, administrator: string): Promise<void> {
  const pendingSecret = seal.seal(newSecret(), administrator);
  await em.fork().upsert(SecondFactor, { administrator, pendingSecret }, { onConflictMergeFields: ['pendingSecret'] });
}

/** Discards an unfinished set-up: the person who began it knows the secret. An active application stays. */
export async function forgetSetUp(tx: EntityManager, administrator: string): Promise<void> {
  await tx.nativeDelete(SecondFactor, { administrator, confirmedAt: null });
  await tx.nativeUpdate(SecondFactor, { administrator }, { pendingSecret: null });
}

/** Returns the secret of the application that is being set up; null when there is none. */
export async function pendingSecret(em: EntityManager, seal: Seal, administrator: string): Promise<string | null> {
  const factor = await em.findOne(SecondFactor, { administrator }, { populate: ['pendingSecret'], disableIdentityMap: true });
  return factor?.pendingSecret ? seal.open(factor.pendingSecret, administrator) : null;
}

/**
 * Activates the application that is being set up, and replaces all recovery codes.
 * @param beside further work in the same transaction
 * @returns the recovery codes, which cannot be read again
 * @throws AppError 401 for a wrong code, 409 when no set-up has begun
 */
export function confirmSecondFactor(
  em: EntityManager,
  context: UseCaseContext,
  seal: Seal,
  actor: AdministratorActor,
  code: string,
  beside: (tx: EntityManager) => Promise<void>,
): Promise<string[]> {
  const administrator = actor.administratorId;
  return transact(em, context, async (tx) => {
    const factor = await lockFactor(tx, administrator);
    if (!factor?.pendingSecret) throw notBegun();
    const now = context.clock.now();
    const lastStep = stepOf(seal.open(factor.pendingSecret, administrator), bareKey(code), now);
    if (lastStep === null) throw wrongCode();
    await tx.nativeUpdate(
      SecondFactor,
      { administrator },
      { secret: factor.pendingSecret, confirmedAt: now, lastStep, pendingSecret: null },
    );
    await recordChange(tx, context, actor, { action: 'second-factor-set', ...aboutOneself(actor) });
    await beside(tx);
    return replaceRecoveryCodes(tx, administrator);
  });
}

/**
 * Replaces all recovery codes of an account.
 * @throws AppError 409 without a second factor
 */
export function renewRecoveryCodes(em: EntityManager, context: UseCaseContext, actor: AdministratorActor): Promise<string[]> {
  return transact(em, context, async (tx) => {
    const factor = await lockFactor(tx, actor.administratorId);
    if (!factor?.confirmedAt) throw notBegun();
    await recordChange(tx, context, actor, { action: 'codes-renewed', ...aboutOneself(actor) });
    return replaceRecoveryCodes(tx, actor.administratorId);
  });
}

async function replaceRecoveryCodes(tx: EntityManager, administrator: string): Promise<string[]> {
  const codes = Array.from({ length: recoveryCodeCount }, () => newPaperKey(4));
  await tx.nativeDelete(RecoveryCode, { administrator });
  await tx.insertMany(
    RecoveryCode,
    codes.map((code) => ({ id: hashRecoveryCode(code, administrator), administrator })),
  );
  return codes;
}

/**
 * Removes an account's second factor with its recovery codes. Returns false when it has none. The caller's audit entry names the
 * requester.
 */
export async function removeSecondFactor(
  tx: EntityManager,
  context: UseCaseContext,
  actor: Actor,
  { id, username }: { id: string; username: string },
): Promise<boolean> {
  const factor = await lockFactor(tx, id);
  if (!factor?.confirmedAt) return false;
  await tx.nativeDelete(RecoveryCode, { administrator: id });
  await tx.nativeDelete(SecondFactor, { administrator: id });
  await recordChange(tx, context, actor, { action: 'second-factor-removed', subject: 'administrator', subjectId: id, label: username });
  return true;
}

/**
 * Uses up a code of the application or a recovery code, in the caller's transaction.
 * @returns which of the two it was; null for a wrong or used code
 */
export async function takeCode(
  tx: EntityManager,
  context: UseCaseContext,
  seal: Seal,
  administrator: string,
  typed: string,
): Promise<'application' | 'recovery' | null> {
  const factor = await lockFactor(tx, administrator);
  if (!factor?.secret) return null;
  const now = context.clock.now();
  if (!isApplicationCode(typed)) {
    const code = { id: hashRecoveryCode(typed, administrator), administrator, usedAt: null };
    return (await tx.nativeUpdate(RecoveryCode, code, { usedAt: now })) > 0 ? 'recovery' : null;
  }
  const step = stepOf(seal.open(factor.secret, administrator), bareKey(typed), now);
  if (step === null || step <= (factor.lastStep ?? 0)) return null;
  await tx.nativeUpdate(SecondFactor, { administrator }, { lastStep: step });
  return 'application';
}

/** Returns whether this can be a code of an application. A password cannot, since passwords must hold letters. */
export const isApplicationCode = (typed: string): boolean => /^\d{6}$/.test(bareKey(typed));

const aboutOneself = (actor: AdministratorActor) =>
  ({ subject: 'administrator', subjectId: actor.administratorId, label: actor.name }) as const;

const notBegun = () =>
  new AppError(
    'SECOND_FACTOR.NOT_BEGUN',
    409,
    "La validation en deux étapes n'est pas en cours d'activation. Recommencez depuis « Mon compte ».",
  );
