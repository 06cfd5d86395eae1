import type { EntityManager } from '@mikro-orm/postgresql';
import { namedStatement } from '../../../platform/database/named-statement.ts';
import type { UseCaseContext } from '../../../platform/use-cases/events.ts';
import { hashToken } from '../accounts/token.ts';
import { Session } from './session.entity.ts';
import type { SessionEnding } from './session-endings.ts';
import { isShownId, shownId } from './shown-session.ts';

export interface SessionRow {
  /** Public id of the session (shown-session.ts). */
  id: string;
  device: string | null;
  createdAt: Date;
  /** Last use, accurate to a day. */
  usedAt: Date;
  /** Whether this is the session of the request. */
  current: boolean;
}

/** Maximum number of sessions in a list; the most recently used are listed. Ending all sessions also ends the unlisted ones. */
export const maxSessions = 50;

const use = 'coalesce(used_at, created_at)';

const find = namedStatement<SessionRow>({
  name: 'identity.sessions',
  text: `select ${shownId} as id, device, created_at, ${use} as used_at, id = $3 as current
         from session where user_id = $1 and expires_at > $2
         order by id = $3 desc, ${use} desc, created_at desc, id limit ${maxSessions}`,
});

/**
 * Returns the learner's valid sessions: the session of the request first, then by latest use. @param token of the request's session;
 * null when an administrator requests the list
 */
export function listSessions(em: EntityManager, userId: string, now: Date, token: string | null): Promise<SessionRow[]> {
  return find(em, [userId, now, token === null ? '' : hashToken(token)]);
}

const ending = namedStatement<{ ended: SessionEnding }>({
  name: 'identity.session-ending',
  text: 'select ended from session where id = $1 and ended is not null',
});

/** Returns why this token's session ended early; null when no session has this token, or the session did not end early. */
export async function findEnding(em: EntityManager, token: string): Promise<SessionEnding | null> {
  return (await ending(em, [hashToken(token)]))[0]?.ended ?? null;
}

/**
 * Ends the valid sessions of a learner that meet a condition, and emits `sessions.ended`. Returns the number of ended sessions.
 * The rows stay until they are pruned, so that the learner's devices can show the reason for the end.
 */
async function end(
  tx: EntityManager,
  context: UseCaseContext,
  userId: string,
  why: SessionEnding,
  condition: string,
  values: unknown[],
): Promise<number> {
  const now = context.clock.now();
  const rows = await tx.execute<{ id: string }[]>(
    `update session set expires_at = ?, ended = ? where user_id = ? and expires_at > ? and ${condition} returning id`,
    [now, why, userId, now, ...values],
  );
  const sessions = rows.map(({ id }) => id);
  if (sessions.length > 0) await context.events.emit(tx, context, 'sessions.ended', { sessions, ending: why, at: now });
  return sessions.length;
}

/** Ends one of this learner's sessions, within a transaction. Returns false when no valid session has this public id. */
export async function endShownSession(
  tx: EntityManager,
  context: UseCaseContext,
  userId: string,
  shown: string,
  why: SessionEnding,
): Promise<boolean> {
  return isShownId(shown) && (await end(tx, context, userId, why, `${shownId} = ?`, [shown])) > 0;
}

/**
 * Ends all of this learner's sessions except the one of this token, within a transaction. Returns their number. @param token null
 * ends all of them
 */
export const endSessions = (
  tx: EntityManager,
  context: UseCaseContext,
  userId: string,
  token: string | null,
  why: SessionEnding,
): Promise<number> => end(tx, context, userId, why, 'id <> ?', [token === null ? '' : hashToken(token)]);

/**
 * Replaces the reason 'blocked' of ended sessions, after the learner was unblocked: their devices then show that the support ended
 * the session.
 */
export const unblockEndings = (tx: EntityManager, userId: string): Promise<number> =>
  tx.nativeUpdate(Session, { user: userId, ended: 'blocked' }, { ended: 'support' });

/** Ends the least recently used sessions until `left` remain. The caller's transaction must hold the lock on the learner's row. */
export async function endLeastUsed(tx: EntityManager, context: UseCaseContext, userId: string, left: number): Promise<void> {
  const others = `id in (select id from session where user_id = ? and expires_at > ? order by ${use} desc, created_at desc, id offset ?)`;
  await end(tx, context, userId, 'devices', others, [userId, context.clock.now(), left]);
}
