import { type EntityManager, UniqueConstraintViolationException } from '@mikro-orm/postgresql';
import type { UseCaseContext } from '../../../platform/use-cases/events.ts';
import { transact } from '../../../platform/use-cases/transaction.ts';
import { passwordChangeSchema } from '../../../shared/forms/account.ts';
import { parseForm } from '../../../shared/forms/field-errors.ts';
import { profileSchema } from '../../../shared/forms/learner.ts';
import { refuseTaken } from '../accounts/account.repository.ts';
import { invalidForm } from '../accounts/identity.errors.ts';
import type { Learner } from '../accounts/learner.ts';
import { hashPassword, verifyPassword } from '../accounts/password.ts';
import { hashToken } from '../accounts/token.ts';
import { User } from '../accounts/user.entity.ts';
import { endSessions, endShownSession } from '../sessions/session.repository.ts';
import type { SessionEnding } from '../sessions/session-endings.ts';
import { learnerSessions } from '../sessions/sessions.ts';
import { sessionGone } from '../sessions/shown-session.ts';
import type { Caller } from '../sign-in/caller.ts';
import { forgetDevices } from '../sign-in/known-device.repository.ts';
import { type LearnerLimits, openLearnerSession, type SignedIn } from './learner.service.ts';
import { PasswordReset } from './password-reset.entity.ts';

/**
 * Changes a learner's username.
 * @throws AppError 400 with the field's fault, 409 when the name is taken, ignoring case
 */
export async function renameLearner(em: EntityManager, context: UseCaseContext, learner: Learner, form: unknown): Promise<Learner> {
  const { data, errors } = parseForm(profileSchema, form);
  if (errors) throw invalidForm(errors);
  const changed = { ...learner, ...data };
  await refuseTaken(em, User, changed, learner.id);
  try {
    await em.nativeUpdate(User, { id: learner.id }, data);
  } catch (error) {
    // A concurrent request took the name: the unique index decides.
    if (error instanceof UniqueConstraintViolationException) await refuseTaken(em, User, changed, learner.id);
    throw error;
  }
  context.log.info({ userId: learner.id }, 'learner renamed');
  return changed;
}

/**
 * Replaces a learner's password, given the current one.
 * Ends all sessions and pending password resets, forgets known devices, and opens a new session.
 * @throws AppError 400 with the faults of all fields, 429 with Retry-After after too many wrong current passwords
 */
export async function changePassword(
  em: EntityManager,
  context: UseCaseContext,
  { learner, token }: { learner: Learner; token: string },
  form: unknown,
  limits: LearnerLimits,
  caller: Caller,
): Promise<SignedIn> {
  const { data, errors } = parseForm(passwordChangeSchema, form);
  if (errors) throw invalidForm(errors);
  limits.refuseCommonPassword(data.password, learner);
  const { id } = learner;
  const sessionId = hashToken(token);
  await limits.passwordPerSession.consume(sessionId);
  const user = await em.findOne(User, { id }, { populate: ['passwordHash'], disableIdentityMap: true });
  const stored = user?.passwordHash ?? null;
  if (!(await verifyPassword(stored, data.currentPassword)) || stored === null) throw wrongCurrentPassword();
  await limits.passwordPerSession.giveBack(sessionId);
  const passwordHash = await hashPassword(data.password);
  const opened = await transact(em, context, async (tx) => {
    // Of two concurrent changes one wins: the other one's current password no longer matches.
    if ((await tx.nativeUpdate(User, { id, passwordHash: stored }, { passwordHash })) === 0) throw wrongCurrentPassword();
    await endEverySession(tx, context, id, 'password');
    return openLearnerSession(tx, context, id, limits, caller);
  });
  context.log.info({ userId: id }, 'password changed');
  return opened;
}

/**
 * Ends all that was opened with a password that is no longer valid: sessions, pending password resets and known devices.
 * @param why the reason shown on the learner's devices; null deletes the sessions without a reason
 */
export async function endEverySession(
  em: EntityManager,
  context: UseCaseContext,
  userId: string,
  why: SessionEnding | null,
): Promise<void> {
  await em.nativeDelete(PasswordReset, { user: userId, usedAt: null });
  if (why) await endSessions(em, context, userId, null, why);
  else await learnerSessions.closeAll(em, context.clock, userId);
  await forgetDevices(em, 'user', userId);
}

/** Ends one of the learner's own sessions. @throws AppError 404 when the id belongs to none of them */
export async function endSession(em: EntityManager, context: UseCaseContext, learner: Learner, shownId: string): Promise<void> {
  if (!(await transact(em, context, (tx) => endShownSession(tx, context, learner.id, shownId, 'elsewhere')))) throw sessionGone();
}

const wrongCurrentPassword = () => invalidForm([{ field: 'currentPassword', message: 'Le mot de passe actuel est incorrect' }]);
