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

/** Recovery codes that are shown at once. */
const recoveryCodeCount = 10;

/** Random and long (16 characters, 78 bits): it needs no slower hash, and its owner's id keeps one table from serving for everybody. */
const hashRecoveryCode = (code: string, administratorId: string): string =>
  createHash('sha256')
    .update(`${administratorId} ${bareKey(code)}`)
    .digest('hex');

/** Locked: of two uses of a code at the same instant one wins. */
const lockFactor = (tx: EntityManager, administrator: string) =>
  tx.findOne(
    SecondFactor,
    { administrator },
    { populate: ['secret', 'pendingSecret'], lockMode: LockMode.PESSIMISTIC_WRITE, disableIdentityMap: true },
  );

/** What an account's own page says of it. */
export async function describeSecondFactor(em: EntityManager, administrator: string) {
  const factor = await em.findOne(SecondFactor, { administrator }, { disableIdentityMap: true });
  const confirmedAt = factor?.confirmedAt ?? null;
  const codesLeft = confirmedAt === null ? 0 : await em.count(RecoveryCode, { administrator, usedAt: null });
  return { confirmedAt, codesLeft };
}

/** Whether this account's sign-in asks for a code. */
export async function hasSecondFactor(em: EntityManager, administrator: string): Promise<boolean> {
  return (await em.count(SecondFactor, { administrator, confirmedAt: { $ne: null } })) > 0;
}

/** Begins to set an application up, in the place of one that was begun before. One that is in use stays so until then. */
export async function beginSecondFactor(em: EntityManager, seal: Seal, administrator: string): Promise<void> {
  const pendingSecret = seal.seal(newSecret(), administrator);
  await em.fork().upsert(SecondFactor, { administrator, pendingSecret }, { onConflictMergeFields: ['pendingSecret'] });
}

/** What was being set up is forgotten: whoever began it knows the secret. One that is in use stays. */
export async function forgetSetUp(tx: EntityManager, administrator: string): Promise<void> {
  await tx.nativeDelete(SecondFactor, { administrator, confirmedAt: null });
  await tx.nativeUpdate(SecondFactor, { administrator }, { pendingSecret: null });
}

/** The secret of the application that is being set up; null when none is. */
export async function pendingSecret(em: EntityManager, seal: Seal, administrator: string): Promise<string | null> {
  const factor = await em.findOne(SecondFactor, { administrator }, { populate: ['pendingSecret'], disableIdentityMap: true });
  return factor?.pendingSecret ? seal.open(factor.pendingSecret, administrator) : null;
}

/**
 * From now on codes of the application that is being set up are asked for; all recovery codes are new.
 * @param beside what else the change does, in its transaction
 * @returns the recovery codes, which are not to be had again
 * @throws AppError 401 for a wrong code, 409 when nothing is being set up
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
 * Gives an account new recovery codes in the place of all that it has.
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

/** Takes an account's second factor away, with its recovery codes; false when it has none. The caller's change says who has asked for it. */
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
 * Uses a code up, in the caller's transaction: one of the application's, or a recovery code.
 * @returns which of the two it was; null for a wrong one, and for one that has been used
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

/** Whether this can be a code of an application; a password never is, by its rules. */
export const isApplicationCode = (typed: string): boolean => /^\d{6}$/.test(bareKey(typed));

const aboutOneself = (actor: AdministratorActor) =>
  ({ subject: 'administrator', subjectId: actor.administratorId, label: actor.name }) as const;

const notBegun = () =>
  new AppError(
    'SECOND_FACTOR.NOT_BEGUN',
    409,
    "La validation en deux étapes n'est pas en cours d'activation. Recommencez depuis « Mon compte ».",
  );
