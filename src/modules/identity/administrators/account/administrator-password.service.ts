import type { EntityManager } from '@mikro-orm/postgresql';
import type { UseCaseContext } from '../../../../platform/use-cases/events.ts';
import { transact } from '../../../../platform/use-cases/transaction.ts';
import { passwordChangeSchema } from '../../../../shared/forms/account.ts';
import { parseForm } from '../../../../shared/forms/field-errors.ts';
import { Administrator } from '../../accounts/administrator.entity.ts';
import { invalidForm } from '../../accounts/identity.errors.ts';
import { hashPassword, verifyPassword } from '../../accounts/password.ts';
import { hashToken } from '../../accounts/token.ts';
import { recordChange } from '../../audit/audit.service.ts';
import { recordFailedConfirmation } from '../../audit/failures.service.ts';
import type { Caller } from '../../sign-in/caller.ts';
import type { OwnSession } from '../confirmation/confirmation.service.ts';
import type { AdministratorLimits } from '../sessions/administrator-limits.ts';
import {
  endEveryAdministratorSession,
  type OpenedAdministrator,
  openAdministratorSession,
} from '../sessions/administrator-sessions.service.ts';

/**
 * Replaces an administrator's password, given the current one.
 * Ends all sessions, pending sign-ins and reset keys, forgets known devices, and opens a new session.
 * @throws AppError 400 with the faults of all fields, 429 with Retry-After after too many wrong current passwords
 */
export async function changeAdministratorPassword(
  em: EntityManager,
  context: UseCaseContext,
  { actor, token }: OwnSession,
  form: unknown,
  limits: AdministratorLimits,
  caller: Caller,
): Promise<OpenedAdministrator> {
  const { data, errors } = parseForm(passwordChangeSchema, form);
  if (errors) throw invalidForm(errors);
  const sessionId = hashToken(token);
  await limits.confirmationPerSession.consume(sessionId);
  const id = actor.administratorId;
  const found = await em.findOne(Administrator, { id }, { populate: ['passwordHash'], disableIdentityMap: true });
  const stored = found?.passwordHash ?? null;
  if (!(await verifyPassword(stored, data.currentPassword)) || stored === null) {
    await recordFailedConfirmation(em, context, limits.journal, actor);
    throw wrongCurrentPassword();
  }
  await limits.confirmationPerSession.giveBack(sessionId);
  if (found) limits.refuseCommonPassword(data.password, found);
  const passwordHash = await hashPassword(data.password);
  return transact(em, context, async (tx) => {
    // Of two concurrent changes one wins: the other one's current password no longer matches.
    if ((await tx.nativeUpdate(Administrator, { id, passwordHash: stored }, { passwordHash })) === 0) throw wrongCurrentPassword();
    await recordChange(tx, context, actor, { action: 'password-changed', subject: 'administrator', subjectId: id, label: actor.name });
    await endEveryAdministratorSession(tx, context, id);
    return openAdministratorSession(tx, context, id, limits, caller);
  });
}

const wrongCurrentPassword = () => invalidForm([{ field: 'currentPassword', message: 'Le mot de passe actuel est incorrect' }]);
