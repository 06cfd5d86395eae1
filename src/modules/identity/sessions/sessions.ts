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

/**
 * The only file that uses Lucia. Learners' and administrators' sessions are in two tables, so that a token of one kind is never valid
 * for the other.
 */

export type SignedInAdministrator = RowOf<Administrator, 'id' | 'username' | 'email' | 'role'>;

/** The administrator as known from their session. */
export interface AdministratorInSession extends SignedInAdministrator {
  /** Last password or code given in this session. */
  confirmedAt: Date;
  /** Whether the account has an active second factor. */
  hasSecondFactor: boolean;
}

export interface OpenSession {
  /** The value of bearer token and cookie. Only its hash is stored. */
  token: string;
  expiresAt: Date;
}

/** A valid session with its person. */
export interface FoundSession<Person> {
  expiresAt: Date;
  createdAt: Date;
  /** The last recorded use. */
  usedAt: Date;
  person: Person;
}

/** Returns the session with this token hash, if it is valid at this instant. */
export type FindSession<Person> = (em: EntityManager, id: string, now: Date) => Promise<FoundSession<Person> | null>;

interface Opening {
  /** Description of the device for its owner (describeDevice). */
  device?: string | null;
  /** Network from which the session is opened (networkOf); only stored for administrators' sessions. */
  network?: string | null;
  /** Time after which an unused session ends, in ms, if the settings define it. */
  idleMs?: number;
}

interface Reading<Person> {
  /** Replaces the kind's own statement by one that also reads other data. */
  find?: FindSession<Person> | undefined;
  /** Time after which an unused session ends, in ms, if the settings define it. */
  idleMs?: number;
}

/** The sessions of one kind of person. */
export interface Sessions<Person> {
  open(em: EntityManager, clock: Clock, personId: string, opening?: Opening): Promise<OpenSession>;
  /** Returns the person of this token, and whether this use has extended the session. Null for an unknown or ended session. */
  read(
    em: EntityManager,
    clock: Clock,
    token: string,
    reading?: Reading<Person>,
  ): Promise<{ person: Person; session: OpenSession; extended: boolean } | null>;
  close(em: EntityManager, clock: Clock, token: string): Promise<void>;
  /** Ends all sessions of a person on every device, and deletes their rows. */
  closeAll(em: EntityManager, clock: Clock, personId: string): Promise<void>;
}

/** One kind of session: its lifetimes in ms, and the statements on its table. */
interface Kind<Person> {
  /** Longest lifetime from the sign-in, despite use. */
  longestMs: number;
  /** Time after which an unused session ends. */
  idleMs: number;
  /** Whether the last recorded use is recent enough that this one need not be recorded. So most requests cause no write. */
  isNoted(usedAt: Date, now: Date, idleMs: number): boolean;
  find: FindSession<Person>;
  insert(em: EntityManager, session: NewSession): Promise<unknown>;
  /** Records a use. Must not change a session that was ended meanwhile. */
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

/** Returns the end of a session: `longestMs` after the sign-in or `idleMs` after the last use, whichever is earlier. */
const endOf = ({ longestMs }: { longestMs: number }, createdAt: Date, usedAt: Date, idleMs: number): Date =>
  new Date(Math.min(createdAt.getTime() + longestMs, usedAt.getTime() + idleMs));

/**
 * Lucia's database adapter. It stores only the SHA-256 of a token, so that a reader of the table cannot sign in.
 * Lucia uses the system's clock and one lifetime; we use the context's clock and two lifetimes. So the end of a session is computed
 * here.
 */
class HashingAdapter<Person extends { id: string }> implements Adapter {
  readonly #em: EntityManager;
  readonly #clock: Clock;
  readonly #kind: Kind<Person>;
  readonly #find: FindSession<Person>;
  readonly #idleMs: number;
  /** The session that was read. Kept here, since Lucia's types allow only one kind of person. */
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

  /** Does nothing: uses are recorded when the session is read, more often than Lucia would. */
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
      // A process with a slow clock would record an earlier use and so shorten the session.
      const isBehind = now < usedAt || now < createdAt;
      if (isBehind || kind.isNoted(usedAt, now, idleMs)) return unchanged;
      const expiresAt = endOf(kind, createdAt, now, idleMs);
      try {
        await kind.use(em, hashToken(token), { usedAt: now, expiresAt });
      } catch (error) {
        // The database is temporarily read-only: reading requests continue.
        if (!isDatabaseAway(error)) throw error;
        return unchanged;
      }
      // A session opened before the longest lifetime was introduced may be older than it.
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
 * Returns SQL of the learner of a valid session (`LearnerRow`), at most one row. A page may use it within its own statement
 * (`readBesideSession`).
 * @param hash and now: SQL placeholders of a token's hash and an instant
 * @param header SQL of the header data (`headerColumn`), using `u.id`
 */
export const learnerSession = (hash: string, now: string, header?: string): string =>
  `select s.expires_at as session_end, s.created_at as session_start, coalesce(s.used_at, s.created_at) as session_use,
     u.id as learner_id, u.username as learner_name, u.email as learner_email${header ? `, ${header} as header` : ''}
   from session s join app_user u on u.id = s.user_id where s.id = ${hash} and s.expires_at > ${now}`;

const learnerBySession = namedStatement<LearnerRow>({ name: 'identity.session', text: learnerSession('$1', '$2') });

/** Returns the session in a row of `learnerSession`. */
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

/**
 * Returns the number of the day in Africa/Douala, an hour ahead of UTC all year. Computed, since every page needs it: `dayIn` formats
 * the date, which is slower.
 */
const dayNumber = (at: Date): number => Math.floor((at.getTime() + 3_600_000) / dayMs);

/** Learners' sessions end 30 days after the last use, recorded once a day, and at most 180 days after the sign-in. */
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
  // The first use is recorded at once: releases before gave unused sessions the end of a full working day.
  text: `select s.expires_at, s.created_at, coalesce(s.used_at, 'epoch') as used_at, a.id, a.username, a.email, a.role,
                coalesce(s.confirmed_at, s.created_at) as confirmed_at, f.confirmed_at is not null as has_second_factor
         from administrator_session s join administrator a on a.id = s.administrator_id left join second_factor f on f.administrator_id = a.id
         where s.id = $1 and s.expires_at > $2 and a.disabled_at is null`,
});

const minuteMs = 60_000;
const workingDayMs = 8 * 60 * minuteMs;

/**
 * Administrators' sessions end 8 hours after the sign-in (a working day), or after `ADMIN_IDLE_MINUTES` without use. A disabled
 * administrator has none.
 */
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
