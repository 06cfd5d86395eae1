import type { EntityManager } from '@mikro-orm/postgresql';
import { type Adapter, type DatabaseSession, Lucia, TimeSpan } from 'lucia';
import { isDatabaseAway } from '../../../platform/database/database-away.ts';
import { namedStatement } from '../../../platform/database/named-statement.ts';
import type { RowOf } from '../../../platform/database/rows.ts';
import type { Clock } from '../../../platform/use-cases/clock.ts';
import { dayMs } from '../../../shared/dates.ts';
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

/** A session that lasts, with its person. */
export interface FoundSession<Person> {
  expiresAt: Date;
  createdAt: Date;
  /** The last use that has been written down. */
  usedAt: Date;
  person: Person;
}

/** The session of a token's hash that lasts at this instant. */
export type FindSession<Person> = (em: EntityManager, id: string, now: Date) => Promise<FoundSession<Person> | null>;

interface Opening {
  /** What the person will know it by (describeDevice). */
  device?: string | null;
  /** From where it is opened (networkOf); kept of administrators' sessions. */
  network?: string | null;
  /** How long it lasts without use, in ms, where the settings say so. */
  idleMs?: number;
}

interface Reading<Person> {
  /** Another statement than the kind's own, which reads more besides. */
  find?: FindSession<Person> | undefined;
  /** How long it lasts without use, in ms, where the settings say so. */
  idleMs?: number;
}

/** Sessions of one kind of person. */
export interface Sessions<Person> {
  open(em: EntityManager, clock: Clock, personId: string, opening?: Opening): Promise<OpenSession>;
  /** Who presents this token, and whether using the session has just moved its end. Null for an unknown or ended one. */
  read(
    em: EntityManager,
    clock: Clock,
    token: string,
    reading?: Reading<Person>,
  ): Promise<{ person: Person; session: OpenSession; extended: boolean } | null>;
  close(em: EntityManager, clock: Clock, token: string): Promise<void>;
  /** Ends all sessions of a person, on every device, and leaves nothing of them. */
  closeAll(em: EntityManager, clock: Clock, personId: string): Promise<void>;
}

/** One kind of sessions: how long they last, in ms, and what is done with its table. */
interface Kind<Person> {
  /** From the sign-in on, however much it is used. */
  longestMs: number;
  /** Without use. */
  idleMs: number;
  /** Whether a use need not be written down, since the last one that was is recent enough: a page mostly costs no write. */
  isNoted(usedAt: Date, now: Date, idleMs: number): boolean;
  find: FindSession<Person>;
  insert(em: EntityManager, session: NewSession): Promise<unknown>;
  /** Nothing of one that has been ended meanwhile. */
  use(em: EntityManager, id: string, use: { usedAt: Date; expiresAt: Date }): Promise<unknown>;
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

/** Not after `longestMs` from the sign-in, nor after `idleMs` without use. */
const endOf = ({ longestMs }: { longestMs: number }, createdAt: Date, usedAt: Date, idleMs: number): Date =>
  new Date(Math.min(createdAt.getTime() + longestMs, usedAt.getTime() + idleMs));

/**
 * Stores only the SHA-256 of a session's token; whoever reads the table cannot sign in with what stands there. Lucia counts by the system's clock and knows one
 * lifetime, we count by the site's and know two: when a session ends is said here.
 */
class HashingAdapter<Person extends { id: string }> implements Adapter {
  readonly #em: EntityManager;
  readonly #clock: Clock;
  readonly #kind: Kind<Person>;
  readonly #find: FindSession<Person>;
  readonly #idleMs: number;
  /** What has been read: Lucia's types know one kind of person only. */
  found: FoundSession<Person> | null = null;

  constructor(em: EntityManager, clock: Clock, kind: Kind<Person>, { find = kind.find, idleMs = kind.idleMs }: Reading<Person> = {}) {
    this.#em = em;
    this.#clock = clock;
    this.#kind = kind;
    this.#find = find;
    this.#idleMs = idleMs;
  }

  async getSessionAndUser(token: string): ReturnType<Adapter['getSessionAndUser']> {
    const now = this.#clock.now();
    this.found = await this.#find(this.#em, hashToken(token), now);
    if (!this.found) return [null, null];
    const { id } = this.found.person;
    const expiresAt = new Date(Date.now() + this.found.expiresAt.getTime() - now.getTime());
    return [
      { id: token, userId: id, expiresAt, attributes: { device: null, network: null } },
      { id, attributes: {} },
    ];
  }

  async setSession({ id, userId, attributes }: DatabaseSession): Promise<void> {
    const createdAt = this.#clock.now();
    const expiresAt = endOf(this.#kind, createdAt, createdAt, this.#idleMs);
    await this.#kind.insert(this.#em, { id: hashToken(id), personId: userId, expiresAt, createdAt, ...attributes });
  }

  /** Uses are written down where they are read, more often than Lucia would. */
  async updateSessionExpiration(): Promise<void> {}

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
  const luciaOn = (adapter: Adapter) => new Lucia(adapter, { sessionExpiresIn: new TimeSpan(kind.idleMs, 'ms') });
  const lucia = (em: EntityManager, clock: Clock, reading?: Reading<Person>) => luciaOn(new HashingAdapter(em, clock, kind, reading));
  return {
    async open(em, clock, personId, { device = null, network = null, idleMs = kind.idleMs } = {}) {
      const { id } = await lucia(em, clock, { idleMs }).createSession(personId, { device, network });
      const now = clock.now();
      return { token: id, expiresAt: endOf(kind, now, now, idleMs) };
    },
    async read(em, clock, token, { find = kind.find, idleMs = kind.idleMs } = {}) {
      const adapter = new HashingAdapter(em, clock, kind, { find });
      const { session } = await luciaOn(adapter).validateSession(token);
      if (!session || !adapter.found) return null;
      const now = clock.now();
      const { person, createdAt, usedAt } = adapter.found;
      const unchanged = { person, session: { token, expiresAt: adapter.found.expiresAt }, extended: false };
      // A clock that is behind would end the session by what it writes down.
      const isBehind = now < usedAt || now < createdAt;
      if (isBehind || kind.isNoted(usedAt, now, idleMs)) return unchanged;
      const expiresAt = endOf(kind, createdAt, now, idleMs);
      try {
        await kind.use(em, hashToken(token), { usedAt: now, expiresAt });
      } catch (error) {
        // Read-only for a moment: what only reads goes on.
        if (!isDatabaseAway(error)) throw error;
        return unchanged;
      }
      // One from before there was a longest time may be older than that.
      return expiresAt > now ? { person, session: { token, expiresAt }, extended: true } : null;
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
  `select s.expires_at as session_end, s.created_at as session_start, coalesce(s.used_at, s.created_at) as session_use,
     u.id as learner_id, u.username as learner_name, u.email as learner_email${header ? `, ${header} as header` : ''}
   from session s join app_user u on u.id = s.user_id where s.id = ${hash} and s.expires_at > ${now}`;

const learnerBySession = namedStatement<LearnerRow>({ name: 'identity.session', text: learnerSession('$1', '$2') });

/** What such a row says of the session. */
export const foundSession = (row: LearnerRow): FoundSession<Learner> => ({
  expiresAt: row.sessionEnd,
  createdAt: row.sessionStart,
  usedAt: row.sessionUse,
  person: learnerOfRow(row),
});

export const findLearnerSession: FindSession<Learner> = async (em, id, now) => {
  const [row] = await learnerBySession(em, [id, now]);
  return row ? foundSession(row) : null;
};

/** Of days in Africa/Douala, an hour ahead of UTC all year. Counted, since every page asks: `dayIn` writes the day out. */
const dayNumber = (at: Date): number => Math.floor((at.getTime() + 3_600_000) / dayMs);

/** 30 days from the last use, written down once a day, and 180 from the sign-in at most. */
export const learnerSessions = sessionsOf<Learner>({
  longestMs: 180 * dayMs,
  idleMs: 30 * dayMs,
  isNoted: (usedAt, now) => dayNumber(usedAt) === dayNumber(now),
  find: findLearnerSession,
  insert: (em, { personId, network: _, ...row }) => em.insert(Session, { ...row, user: personId }),
  use: (em, id, use) => em.nativeUpdate(Session, { id, ended: null }, use),
  remove: (em, id) => em.nativeDelete(Session, { id }),
  removeOf: (em, personId) => em.nativeDelete(Session, { user: personId }),
});

const administratorBySession = namedStatement<AdministratorInSession & Omit<FoundSession<unknown>, 'person'>>({
  name: 'identity.administrator-session',
  // The first use is written down at once: of the releases before, a session that had not been used had the end of a whole day's work.
  text: `select s.expires_at, s.created_at, coalesce(s.used_at, 'epoch') as used_at, a.id, a.username, a.email, a.role,
                coalesce(s.confirmed_at, s.created_at) as confirmed_at, f.confirmed_at is not null as has_second_factor
         from administrator_session s join administrator a on a.id = s.administrator_id left join second_factor f on f.administrator_id = a.id
         where s.id = $1 and s.expires_at > $2 and a.disabled_at is null`,
});

const minuteMs = 60_000;
const workingDayMs = 8 * 60 * minuteMs;

/** 8 hours from the sign-in, a working day, and as long without use as the settings say (`ADMIN_IDLE_MINUTES`); none of a disabled administrator. */
export const administratorSessions = sessionsOf<AdministratorInSession>({
  longestMs: workingDayMs,
  idleMs: workingDayMs,
  isNoted: (usedAt, now, idleMs) => now.getTime() - usedAt.getTime() < Math.min(5 * minuteMs, idleMs / 4),
  async find(em, id, now) {
    const [row] = await administratorBySession(em, [id, now]);
    if (!row) return null;
    const { expiresAt, createdAt, usedAt, ...person } = row;
    return { expiresAt, createdAt, usedAt, person };
  },
  insert: (em, { personId, ...row }) => em.insert(AdministratorSession, { ...row, administrator: personId }),
  use: (em, id, use) => em.nativeUpdate(AdministratorSession, { id }, use),
  remove: (em, id) => em.nativeDelete(AdministratorSession, { id }),
  removeOf: (em, personId) => em.nativeDelete(AdministratorSession, { administrator: personId }),
});
