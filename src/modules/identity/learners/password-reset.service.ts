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

/** What letters are counted by, of an e-mail. */
export const lettersName = 'reset-account';
/** How long a letter's link may be used, in ms. */
export const resetLifetimeMs = 3_600_000;

/**
 * The address that a letter is asked for. Nothing here depends on whether it has an account, but for a device that has signed in to it: that is looked
 * up after the answer.
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
 * A way back into the account of this e-mail, in the place of any older one; null where there is no such account.
 * @returns the token, which is not to be had again
 */
export function openReset(
  em: EntityManager,
  context: UseCaseContext,
  email: string,
): Promise<{ token: string; username: string; email: string } | null> {
  return transact(em, context, async (tx) => {
    // Locked: of two letters asked for at the same instant only one holds.
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

/** Whose password this token may replace; null for a missing, unknown, used or expired one. */
export async function findReset(
  em: EntityManager,
  { clock }: UseCaseContext,
  token: string | null,
): Promise<{ userId: string; username: string; email: string } | null> {
  return token === null ? null : ((await find(em, [hashToken(token), clock.now()]))[0] ?? null);
}

/**
 * Replaces the password of who has the letter. The letter is used up, all sessions end, and failed sign-ins are forgiven: whoever has forgotten
 * a password has mostly tried before. Their device is known to the account from now on, and no other: nobody's failures keep it from the sign-in.
 * @returns whose it is, and what the device is known by
 * @throws AppError 400 with every field's fault, 409 when the form names another account than the letter's, 410 for a missing, unknown, used or
 * expired token: one message for all
 */
export async function resetPassword(
  em: EntityManager,
  context: UseCaseContext,
  token: string | null,
  form: unknown,
  limits: LearnerLimits,
  { deviceToken: presented }: Caller,
): Promise<{ userId: string; deviceToken: string }> {
  // The letter first: only a good one is worth the hashing of a password.
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
    // Of two uses at the same instant one wins.
    const open = { id: hashToken(token), usedAt: null, expiresAt: { $gt: usedAt } };
    if ((await tx.nativeUpdate(PasswordReset, open, { usedAt })) === 0) throw resetGone();
    // Whoever has this letter has shown that letters arrive.
    await tx.nativeUpdate(User, { id: userId, emailConfirmedAt: null }, { emailConfirmedAt: usedAt, confirmationHash: null });
    await tx.nativeUpdate(User, { id: userId }, { passwordHash });
    await endEverySession(tx, context, userId, 'password');
    await forgetFailures(tx, 'user', email);
    return rememberDevice(tx, context.clock, 'user', userId, presented);
  });
  context.log.info({ userId }, 'password reset');
  return { userId, deviceToken };
}

/** So many letters have been sent that one of them is there to be used, whoever has asked for it. */
const lettersSent = (wait: string) =>
  `Trop de messages demandés pour cette adresse. Suivez le lien du dernier message reçu, ou réessayez dans ${wait}.`;

/** The account that a page's form was shown for; a program's names none. */
const named = (form: unknown): unknown => (form as { username?: unknown } | null | undefined)?.username;
