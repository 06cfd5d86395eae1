import type { EntityManager, MikroORM } from '@mikro-orm/postgresql';
import { AppError } from '../../../platform/errors.ts';
import { type AttemptLimiter, createAttemptLimiter } from '../../../platform/limits/attempt-limiter.ts';
import type { UseCaseContext } from '../../../platform/use-cases/events.ts';
import { transact } from '../../../platform/use-cases/transaction.ts';
import { findAdministrator } from '../accounts/account.repository.ts';
import { type Actor, type AdministratorActor, stranger } from '../accounts/actor.ts';
import { type Change, recordChange } from './audit.service.ts';

/** Failures of one account that the log keeps in an hour; those of all unknown accounts count as one account's. */
const failuresPerHour = 20;

/** What keeps strangers from filling the log: beyond these an entry is a line of the process's own log. */
export async function createFailureLimits(orm: MikroORM) {
  const limiter = (name: string, points: number) => createAttemptLimiter(orm, { name, points, windowSeconds: 3_600 });
  return { failures: await limiter('journal-failures', failuresPerHour), once: await limiter('journal-once', 1) };
}
export type FailureLimits = Awaited<ReturnType<typeof createFailureLimits>>;

/** Which step of a sign-in has failed, in the log's words. */
export type SignInStep = 'mot de passe' | 'code' | 'code de secours' | 'clé pour un nouveau mot de passe';

/**
 * Writes a failed sign-in into the log, by nobody who is known. An e-mail without an account is not kept: whoever has mistaken the page is no
 * administrator. Once the unknown ones of an hour are used up, they cost a statement less than a known one does.
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
  // Counted as one refusal however long it lasts, and once an hour.
  if (error.status === 429) await recordWithin(em, context, limits.once, key, stranger(network), { action: 'attempts-limited', ...about });
  else if ([401, 403, 410].includes(error.status))
    await recordWithin(em, context, limits.failures, key, stranger(network), { action: 'sign-in-failed', ...about });
}

/** Writes into the log that somebody has asked for a page which their role does not open: each page once an hour. */
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

/** Writes into the log that somebody in a session could not confirm who they are. */
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
