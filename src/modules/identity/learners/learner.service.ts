import { randomUUID } from 'node:crypto';
import { type EntityManager, LockMode } from '@mikro-orm/postgresql';
import type { AttemptLimiter } from '../../../platform/limits/attempt-limiter.ts';
import type { Config } from '../../../platform/settings/config.ts';
import type { UseCaseContext } from '../../../platform/use-cases/events.ts';
import { transact } from '../../../platform/use-cases/transaction.ts';
import { parseForm } from '../../../shared/forms/field-errors.ts';
import { registrationSchema, signInSchema } from '../../../shared/forms/learner.ts';
import { findCredentials, insertAccount, refuseTaken } from '../accounts/account.repository.ts';
import type { RefuseCommonPassword } from '../accounts/common-password.ts';
import { invalidForm, learnerBlocked, wrongCredentials } from '../accounts/identity.errors.ts';
import { type Learner, learnerOf } from '../accounts/learner.ts';
import { hashPassword, verifyPassword } from '../accounts/password.ts';
import { hashToken } from '../accounts/token.ts';
import { User } from '../accounts/user.entity.ts';
import { endLeastUsed } from '../sessions/session.repository.ts';
import { sayBlocked } from '../sessions/session-endings.ts';
import { learnerSessions } from '../sessions/sessions.ts';
import type { Caller } from '../sign-in/caller.ts';
import { rememberDevice } from '../sign-in/known-device.repository.ts';
import { type SignInLimits, withinSignInLimits } from '../sign-in/sign-in-limits.ts';

export interface LearnerLimits {
  /** Whom a blocked learner is sent to. */
  site: Config['site'];
  /** Open at once, on all devices; 0: any number. */
  sessionsPerLearner: number;
  signIn: SignInLimits;
  refuseCommonPassword: RefuseCommonPassword;
  registrationPerNetwork: AttemptLimiter;
  /** Wrong current passwords, by the session: nobody in another one closes the owner's. */
  passwordPerSession: AttemptLimiter;
  /** Letters asked for, by the e-mail as it was typed, whether or not there is such an account; from each known device apart. */
  resetPerAccount: AttemptLimiter;
  resetPerNetwork: AttemptLimiter;
}

/**
 * Creates a learner's account.
 * @throws AppError 400 with every field's fault, 409 when the username or e-mail is taken, without regard to case
 */
export async function registerLearner(
  em: EntityManager,
  context: UseCaseContext,
  form: unknown,
  allowedDomains: readonly string[],
  refuseCommonPassword?: RefuseCommonPassword,
): Promise<Learner> {
  const { data, errors } = parseForm(registrationSchema(allowedDomains), form ?? {});
  if (errors) throw invalidForm(errors);
  refuseCommonPassword?.(data.password, data);
  await refuseTaken(em, User, data);
  const { password, confirmPassword: _, ...account } = data;
  const learner = { id: randomUUID(), ...account };
  await insertAccount(em, User, { ...learner, passwordHash: await hashPassword(password), createdAt: context.clock.now() });
  context.log.info({ userId: learner.id }, 'learner registered');
  return learner;
}

/**
 * Opens a session in a transaction, for whoever has just shown to be this learner: the device is known to the account from now on. Where the settings bound them,
 * those used least recently end.
 * @throws AppError 403 for a blocked learner
 */
export async function openLearnerSession(
  tx: EntityManager,
  context: UseCaseContext,
  learnerId: string,
  { sessionsPerLearner, site }: Pick<LearnerLimits, 'sessionsPerLearner' | 'site'>,
  { device, deviceToken }: Caller,
) {
  // Of two sign-ins at once the second counts what the first has opened, and whoever blocks this learner waits.
  const [{ blocked } = { blocked: false }] = await tx.execute<{ blocked: boolean }[]>(
    'select blocked_at is not null as blocked from app_user where id = ? for update',
    [learnerId],
  );
  if (blocked) throw learnerBlocked(sayBlocked(site));
  if (sessionsPerLearner > 0) await endLeastUsed(tx, context, learnerId, sessionsPerLearner - 1);
  const { clock } = context;
  return {
    session: await learnerSessions.open(tx, clock, learnerId, { device }),
    deviceToken: await rememberDevice(tx, clock, 'user', learnerId, deviceToken),
  };
}
export type SignedIn = Awaited<ReturnType<typeof openLearnerSession>>;

/**
 * Opens a session, within the limits (withinSignInLimits).
 * @param presented token of the session that this one takes the place of; null without one
 * @throws AppError 400, 401 (the same for an unknown e-mail and a wrong password), 403 for a blocked learner, 429 with Retry-After
 */
export async function signIn(
  em: EntityManager,
  context: UseCaseContext,
  form: unknown,
  limits: LearnerLimits,
  caller: Caller,
  presented: string | null,
): Promise<SignedIn & { learner: Learner }> {
  const { data, errors } = parseForm(signInSchema, form ?? {});
  if (errors) throw invalidForm(errors);
  const account = data.email.toLowerCase();
  const user = await withinSignInLimits(em, context, limits.signIn, account, caller, async () => {
    const found = await findCredentials(em, User, account);
    if (!(await verifyPassword(found?.passwordHash ?? null, data.password)) || !found) throw wrongCredentials();
    return found;
  });
  const { id } = user;
  const opened = await transact(em, context, async (tx) => {
    // Changed at this instant, the password has ended all sessions: the old one opens none after that.
    if (!(await tx.findOne(User, { id, passwordHash: user.passwordHash }, { lockMode: LockMode.PESSIMISTIC_WRITE })))
      throw wrongCredentials();
    // First, so that another device need not make room for the one that is here already.
    if (presented) await learnerSessions.close(tx, context.clock, presented);
    return openLearnerSession(tx, context, id, limits, caller);
  });
  return { learner: learnerOf(user), ...opened };
}

/** Ends the session of this token, and leaves nothing of it. */
export const signOut = (em: EntityManager, context: UseCaseContext, token: string): Promise<void> =>
  transact(em, context, async (tx) => {
    await learnerSessions.close(tx, context.clock, token);
    await context.events.emit(tx, context, 'sessions.ended', { sessions: [hashToken(token)], ending: 'sign-out', at: context.clock.now() });
  });

/** Replaces a learner's password with one that has passed the rules. */
export async function setPassword(em: EntityManager, userId: string, password: string): Promise<void> {
  await em.nativeUpdate(User, { id: userId }, { passwordHash: await hashPassword(password) });
}
