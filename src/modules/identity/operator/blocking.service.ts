import { type EntityManager, LockMode } from '@mikro-orm/postgresql';
import * as z from 'zod/mini';
import { notFound } from '../../../platform/errors.ts';
import type { UseCaseContext } from '../../../platform/use-cases/events.ts';
import { transact } from '../../../platform/use-cases/transaction.ts';
import { parseForm } from '../../../shared/forms/field-errors.ts';
import type { Actor } from '../accounts/actor.ts';
import { invalidForm } from '../accounts/identity.errors.ts';
import { User } from '../accounts/user.entity.ts';
import { recordChange } from '../audit/audit.service.ts';
import { endSessions, endShownSession, unblockEndings } from '../sessions/session.repository.ts';
import { sessionGone } from '../sessions/shown-session.ts';

/** Longest reason, in characters. */
export const maxReasonLength = 300;
const fault = `Donnez une raison, de 1 à ${maxReasonLength} caractères.`;
const reasonSchema = z.object({
  raison: z.string({ error: fault }).check(
    // Remove NUL characters and lone surrogates, which PostgreSQL's text type cannot hold.
    z.overwrite((text) => text.replaceAll('\0', '').toWellFormed().trim()),
    z.minLength(1, fault),
    z.maxLength(maxReasonLength, fault),
  ),
});

/**
 * Blocks a learner: sign-ins are refused, and all sessions end at once. Payments and enrolments are not affected.
 * @param form with `raison`
 * @throws AppError 400 without a reason, 404
 */
export function blockLearner(em: EntityManager, context: UseCaseContext, actor: Actor, id: string, form: unknown): Promise<User> {
  return switchLearner(em, context, actor, id, form, 'blocked');
}

/** Unblocks a learner. @param form with `raison` @throws AppError 400 without a reason, 404 */
export function unblockLearner(em: EntityManager, context: UseCaseContext, actor: Actor, id: string, form: unknown): Promise<User> {
  return switchLearner(em, context, actor, id, form, 'unblocked');
}

function switchLearner(
  em: EntityManager,
  context: UseCaseContext,
  actor: Actor,
  id: string,
  form: unknown,
  action: 'blocked' | 'unblocked',
): Promise<User> {
  const { data, errors } = parseForm(reasonSchema, form);
  if (errors) throw invalidForm(errors);
  const { raison: reason } = data;
  return transact(em, context, async (tx) => {
    const learner = await lockLearner(tx, id);
    if ((learner.blockedAt !== null) === (action === 'blocked')) return learner;
    const now = context.clock.now();
    learner.blockedAt = action === 'blocked' ? now : null;
    learner.blockedReason = action === 'blocked' ? reason : null;
    await tx.flush();
    if (action === 'blocked') await endSessions(tx, context, id, null, 'blocked');
    else await unblockEndings(tx, id);
    await recordChange(tx, context, actor, { action, ...subjectOf(learner), after: { reason } });
    return learner;
  });
}

/**
 * Ends one of a learner's sessions, or all of them. The devices show that the site's support ended the session.
 * @param shown public id of the session; null: all sessions
 * @throws AppError 404 when the learner or the session does not exist
 */
export function endLearnerSessions(
  em: EntityManager,
  context: UseCaseContext,
  actor: Actor,
  id: string,
  shown: string | null,
): Promise<number> {
  return transact(em, context, async (tx) => {
    const learner = await lockLearner(tx, id);
    const ended =
      shown === null
        ? await endSessions(tx, context, id, null, 'support')
        : Number(await endShownSession(tx, context, id, shown, 'support'));
    if (shown !== null && ended === 0) throw sessionGone();
    if (ended > 0) await recordChange(tx, context, actor, { action: 'sessions-ended', ...subjectOf(learner), after: { sessions: ended } });
    return ended;
  });
}

/**
 * Returns the learner with a row lock. Concurrent sign-ins of this learner wait for the lock and then see the new state. @throws
 * AppError 404
 */
async function lockLearner(tx: EntityManager, id: string): Promise<User> {
  const learner = await tx.findOne(User, { id, erasedAt: null }, { lockMode: LockMode.PESSIMISTIC_WRITE });
  if (!learner) throw notFound("Ce candidat n'existe pas.");
  return learner;
}

const subjectOf = ({ id, username }: User) => ({ subject: 'learner', subjectId: id, label: username }) as const;
