import type { EntityManager } from '@mikro-orm/postgresql';
import type { UseCaseContext } from '../../../../platform/use-cases/events.ts';
import { transact } from '../../../../platform/use-cases/transaction.ts';
import { isOfLength } from '../../../../shared/forms/password.ts';
import type { AdministratorActor } from '../../accounts/actor.ts';
import { Administrator } from '../../accounts/administrator.entity.ts';
import { invalidForm, wrongConfirmation } from '../../accounts/identity.errors.ts';
import { verifyPassword } from '../../accounts/password.ts';
import { hashToken } from '../../accounts/token.ts';
import { recordFailedConfirmation } from '../../audit/failures.service.ts';
import { AdministratorSession } from '../../sessions/administrator-session.entity.ts';
import { isApplicationCode, takeCode } from '../second-factor/second-factor.service.ts';
import type { Seal } from '../second-factor/secret-seal.ts';
import type { AdministratorLimits } from '../sessions/administrator-limits.ts';

/** Time for which a given password or code counts as a confirmation, in ms. */
const freshMs = 15 * 60_000;

export const isFresh = (confirmedAt: Date, now: Date): boolean => now.getTime() - confirmedAt.getTime() < freshMs;

export interface OwnSession {
  actor: AdministratorActor;
  /** Token of the session. */
  token: string;
}

/**
 * Records that the administrator of this session has just given their password or a code.
 * @throws AppError 400 with the field's fault, 429 with Retry-After after too many wrong ones
 */
export async function confirmIdentity(
  em: EntityManager,
  context: UseCaseContext,
  { actor, token }: OwnSession,
  typed: string,
  { limits, seal }: { limits: AdministratorLimits; seal: Seal },
): Promise<void> {
  if (typed === '') throw invalidForm([{ field: 'confirmation', message: 'Saisissez votre mot de passe' }]);
  const id = hashToken(token);
  await limits.confirmationPerSession.consume(id);
  if (!(await isRight(em, context, actor.administratorId, typed, seal))) {
    await recordFailedConfirmation(em, context, limits.journal, actor);
    throw wrongConfirmation();
  }
  await limits.confirmationPerSession.giveBack(id);
  await em.nativeUpdate(AdministratorSession, { id }, { confirmedAt: context.clock.now() });
}

async function isRight(em: EntityManager, context: UseCaseContext, id: string, typed: string, seal: Seal): Promise<boolean> {
  if (isApplicationCode(typed)) return (await transact(em, context, (tx) => takeCode(tx, context, seal, id, typed))) !== null;
  if (!isOfLength(typed)) return false;
  const found = await em.findOne(Administrator, { id }, { populate: ['passwordHash'], disableIdentityMap: true });
  return verifyPassword(found?.passwordHash ?? null, typed);
}
