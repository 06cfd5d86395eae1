import type { EntityManager } from '@mikro-orm/postgresql';
import { namedStatement } from '../../../platform/database/named-statement.ts';
import type { UseCaseContext } from '../../../platform/use-cases/events.ts';
import { hashToken } from '../accounts/token.ts';
import { Session } from './session.entity.ts';
import type { SessionEnding } from './session-endings.ts';
import { isShownId, shownId } from './shown-session.ts';

export interface SessionRow {
  /** As it is shown (shown-session.ts). */
  id: string;
  device: string | null;
  createdAt: Date;
  /** The last use, to a day. */
  usedAt: Date;
  /** The session that asks. */
  current: boolean;
}

/** Sessions of a list, at most: those used last. All of them can be ended at once. */
export const maxSessions = 50;

const use = 'coalesce(used_at, created_at)';

const find = namedStatement<SessionRow>({
  name: 'identity.sessions',
  text: `select ${shownId} as id, device, created_at, ${use} as used_at, id = $3 as current
         from session where user_id = $1 and expires_at > $2
         order by id = $3 desc, ${use} desc, created_at desc, id limit ${maxSessions}`,
});

/** The session that asks first, then those used last. @param token of the session that asks; null where somebody else does */
export function listSessions(em: EntityManager, userId: string, now: Date, token: string | null): Promise<SessionRow[]> {
  return find(em, [userId, now, token === null ? '' : hashToken(token)]);
}

const ending = namedStatement<{ ended: SessionEnding }>({
  name: 'identity.session-ending',
  text: 'select ended from session where id = $1 and ended is not null',
});

/** Why the session of this token has ended before its time; null where that is not known any more, or never was so. */
export async function findEnding(em: EntityManager, token: string): Promise<SessionEnding | null> {
  return (await ending(em, [hashToken(token)]))[0]?.ended ?? null;
}

/**
 * Ends those of a learner's sessions that last and fulfil a condition, and tells the modules; how many those were. The rows stay until they are pruned: their
 * devices are told why.
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

/** Ends one of this learner's sessions, in a transaction. False when there is none of that id. */
export async function endShownSession(
  tx: EntityManager,
  context: UseCaseContext,
  userId: string,
  shown: string,
  why: SessionEnding,
): Promise<boolean> {
  return isShownId(shown) && (await end(tx, context, userId, why, `${shownId} = ?`, [shown])) > 0;
}

/** Ends all of this learner's sessions but the one of this token, in a transaction; how many those were. @param token null: none is left */
export const endSessions = (
  tx: EntityManager,
  context: UseCaseContext,
  userId: string,
  token: string | null,
  why: SessionEnding,
): Promise<number> => end(tx, context, userId, why, 'id <> ?', [token === null ? '' : hashToken(token)]);

/** What devices were told of a blocked account holds no more: its people ended the session, that is all. */
export const unblockEndings = (tx: EntityManager, userId: string): Promise<number> =>
  tx.nativeUpdate(Session, { user: userId, ended: 'blocked' }, { ended: 'support' });

/** Ends those that were used least recently, so that so many are left; in a transaction that holds the learner's row. */
export async function endLeastUsed(tx: EntityManager, context: UseCaseContext, userId: string, left: number): Promise<void> {
  const others = `id in (select id from session where user_id = ? and expires_at > ? order by ${use} desc, created_at desc, id offset ?)`;
  await end(tx, context, userId, 'devices', others, [userId, context.clock.now(), left]);
}
