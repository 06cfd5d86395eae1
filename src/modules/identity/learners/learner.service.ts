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
  /** The site's support addresses, shown to a blocked learner. */
  site: Config['site'];
  /** Maximum number of open sessions of a learner, on all devices; 0: no limit. */
  sessionsPerLearner: number;
  signIn: SignInLimits;
  refuseCommonPassword: RefuseCommonPassword;
  registrationPerNetwork: AttemptLimiter;
  /**
   * Limit of wrong current passwords in a session. It is counted per session, so that an attacker in another session cannot use
   * up the owner's attempts.
   */
  passwordPerSession: AttemptLimiter;
  /** Limit of requested e-mails per typed address, with or without an account. Each known device counts separately. */
  resetPerAccount: AttemptLimiter;
  resetPerNetwork: AttemptLimiter;
}

/**
 * Creates a learner's account.
 * @throws AppError 400 with the faults of all fields, 409 when the username or e-mail is taken, ignoring case
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
 * Opens a session for a learner whose identity the caller has just verified, and stores the device as known to the account.
 * If the settings limit the number of sessions, the least recently used sessions end.
 * @throws AppError 403 for a blocked learner
 */
export async function openLearnerSession(
  tx: EntityManager,
  context: UseCaseContext,
  learnerId: string,
  { sessionsPerLearner, site }: Pick<LearnerLimits, 'sessionsPerLearner' | 'site'>,
  { device, deviceToken }: Caller,
) {
  // Row lock: a concurrent sign-in counts this session too, and a concurrent block of the account waits for this transaction.
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
 * Signs a learner in, within the limits (withinSignInLimits).
 * @param presented token of the browser's present session, which the new session replaces; null if the browser has no session
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
    // A concurrent password change has ended all sessions; the old password must not open another one.
    if (!(await tx.findOne(User, { id, passwordHash: user.passwordHash }, { lockMode: LockMode.PESSIMISTIC_WRITE })))
      throw wrongCredentials();
    // Close this device's earlier session first; otherwise the limit could end the session of another device.
    if (presented) await learnerSessions.close(tx, context.clock, presented);
    return openLearnerSession(tx, context, id, limits, caller);
  });
  return { learner: learnerOf(user), ...opened };
}

/** Ends the session of this token and deletes its row. */
export const signOut = (em: EntityManager, context: UseCaseContext, token: string): Promise<void> =>
  transact(em, context, async (tx) => {
    await learnerSessions.close(tx, context.clock, token);
    await context.events.emit(tx, context, 'sessions.ended', { sessions: [hashToken(token)], ending: 'sign-out', at: context.clock.now() });
  });

/** Sets a learner's password, which the caller has validated. */
export async function setPassword(em: EntityManager, userId: string, password: string): Promise<void> {
  await em.nativeUpdate(User, { id: userId }, { passwordHash: await hashPassword(password) });
}
