import type { EntityManager } from '@mikro-orm/postgresql';
import type { UseCaseContext } from '../../../platform/use-cases/events.ts';
import { transact } from '../../../platform/use-cases/transaction.ts';
import { findLearner } from '../accounts/account.repository.ts';
import type { Actor } from '../accounts/actor.ts';
import { Administrator } from '../accounts/administrator.entity.ts';
import { hashPassword } from '../accounts/password.ts';
import { newToken } from '../accounts/token.ts';
import { User } from '../accounts/user.entity.ts';
import { endEveryAdministratorSession } from '../administrators/sessions/administrator-sessions.service.ts';
import { recordChange } from '../audit/audit.service.ts';
import { registerLearner, setPassword } from '../learners/learner.service.ts';
import { endEverySession } from '../learners/profile.service.ts';

/** A learner of the demonstration: made, or given its password again. Answers its id. Never in production. */
export async function ensureDemoLearner(
  em: EntityManager,
  context: UseCaseContext,
  { username, email, password }: { username: string; email: string; password: string },
): Promise<string> {
  const domain = email.split('@')[1] ?? '';
  const known = await findLearner(em, email);
  if (known) await setPassword(em, known.id, password);
  const { id } = known ?? (await registerLearner(em, context, { username, email, password, confirmPassword: password }, [domain]));
  await em.nativeUpdate(User, { id }, { isDemo: true });
  return id;
}

/** Accounts whose password everybody can read in the documentation. */
export async function findDemoAccounts(em: EntityManager) {
  // There are three of them.
  const [learners, administrators] = [
    await em.find(User, { isDemo: true }, { limit: 20, orderBy: { email: 'asc' } }),
    await em.find(Administrator, { isDemo: true }, { limit: 20, orderBy: { email: 'asc' } }),
  ];
  const present =
    (kind: 'learner' | 'administrator') =>
    ({ id, username, email }: Pick<User, 'id' | 'username' | 'email'>) => ({ kind, id, username, email });
  return [...learners.map(present('learner')), ...administrators.map(present('administrator'))];
}

type DemoAccount = Awaited<ReturnType<typeof findDemoAccounts>>[number];

/**
 * Shuts the demonstration's accounts for good: nobody knows their passwords any more, their sessions end, the administrators are disabled. What they have
 * done stays. Answers those that it has shut.
 */
export function closeDemoAccounts(em: EntityManager, context: UseCaseContext, actor: Actor): Promise<DemoAccount[]> {
  return transact(em, context, async (tx) => {
    const accounts = await findDemoAccounts(tx);
    for (const { kind, id, username } of accounts) {
      const closed = { isDemo: false, passwordHash: await hashPassword(newToken()) };
      if (kind === 'learner') {
        await tx.nativeUpdate(User, { id }, closed);
        await endEverySession(tx, context, id, null);
      } else {
        await tx.nativeUpdate(Administrator, { id }, { ...closed, disabledAt: context.clock.now() });
        await endEveryAdministratorSession(tx, context, id);
      }
      await recordChange(tx, context, actor, { action: 'disabled', subject: kind, subjectId: id, label: username });
    }
    return accounts;
  });
}

/** Why production does not start with these, in French; null without any. */
export function demoAccountsFault(accounts: readonly DemoAccount[]): string | null {
  if (accounts.length === 0) return null;
  const words = { learner: 'candidat', administrator: 'administrateur' };
  const named = accounts.map(({ kind, email }) => `${email} (${words[kind]})`).join(', ');
  return `La base contient des comptes de démonstration, refusés en production : ${named}. « prepa demo close » les ferme.`;
}
