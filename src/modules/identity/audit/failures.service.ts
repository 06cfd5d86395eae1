import type { EntityManager, MikroORM } from '@mikro-orm/postgresql';
import { AppError } from '../../../platform/errors.ts';
import { type AttemptLimiter, createAttemptLimiter } from '../../../platform/limits/attempt-limiter.ts';
import type { UseCaseContext } from '../../../platform/use-cases/events.ts';
import { transact } from '../../../platform/use-cases/transaction.ts';
import { findAdministrator } from '../accounts/account.repository.ts';
import { type Actor, type AdministratorActor, stranger } from '../accounts/actor.ts';
import { type Change, recordChange } from './audit.service.ts';

/** Failures per account and hour in the log. All unknown accounts together count as one account. */
const failuresPerHour = 20;

/** Limits that keep strangers from flooding the audit log. Beyond them a failure is only written to the process log. */
export async function createFailureLimits(orm: MikroORM) {
  const limiter = (name: string, points: number) => createAttemptLimiter(orm, { name, points, windowSeconds: 3_600 });
  return { failures: await limiter('journal-failures', failuresPerHour), once: await limiter('journal-once', 1) };
}
export type FailureLimits = Awaited<ReturnType<typeof createFailureLimits>>;

/** The failed step of a sign-in, as stored in the log. */
export type SignInStep = 'mot de passe' | 'code' | 'code de secours' | 'clé pour un nouveau mot de passe';

/**
 * Records a failed sign-in without an author. An e-mail without an account is not stored: its owner is probably no administrator and
 * has mistaken the page.
 * Once the hourly limit of unknown accounts is reached, they cost one statement less than known accounts.
 */
export async function recordSignInFailure(
  em: EntityManager,
  context: UseCaseContext,
  limits: FailureLimits,
  { email, network, step, error }: { email: string; network: string; step: SignInStep; error: unknown },
): Promise<void> {
  if (!(error instanceof AppError)) return;
  const known = await findAdministrator(em, email);
  const key = known?.id ?? 'unknown';
  const about = {
    subject: 'administrator',
    subjectId: known?.id ?? null,
    label: known?.username ?? 'Compte inconnu',
    after: { etape: step },
  } as const;
  // A refusal by the limits is recorded once per hour.
  if (error.status === 429) await recordWithin(em, context, limits.once, key, stranger(network), { action: 'attempts-limited', ...about });
  else if ([401, 403, 410].includes(error.status))
    await recordWithin(em, context, limits.failures, key, stranger(network), { action: 'sign-in-failed', ...about });
}

/** Records that an administrator requested a page that their role may not open; each page once per hour. */
export function recordRefusal(
  em: EntityManager,
  context: UseCaseContext,
  limits: FailureLimits,
  actor: AdministratorActor,
  page: string,
): Promise<void> {
  const key = `${actor.administratorId} ${page}`;
  return recordWithin(em, context, limits.once, key, actor, { action: 'refused', subject: 'page', label: page });
}

/** Records a wrong password or code in a confirmation. */
export function recordFailedConfirmation(
  em: EntityManager,
  context: UseCaseContext,
  limits: FailureLimits,
  actor: AdministratorActor,
): Promise<void> {
  const change = { action: 'confirmation-failed', subject: 'administrator', subjectId: actor.administratorId, label: actor.name } as const;
  return recordWithin(em, context, limits.failures, actor.administratorId, actor, change);
}

async function recordWithin(
  em: EntityManager,
  context: UseCaseContext,
  limiter: AttemptLimiter,
  key: string,
  actor: Actor,
  change: Change,
): Promise<void> {
  try {
    await limiter.consume(key);
  } catch (error) {
    if (!(error instanceof AppError)) throw error;
    context.log.warn({ network: actor.network, action: change.action, subjectId: change.subjectId }, 'not kept in the audit log');
    return;
  }
  await transact(em, context, (tx) => recordChange(tx, context, actor, change));
}
