import type { EntityManager } from '@mikro-orm/postgresql';
import { type Adapter, type DatabaseSession, Lucia, TimeSpan } from 'lucia';
import { namedStatement } from '../../../platform/database/named-statement.ts';
import type { RowOf } from '../../../platform/database/rows.ts';
import type { Clock } from '../../../platform/use-cases/clock.ts';
import type { Administrator } from '../accounts/administrator.entity.ts';
import { type Learner, type LearnerRow, learnerOfRow } from '../accounts/learner.ts';
import { hashToken } from '../accounts/token.ts';
import { AdministratorSession } from './administrator-session.entity.ts';
import { Session } from './session.entity.ts';

/** The one file that knows Lucia. Learners and administrators sign in apart: two tables, so that a token of the one is nothing to the other. */

export type SignedInAdministrator = RowOf<Administrator, 'id' | 'username' | 'email' | 'role'>;

/** The same as their session knows them. */
export interface AdministratorInSession extends SignedInAdministrator {
  /** When they last gave their password or a code in this session. */
  confirmedAt: Date;
  /** Whether their sign-in asks for a code. */
  hasSecondFactor: boolean;
}

export interface OpenSession {
  /** The bearer token and cookie value; only its hash is stored. */
  token: string;
  expiresAt: Date;
}

/** Sessions of one kind of person. */
export interface Sessions<Person> {
  /**
   * @param device what the person will know it by (describeDevice)
   * @param network from where it is opened (networkOf); kept of administrators' sessions
   */
  open(em: EntityManager, clock: Clock, personId: string, device?: string | null, network?: string | null): Promise<OpenSession>;
  /**
   * Who presents this token, and the session's new end when using it has just extended it. Null for an unknown or ended one.
   * @param find another statement than the kind's own, which reads more besides
   */
  read(
    em: EntityManager,
    clock: Clock,
    token: string,
    find?: FindSession<Person>,
  ): Promise<{ person: Person; extended: OpenSession | null } | null>;
  close(em: EntityManager, clock: Clock, token: string): Promise<void>;
  /** Ends all sessions of a person, on every device. */
  closeAll(em: EntityManager, clock: Clock, personId: string): Promise<void>;
}

/** The session of a token's hash that lasts at this instant, with its person. */
export type FindSession<Person> = (em: EntityManager, id: string, now: Date) => Promise<{ expiresAt: Date; person: Person } | null>;

/** One kind of sessions: how long they last, and what is done with its table. */
interface Kind<Person> {
  lifetime: TimeSpan;
  /** Whether using a session in its second half makes it last as long again. */
  sliding: boolean;
  find: FindSession<Person>;
  insert(em: EntityManager, session: NewSession): Promise<unknown>;
  extend(em: EntityManager, id: string, expiresAt: Date): Promise<unknown>;
  remove(em: EntityManager, id: string): Promise<unknown>;
  removeOf(em: EntityManager, personId: string): Promise<unknown>;
}

interface NewSession {
  id: string;
  personId: string;
  expiresAt: Date;
  createdAt: Date;
  device: string | null;
  network: string | null;
}

/** Lucia counts by the system's clock, we by the site's. */
const endOf = ({ lifetime }: { lifetime: TimeSpan }, start: Date): Date => new Date(start.getTime() + lifetime.milliseconds());

/** Stores only the SHA-256 of a session's token; whoever reads the table cannot sign in with what stands there. */
class HashingAdapter<Person extends { id: string }> implements Adapter {
  readonly #em: EntityManager;
  readonly #clock: Clock;
  readonly #kind: Kind<Person>;
  readonly #find: FindSession<Person>;
  /** Whose session has been read: Lucia's types know one kind of person only. */
  person: Person | null = null;

  constructor(em: EntityManager, clock: Clock, kind: Kind<Person>, find = kind.find) {
    this.#em = em;
    this.#clock = clock;
    this.#kind = kind;
    this.#find = find;
  }

  async getSessionAndUser(token: string): ReturnType<Adapter['getSessionAndUser']> {
    const found = await this.#find(this.#em, hashToken(token), this.#clock.now());
    if (!found) return [null, null];
    this.person = found.person;
    const { id } = found.person;
    return [
      { id: token, userId: id, expiresAt: found.expiresAt, attributes: { device: null, network: null } },
      { id, attributes: {} },
    ];
  }

  async setSession({ id, userId, attributes: { device, network } }: DatabaseSession): Promise<void> {
    const createdAt = this.#clock.now();
    const expiresAt = endOf(this.#kind, createdAt);
    await this.#kind.insert(this.#em, { id: hashToken(id), personId: userId, expiresAt, createdAt, device, network });
  }

  async updateSessionExpiration(token: string, expiresAt: Date): Promise<void> {
    if (this.#kind.sliding) await this.#kind.extend(this.#em, hashToken(token), expiresAt);
  }

  async deleteSession(token: string): Promise<void> {
    await this.#kind.remove(this.#em, hashToken(token));
  }

  async deleteUserSessions(userId: string): Promise<void> {
    await this.#kind.removeOf(this.#em, userId);
  }

  async getUserSessions(): Promise<DatabaseSession[]> {
    throw new Error('sessions are listed by their hashes, not through Lucia');
  }

  async deleteExpiredSessions(): Promise<void> {
    throw new Error('nothing asks for this');
  }
}

declare module 'lucia' {
  interface Register {
    Lucia: Lucia;
    DatabaseSessionAttributes: { device: string | null; network: string | null };
  }
}

function sessionsOf<Person extends { id: string }>(kind: Kind<Person>): Sessions<Person> {
  const luciaOn = (adapter: Adapter) => new Lucia(adapter, { sessionExpiresIn: kind.lifetime });
  const lucia = (em: EntityManager, clock: Clock) => luciaOn(new HashingAdapter(em, clock, kind));
  return {
    async open(em, clock, personId, device = null, network = null) {
      const { id } = await lucia(em, clock).createSession(personId, { device, network });
      return { token: id, expiresAt: endOf(kind, clock.now()) };
    },
    async read(em, clock, token, find) {
      const adapter = new HashingAdapter(em, clock, kind, find);
      const { session } = await luciaOn(adapter).validateSession(token);
      if (!session || !adapter.person) return null;
      const extended = kind.sliding && session.fresh ? { token, expiresAt: session.expiresAt } : null;
      return { person: adapter.person, extended };
    },
    async close(em, clock, token) {
      await lucia(em, clock).invalidateSession(token);
    },
    async closeAll(em, clock, personId) {
      await lucia(em, clock).invalidateUserSessions(personId);
    },
  };
}

/**
 * SQL over the names of two parameters, the hash of a token and an instant: the learner whose session lasts then (`LearnerRow`), at most one row. A page may
 * ask for it within its own statement (`readBesideSession`).
 * @param header SQL of what their header shows (`headerColumn`), over `u.id`
 */
export const learnerSession = (hash: string, now: string, header?: string): string =>
  `select s.expires_at as session_end, u.id as learner_id, u.username as learner_name, u.email as learner_email${header ? `, ${header} as header` : ''}
   from session s join app_user u on u.id = s.user_id where s.id = ${hash} and s.expires_at > ${now}`;

const learnerBySession = namedStatement<LearnerRow>({ name: 'identity.session', text: learnerSession('$1', '$2') });

export const findLearnerSession: FindSession<Learner> = async (em, id, now) => {
  const [row] = await learnerBySession(em, [id, now]);
  return row ? { expiresAt: row.sessionEnd, person: learnerOfRow(row) } : null;
};

/** 30 days, sliding. */
export const learnerSessions = sessionsOf<Learner>({
  lifetime: new TimeSpan(30, 'd'),
  sliding: true,
  find: findLearnerSession,
  insert: (em, { personId, network: _, ...row }) => em.insert(Session, { ...row, user: personId }),
  extend: (em, id, expiresAt) => em.nativeUpdate(Session, { id }, { expiresAt }),
  remove: (em, id) => em.nativeDelete(Session, { id }),
  removeOf: (em, personId) => em.nativeDelete(Session, { user: personId }),
});

const administratorBySession = namedStatement<AdministratorInSession & { expiresAt: Date }>({
  name: 'identity.administrator-session',
  text: `select s.expires_at, a.id, a.username, a.email, a.role, coalesce(s.confirmed_at, s.created_at) as confirmed_at,
                f.confirmed_at is not null as has_second_factor
         from administrator_session s join administrator a on a.id = s.administrator_id left join second_factor f on f.administrator_id = a.id
         where s.id = $1 and s.expires_at > $2 and a.disabled_at is null`,
});

/** 8 hours from the sign-in, a working day; none of a disabled administrator. */
export const administratorSessions = sessionsOf<AdministratorInSession>({
  lifetime: new TimeSpan(8, 'h'),
  sliding: false,
  async find(em, id, now) {
    const [row] = await administratorBySession(em, [id, now]);
    if (!row) return null;
    const { expiresAt, ...person } = row;
    return { expiresAt, person };
  },
  insert: (em, { personId, ...row }) => em.insert(AdministratorSession, { ...row, administrator: personId }),
  extend: (em, id, expiresAt) => em.nativeUpdate(AdministratorSession, { id }, { expiresAt }),
  remove: (em, id) => em.nativeDelete(AdministratorSession, { id }),
  removeOf: (em, personId) => em.nativeDelete(AdministratorSession, { administrator: personId }),
});
