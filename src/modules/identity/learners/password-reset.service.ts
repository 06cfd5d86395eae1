import { type EntityManager, LockMode, raw } from '@mikro-orm/postgresql';
import { namedStatement } from '../../../platform/database/named-statement.ts';
import type { UseCaseContext } from '../../../platform/use-cases/events.ts';
import { transact } from '../../../platform/use-cases/transaction.ts';
import { forgottenPasswordSchema, passwordResetSchema } from '../../../shared/forms/account.ts';
import { parseForm } from '../../../shared/forms/field-errors.ts';
import { invalidForm, resetGone, resetOfAnother } from '../accounts/identity.errors.ts';
import { hashPassword } from '../accounts/password.ts';
import { hashToken, newToken } from '../accounts/token.ts';
import { User } from '../accounts/user.entity.ts';
import type { Caller } from '../sign-in/caller.ts';
import { findKnownDevice, rememberDevice } from '../sign-in/known-device.repository.ts';
import { forgetFailures } from '../sign-in/sign-in-limits.ts';
import type { LearnerLimits } from './learner.service.ts';
import { PasswordReset } from './password-reset.entity.ts';
import { endEverySession } from './profile.service.ts';

/** Name of the limiter that counts reset e-mails per address. */
export const lettersName = 'reset-account';
/** Validity of a link, in ms. */
export const resetLifetimeMs = 3_600_000;

/**
 * Validates the request for a reset e-mail and returns the address.
 * Nothing here depends on whether the address has an account, except for a device that has signed in to it; the account is looked up
 * after the response.
 * @throws AppError 400 with the field's fault, 429 with Retry-After
 */
export async function acceptResetRequest(
  em: EntityManager,
  context: UseCaseContext,
  form: unknown,
  limits: LearnerLimits,
  { network, deviceToken }: Caller,
): Promise<string> {
  const { data, errors } = parseForm(forgottenPasswordSchema, form);
  if (errors) throw invalidForm(errors);
  const email = data.email.toLowerCase();
  const known = await findKnownDevice(em, context.clock.now(), 'user', email, deviceToken);
  if (known === null) await limits.resetPerNetwork.consume(network);
  await limits.resetPerAccount.consume(email, known === null ? undefined : `device ${known}`, lettersSent);
  return email;
}

/**
 * Creates a password reset for the account of this e-mail, which replaces older ones; null when there is no account.
 * @returns the token, which cannot be read again
 */
export function openReset(
  em: EntityManager,
  context: UseCaseContext,
  email: string,
): Promise<{ token: string; username: string; email: string } | null> {
  return transact(em, context, async (tx) => {
    // Row lock: of two concurrent requests only one link stays valid.
    const user = await tx.findOne(User, { [raw('lower(email)')]: email }, { lockMode: LockMode.PESSIMISTIC_WRITE });
    if (!user) return null;
    const token = newToken();
    const createdAt = context.clock.now();
    const expiresAt = new Date(createdAt.getTime() + resetLifetimeMs);
    await tx.nativeDelete(PasswordReset, { user: user.id });
    await tx.insert(PasswordReset, { id: hashToken(token), user: user.id, createdAt, expiresAt, usedAt: null });
    context.log.info({ userId: user.id }, 'password reset opened');
    return { token, username: user.username, email: user.email };
  });
}

const find = namedStatement<{ userId: string; username: string; email: string }>({
  name: 'identity.password-reset',
  text: `select r.user_id, u.username, u.email from password_reset r join app_user u on u.id = r.user_id
         where r.id = $1 and r.used_at is null and r.expires_at > $2`,
});

/** Returns the account whose password this token may replace; null for a missing, unknown, used or expired token. */
export async function findReset(
  em: EntityManager,
  { clock }: UseCaseContext,
  token: string | null,
): Promise<{ userId: string; username: string; email: string } | null> {
  return token === null ? null : ((await find(em, [hashToken(token), clock.now()]))[0] ?? null);
}

/**
 * Replaces a learner's password, given the token of the e-mail.
 * Uses up the link, ends all sessions and resets failed sign-ins, since a learner with a forgotten password has mostly tried before.
 * From now on only this device is known to the account, so that failures of others do not block its sign-in.
 * @returns the account's id, and the token of the known device
 * @throws AppError 400 with the faults of all fields, 409 when the form names another account than the token's, 410 for a missing,
 * unknown, used or expired token: one message for all
 */
export async function resetPassword(
  em: EntityManager,
  context: UseCaseContext,
  token: string | null,
  form: unknown,
  limits: LearnerLimits,
  { deviceToken: presented }: Caller,
): Promise<{ userId: string; deviceToken: string }> {
  // The token is checked first: only a valid one justifies the cost of hashing a password.
  const found = await findReset(em, context, token);
  if (!found || token === null) throw resetGone();
  const { userId, email } = found;
  if (named(form) !== undefined && named(form) !== email) throw resetOfAnother();
  const { data, errors } = parseForm(passwordResetSchema, form);
  if (errors) throw invalidForm(errors);
  limits.refuseCommonPassword(data.password, found);
  const passwordHash = await hashPassword(data.password);
  const deviceToken = await transact(em, context, async (tx) => {
    const usedAt = context.clock.now();
    // Of two concurrent uses only one succeeds.
    const open = { id: hashToken(token), usedAt: null, expiresAt: { $gt: usedAt } };
    if ((await tx.nativeUpdate(PasswordReset, open, { usedAt })) === 0) throw resetGone();
    // Possession of the token proves that e-mails to this address arrive.
    await tx.nativeUpdate(User, { id: userId, emailConfirmedAt: null }, { emailConfirmedAt: usedAt, confirmationHash: null });
    await tx.nativeUpdate(User, { id: userId }, { passwordHash });
    await endEverySession(tx, context, userId, 'password');
    await forgetFailures(tx, 'user', email);
    return rememberDevice(tx, context.clock, 'user', userId, presented);
  });
  context.log.info({ userId }, 'password reset');
  return { userId, deviceToken };
}

/** Returns the refusal after several e-mails to one address. One e-mail should have arrived, so the text refers to the last one. */
const lettersSent = (wait: string) =>
  `Trop de messages demandés pour cette adresse. Suivez le lien du dernier message reçu, ou réessayez dans ${wait}.`;

/** Returns the username in the form; undefined for API calls, which do not send it. */
const named = (form: unknown): unknown => (form as { username?: unknown } | null | undefined)?.username;
