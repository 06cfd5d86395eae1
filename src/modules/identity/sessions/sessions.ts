import type { EntityManager } from '@mikro-orm/postgresql';
import { type Adapter, type DatabaseSession, Lucia, TimeSpan } from 'lucia';
import { namedStatement } from '../../../platform/database/named-statement.ts';
import type { Clock } from '../../../platform/use-cases/clock.ts';
import type { AdministratorRole } from '../../../shared/forms/administrator.ts';
import { hashToken } from '../accounts/token.ts';
import { AdministratorSession } from './administrator-session.entity.ts';
import { Session } from './session.entity.ts';

/** The one file that knows Lucia. Learners and administrators sign in apart: two tables, so that a token of the one is nothing to the other. */

export interface Learner {
  id: string;
  username: string;
  email: string;
}

export interface SignedInAdministrator extends Learner {
  role: AdministratorRole;
}

export interface OpenSession {
  /** The bearer token and cookie value; only its hash is stored. */
  token: string;
  expiresAt: Date;
}

/** Sessions of one kind of person. */
export interface Sessions<Person> {
  /** @param device what the person will know it by (describeDevice); kept of learners' sessions */
  open(em: EntityManager, clock: Clock, personId: string, device?: string | null): Promise<OpenSession>;
  /** Who presents this token, and the session's new end when using it has just extended it. Null for an unknown or ended one. */
  read(em: EntityManager, clock: Clock, token: string): Promise<{ person: Person; extended: OpenSession | null } | null>;
  close(em: EntityManager, clock: Clock, token: string): Promise<void>;
  /** Ends all sessions of a person, on every device. */
  closeAll(em: EntityManager, clock: Clock, personId: string): Promise<void>;
}

type SessionRow<Person> = { expires_at: Date } & Person & Record<string, unknown>;

interface Kind<Person extends Learner> {
  lifetime: TimeSpan;
  /** Whether using a session in its second half makes it last as long again. */
  sliding: boolean;
  /** Rows of a token's hash and an instant: the session that lasts then, with its person. */
  find: (em: EntityManager, values: unknown[]) => Promise<SessionRow<Person>[]>;
  rows: Rows;
}

interface NewSession {
  id: string;
  personId: string;
  expiresAt: Date;
  createdAt: Date;
  device: string | null;
}

/** Writes of one session table. */
interface Rows {
  insert(em: EntityManager, row: NewSession): Promise<unknown>;
  extend(em: EntityManager, id: string, expiresAt: Date): Promise<unknown>;
  remove(em: EntityManager, id: string): Promise<unknown>;
  removeOf(em: EntityManager, personId: string): Promise<unknown>;
  removeEnded(em: EntityManager, now: Date): Promise<unknown>;
}

/** Lucia counts by the system's clock, we by the site's. */
const endOf = ({ lifetime }: { lifetime: TimeSpan }, start: Date): Date => new Date(start.getTime() + lifetime.milliseconds());

/** Stores only the SHA-256 of a session's token; whoever reads the table cannot sign in with what stands there. */
class HashingAdapter<Person extends Learner> implements Adapter {
  readonly #em: EntityManager;
  readonly #clock: Clock;
  readonly #kind: Kind<Person>;

  constructor(em: EntityManager, clock: Clock, kind: Kind<Person>) {
    this.#em = em;
    this.#clock = clock;
    this.#kind = kind;
  }

  async getSessionAndUser(token: string): ReturnType<Adapter['getSessionAndUser']> {
    const [row] = await this.#kind.find(this.#em, [hashToken(token), this.#clock.now()]);
    if (!row) return [null, null];
    const { expires_at: expiresAt, ...person } = row;
    return [
      { id: token, userId: row.id, expiresAt, attributes: { device: null } },
      { id: row.id, attributes: { person: person as unknown as SignedInAdministrator } },
    ];
  }

  async setSession({ id, userId, attributes: { device } }: DatabaseSession): Promise<void> {
    const createdAt = this.#clock.now();
    const expiresAt = endOf(this.#kind, createdAt);
    await this.#kind.rows.insert(this.#em, { id: hashToken(id), personId: userId, expiresAt, createdAt, device });
  }

  async updateSessionExpiration(token: string, expiresAt: Date): Promise<void> {
    if (this.#kind.sliding) await this.#kind.rows.extend(this.#em, hashToken(token), expiresAt);
  }

  async deleteSession(token: string): Promise<void> {
    await this.#kind.rows.remove(this.#em, hashToken(token));
  }

  async deleteUserSessions(userId: string): Promise<void> {
    await this.#kind.rows.removeOf(this.#em, userId);
  }

  async deleteExpiredSessions(): Promise<void> {
    await this.#kind.rows.removeEnded(this.#em, this.#clock.now());
  }

  async getUserSessions(): Promise<DatabaseSession[]> {
    throw new Error('sessions are listed by their hashes, not through Lucia');
  }
}

declare module 'lucia' {
  interface Register {
    Lucia: Lucia<Record<never, never>, { person: SignedInAdministrator }>;
    DatabaseUserAttributes: { person: SignedInAdministrator };
    DatabaseSessionAttributes: { device: string | null };
  }
}

function sessionsOf<Person extends Learner>(kind: Kind<Person>): Sessions<Person> {
  const lucia = (em: EntityManager, clock: Clock) =>
    new Lucia(new HashingAdapter(em, clock, kind), {
      sessionExpiresIn: kind.lifetime,
      getUserAttributes: ({ person }) => ({ person }),
    });
  return {
    async open(em, clock, personId, device = null) {
      const { id } = await lucia(em, clock).createSession(personId, { device });
      return { token: id, expiresAt: endOf(kind, clock.now()) };
    },
    async read(em, clock, token) {
      const { session, user } = await lucia(em, clock).validateSession(token);
      if (!session) return null;
      const extended = kind.sliding && session.fresh ? { token, expiresAt: session.expiresAt } : null;
      return { person: user.person as unknown as Person, extended };
    },
    async close(em, clock, token) {
      await lucia(em, clock).invalidateSession(token);
    },
    async closeAll(em, clock, personId) {
      await lucia(em, clock).invalidateUserSessions(personId);
    },
  };
}

/** 30 days, sliding. */
export const learnerSessions = sessionsOf<Learner>({
  lifetime: new TimeSpan(30, 'd'),
  sliding: true,
  find: namedStatement({
    name: 'identity.session',
    text: `select s.expires_at, u.id, u.username, u.email
           from session s join app_user u on u.id = s.user_id
           where s.id = $1 and s.expires_at > $2`,
  }),
  rows: {
    insert: (em, { personId, ...row }) => em.insert(Session, { ...row, user: personId }),
    extend: (em, id, expiresAt) => em.nativeUpdate(Session, { id }, { expiresAt }),
    remove: (em, id) => em.nativeDelete(Session, { id }),
    removeOf: (em, personId) => em.nativeDelete(Session, { user: personId }),
    removeEnded: (em, now) => em.nativeDelete(Session, { expiresAt: { $lte: now } }),
  },
});

/** 8 hours from the sign-in, a working day; none of a disabled administrator. */
export const administratorSessions = sessionsOf<SignedInAdministrator>({
  lifetime: new TimeSpan(8, 'h'),
  sliding: false,
  find: namedStatement({
    name: 'identity.administrator-session',
    text: `select s.expires_at, a.id, a.username, a.email, a.role
           from administrator_session s join administrator a on a.id = s.administrator_id
           where s.id = $1 and s.expires_at > $2 and a.disabled_at is null`,
  }),
  rows: {
    insert: (em, { personId, device: _, ...row }) => em.insert(AdministratorSession, { ...row, administrator: personId }),
    extend: (em, id, expiresAt) => em.nativeUpdate(AdministratorSession, { id }, { expiresAt }),
    remove: (em, id) => em.nativeDelete(AdministratorSession, { id }),
    removeOf: (em, personId) => em.nativeDelete(AdministratorSession, { administrator: personId }),
    removeEnded: (em, now) => em.nativeDelete(AdministratorSession, { expiresAt: { $lte: now } }),
  },
});
