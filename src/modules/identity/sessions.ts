import { createHash } from 'node:crypto';
import type { EntityManager } from '@mikro-orm/postgresql';
import { type Adapter, type DatabaseSession, Lucia, TimeSpan } from 'lucia';
import type { Clock } from '../../platform/clock.ts';
import { namedStatement } from '../../platform/named-statement.ts';
import { Session } from './session.entity.ts';

/** The one file that knows Lucia. */

export interface Learner {
  id: string;
  username: string;
  email: string;
}

export interface OpenSession {
  /** The bearer token and cookie value; only its hash is stored. */
  token: string;
  expiresAt: Date;
}

const lifetime = new TimeSpan(30, 'd');

interface SessionRow extends Record<string, unknown> {
  expires_at: Date;
  user_id: string;
  username: string;
  email: string;
}

const findSession = namedStatement<SessionRow>({
  name: 'identity.session',
  text: `select s.expires_at, s.user_id, u.username, u.email
         from session s join app_user u on u.id = s.user_id
         where s.id = $1 and s.expires_at > $2`,
});

const hashToken = (token: string): string => createHash('sha256').update(token).digest('hex');

/** Stores only the SHA-256 of a session's token; whoever reads the table cannot sign in with what stands there. */
class HashingAdapter implements Adapter {
  readonly #em: EntityManager;
  readonly #clock: Clock;

  constructor(em: EntityManager, clock: Clock) {
    this.#em = em;
    this.#clock = clock;
  }

  async getSessionAndUser(token: string): ReturnType<Adapter['getSessionAndUser']> {
    const [row] = await findSession(this.#em, [hashToken(token), this.#clock.now()]);
    if (!row) return [null, null];
    return [
      { id: token, userId: row.user_id, expiresAt: row.expires_at, attributes: {} },
      { id: row.user_id, attributes: { username: row.username, email: row.email } },
    ];
  }

  async setSession({ id, userId, expiresAt }: DatabaseSession): Promise<void> {
    await this.#em.insert(Session, { id: hashToken(id), user: userId, expiresAt, createdAt: this.#clock.now() });
  }

  async updateSessionExpiration(token: string, expiresAt: Date): Promise<void> {
    await this.#em.nativeUpdate(Session, { id: hashToken(token) }, { expiresAt });
  }

  async deleteSession(token: string): Promise<void> {
    await this.#em.nativeDelete(Session, { id: hashToken(token) });
  }

  async deleteUserSessions(userId: string): Promise<void> {
    await this.#em.nativeDelete(Session, { user: userId });
  }

  async deleteExpiredSessions(): Promise<void> {
    await this.#em.nativeDelete(Session, { expiresAt: { $lte: this.#clock.now() } });
  }

  async getUserSessions(): Promise<DatabaseSession[]> {
    throw new Error('sessions are listed by their hashes, not through Lucia');
  }
}

declare module 'lucia' {
  interface Register {
    Lucia: ReturnType<typeof lucia>;
    DatabaseUserAttributes: { username: string; email: string };
  }
}

function lucia(em: EntityManager, clock: Clock) {
  return new Lucia(new HashingAdapter(em, clock), {
    sessionExpiresIn: lifetime,
    getUserAttributes: ({ username, email }) => ({ username, email }),
  });
}

/** A new session of 30 days. */
export async function openSession(em: EntityManager, clock: Clock, userId: string): Promise<OpenSession> {
  const { id, expiresAt } = await lucia(em, clock).createSession(userId, {});
  return { token: id, expiresAt };
}

/** Who presents this token, and the session's new end when using it has just extended it. Null for an unknown or ended one. */
export async function readSession(
  em: EntityManager,
  clock: Clock,
  token: string,
): Promise<{ learner: Learner; extended: OpenSession | null } | null> {
  const { session, user } = await lucia(em, clock).validateSession(token);
  if (!session) return null;
  return {
    learner: { id: user.id, username: user.username, email: user.email },
    extended: session.fresh ? { token, expiresAt: session.expiresAt } : null,
  };
}

export async function closeSession(em: EntityManager, clock: Clock, token: string): Promise<void> {
  await lucia(em, clock).invalidateSession(token);
}
