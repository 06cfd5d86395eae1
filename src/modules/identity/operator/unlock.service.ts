import type { EntityManager } from '@mikro-orm/postgresql';
import { notFound } from '../../../platform/errors.ts';
import { forgetAttempts } from '../../../platform/limits/attempt-limiter.ts';
import type { UseCaseContext } from '../../../platform/use-cases/events.ts';
import { transact } from '../../../platform/use-cases/transaction.ts';
import { findAdministrator, findLearner } from '../accounts/account.repository.ts';
import type { Actor } from '../accounts/actor.ts';
import type { User } from '../accounts/user.entity.ts';
import { recordChange } from '../audit/audit.service.ts';
import { lettersName } from '../learners/password-reset.service.ts';
import { forgetFailures } from '../sign-in/sign-in-limits.ts';

interface UnlockedAccount extends Pick<User, 'username' | 'email'> {
  kind: 'learner' | 'administrator';
  /** Number of reset counters, one per network or device with failures; 0: the account was not limited. */
  forgotten: number;
}

/**
 * Resets the failed sign-ins of the learner's and administrator's accounts of this e-mail, and the learner's requests for e-mails.
 * The next sign-in depends only on its password.
 * @throws AppError 404 when there is no such account
 */
export async function unlockAccounts(em: EntityManager, context: UseCaseContext, actor: Actor, email: string): Promise<UnlockedAccount[]> {
  const learner = await findLearner(em, email);
  const administrator = await findAdministrator(em, email);
  if (!learner && !administrator) throw notFound("Aucun compte n'a cette adresse électronique.");
  return transact(em, context, async (tx) => {
    const unlocked: UnlockedAccount[] = [];
    if (learner) {
      const letters = await forgetAttempts(tx, [lettersName], learner.email.toLowerCase());
      const forgotten = letters + (await forgetFailures(tx, 'user', learner.email));
      unlocked.push({ kind: 'learner', username: learner.username, email: learner.email, forgotten });
    }
    if (administrator) {
      const forgotten = await forgetFailures(tx, 'administrator', administrator.email);
      unlocked.push({ kind: 'administrator', username: administrator.username, email: administrator.email, forgotten });
    }
    for (const { kind, username, forgotten } of unlocked) {
      const subjectId = (kind === 'learner' ? learner : administrator)?.id ?? null;
      if (forgotten > 0) await recordChange(tx, context, actor, { action: 'unlocked', subject: kind, subjectId, label: username });
    }
    return unlocked;
  });
}
