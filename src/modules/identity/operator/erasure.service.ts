import { type EntityManager, LockMode, raw } from '@mikro-orm/postgresql';
import { allowErasing } from '../../../platform/database/append-only.ts';
import { notFound } from '../../../platform/errors.ts';
import { forgetAttempts } from '../../../platform/limits/attempt-limiter.ts';
import type { UseCaseContext } from '../../../platform/use-cases/events.ts';
import { transact } from '../../../platform/use-cases/transaction.ts';
import { trimBlanks } from '../../../shared/blanks.ts';
import type { Actor } from '../accounts/actor.ts';
// Imported for its event declarations.
import type {} from '../accounts/learner.events.ts';
import { hashPassword } from '../accounts/password.ts';
import { erasedName, redactionOf } from '../accounts/redaction.ts';
import { newToken } from '../accounts/token.ts';
import { User } from '../accounts/user.entity.ts';
import { recordChange } from '../audit/audit.service.ts';
import { redactChanges } from '../audit/audit-redaction.ts';
import { PasswordReset } from '../learners/password-reset.entity.ts';
import { lettersName } from '../learners/password-reset.service.ts';
import { endEverySession } from '../learners/profile.service.ts';
import { forgetFailures } from '../sign-in/sign-in-limits.ts';

export const learnerNotFound = () => notFound("Aucun compte de candidat n'a cette adresse électronique.");

/**
 * Erases a learner's personal data for good, in one transaction. The e-mail and the username become free again; bookings of money
 * stay.
 * @throws AppError 404 when the learner does not exist; 409 while payments are open
 */
export function eraseLearner(
  em: EntityManager,
  context: UseCaseContext,
  actor: Actor,
  address: string,
): Promise<{ id: string; erasedAt: Date }> {
  return transact(em, context, async (tx) => {
    // Sign-ins, payments and reset e-mails of this learner wait for this row lock and then see the new state.
    const user = await tx.findOne(
      User,
      { [raw('lower(email)')]: trimBlanks(address).toLowerCase(), erasedAt: null },
      { lockMode: LockMode.PESSIMISTIC_WRITE, disableIdentityMap: true },
    );
    if (!user) throw learnerNotFound();
    const { id, email, username } = user;
    const erasedAt = context.clock.now();
    const redact = redactionOf({ email, username });
    await allowErasing(tx);
    await context.events.emit(tx, context, 'learner.erasing', { userId: id, email, redact, at: erasedAt });
    await endEverySession(tx, context, id, null);
    await tx.nativeDelete(PasswordReset, { user: id });
    await forgetFailures(tx, 'user', email);
    await forgetAttempts(tx, [lettersName], email.toLowerCase());
    await redactChanges(tx, 'learner', [id], redact);
    const unconfirmed = { emailConfirmedAt: null, confirmationHash: null, confirmationExpiresAt: null };
    await tx.nativeUpdate(
      User,
      { id },
      { ...nobody(id), ...unconfirmed, passwordHash: await hashPassword(newToken()), isDemo: false, blockedReason: null, erasedAt },
    );
    await recordChange(tx, context, actor, { action: 'erased', subject: 'learner', subjectId: id, label: erasedName });
    return { id, erasedAt };
  });
}

/** Returns a username and an e-mail that no form accepts, and that identify the account as erased on every page. */
const nobody = (id: string) => {
  const part = id.slice(-12);
  return { username: `${erasedName} ${part}`, email: `compte-efface-${part}@efface.invalid` };
};
