import { randomUUID } from 'node:crypto';
import { type EntityManager, LockMode, UniqueConstraintViolationException } from '@mikro-orm/postgresql';
import type { AttemptLimiter } from '../../platform/attempt-limiter.ts';
import type { UseCaseContext } from '../../platform/events.ts';
import { transact } from '../../platform/transaction.ts';
import { parseForm } from '../../shared/forms/field-errors.ts';
import { registrationSchema, signInSchema } from '../../shared/forms/learner.ts';
import { findCredentials, refuseTaken } from './accounts.ts';
import { invalidForm, wrongCredentials } from './identity.errors.ts';
import { hashPassword, verifyPassword } from './password.ts';
import { type Learner, learnerSessions, type OpenSession } from './sessions.ts';
import { User } from './user.entity.ts';

export interface LearnerLimits {
  signInPerAccount: AttemptLimiter;
  signInPerAddress: AttemptLimiter;
  registrationPerAddress: AttemptLimiter;
  /** Wrong current passwords, by the learner's id: counted apart, so that who fails at one door does not close the other. */
  passwordPerAccount: AttemptLimiter;
  /** Letters asked for, by the e-mail as it was typed, whether or not there is such an account. */
  resetPerAccount: AttemptLimiter;
  resetPerAddress: AttemptLimiter;
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
): Promise<Learner> {
  const { data, errors } = parseForm(registrationSchema(allowedDomains), form ?? {});
  if (errors) throw invalidForm(errors);
  await refuseTaken(em, User, data);
  const learner = { id: randomUUID(), username: data.username, email: data.email };
  try {
    await em.insert(User, { ...learner, passwordHash: await hashPassword(data.password), createdAt: context.clock.now() });
  } catch (error) {
    // Somebody took the name in between: the unique index decides.
    if (error instanceof UniqueConstraintViolationException) await refuseTaken(em, User, data);
    throw error;
  }
  context.log.info({ userId: learner.id }, 'learner registered');
  return learner;
}

/**
 * Opens a session. Failures are counted tightly per account and generously per address, since carriers put thousands behind one.
 * @throws AppError 400, 401 (the same for an unknown e-mail and a wrong password), 429 with Retry-After
 */
export async function signIn(
  em: EntityManager,
  context: UseCaseContext,
  form: unknown,
  limits: LearnerLimits,
  { address, device }: { address: string; device: string | null },
): Promise<{ learner: Learner; session: OpenSession }> {
  const { data, errors } = parseForm(signInSchema, form ?? {});
  if (errors) throw invalidForm(errors);
  const account = data.email.toLowerCase();
  await limits.signInPerAddress.consume(address);
  await limits.signInPerAccount.consume(account);
  const user = await findCredentials(em, User, account);
  if (!(await verifyPassword(user?.passwordHash ?? null, data.password)) || !user) throw wrongCredentials();
  await limits.signInPerAccount.giveBack(account);
  const { id, username, email, passwordHash } = user;
  const session = await transact(em, context, async (tx) => {
    // Changed at this instant, the password has ended all sessions: the old one opens none after that.
    if (!(await tx.findOne(User, { id, passwordHash }, { lockMode: LockMode.PESSIMISTIC_READ }))) throw wrongCredentials();
    return learnerSessions.open(tx, context.clock, id, device);
  });
  return { learner: { id, username, email }, session };
}

/** Replaces a learner's password with one that has passed the rules. */
export async function setPassword(em: EntityManager, userId: string, password: string): Promise<void> {
  await em.nativeUpdate(User, { id: userId }, { passwordHash: await hashPassword(password) });
}
