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

/** Creates a learner of the demonstration, or resets its password. Returns its id. Never called in production. */
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

/** Returns the accounts whose password is public in the documentation. */
export async function findDemoAccounts(em: EntityManager) {
  // The demonstration has three accounts.
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
 * Closes the demonstration's accounts for good: passwords become unknown, sessions end, administrators are disabled. Their content
 * stays. Returns the closed accounts.
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

/** Returns the French message that prevents the start of production; null when there are no such accounts. */
export function demoAccountsFault(accounts: readonly DemoAccount[]): string | null {
  if (accounts.length === 0) return null;
  const words = { learner: 'candidat', administrator: 'administrateur' };
  const named = accounts.map(({ kind, email }) => `${email} (${words[kind]})`).join(', ');
  return `La base contient des comptes de démonstration, refusés en production : ${named}. « prepa demo close » les ferme.`;
}
