import { type EntityManager, raw } from '@mikro-orm/postgresql';
import { namedStatement } from '../../../platform/database/named-statement.ts';
import { hashToken } from '../accounts/token.ts';
import { Session } from './session.entity.ts';

/** One's own sessions, in a learner's words: what is shown of a session's id is too short to be turned back into anything. */

export interface SessionRow {
  /** 16 characters, of the hash of what is stored. */
  id: string;
  device: string | null;
  createdAt: Date;
  /** The session that asks. */
  current: boolean;
}

/** Sessions of a list, at most: the newest. All of them can be ended at once. */
export const maxSessions = 50;

const shownId = "left(encode(sha256(convert_to(id, 'UTF8')), 'hex'), 16)";

const find = namedStatement<SessionRow>({
  name: 'identity.sessions',
  text: `select ${shownId} as id, device, created_at, id = $3 as current
         from session where user_id = $1 and expires_at > $2
         order by id = $3 desc, created_at desc, id limit ${maxSessions}`,
});

/** The session that asks first, then the newest ones. */
export function listSessions(em: EntityManager, userId: string, now: Date, token: string): Promise<SessionRow[]> {
  return find(em, [userId, now, hashToken(token)]);
}

/** Ends one of this learner's sessions. False when there is none of that id. */
export async function removeSession(em: EntityManager, userId: string, shown: string): Promise<boolean> {
  // Anything else is no id of ours, and may hold what a statement cannot.
  if (!/^[0-9a-f]{16}$/.test(shown)) return false;
  return (await em.nativeDelete(Session, { user: userId, [raw(shownId)]: shown })) > 0;
}

/** Ends all of this learner's sessions but the one of this token; how many those were. */
export function removeOtherSessions(em: EntityManager, userId: string, token: string): Promise<number> {
  return em.nativeDelete(Session, { user: userId, id: { $ne: hashToken(token) } });
}
