import { CircuitState, ConsecutiveBreaker, circuitBreaker, ExponentialBackoff, handleWhen } from 'cockatiel';
import pg from 'pg';
import { UnnamedStatements } from '../connections/unnamed-statements.ts';
import type { WrittenSoFar } from './written-so-far.ts';

/** For a connection as for an answer, in ms: whoever waits asks the primary then. */
const withinMs = 1_000;
/** How long a replica is left out that has failed a request, at first and at most, in ms. */
const pauseMs = { initialDelay: 1_000, maxDelay: 30_000 };

/** As with the primary. */
export interface PoolOptions {
  /** Connections to one replica, at most. */
  poolSize: number;
  namedStatements: boolean;
}

/** Why a replica is not read, in a word for the log. */
export type ReplicaFault = 'unreachable' | 'no replica' | 'of another cluster' | 'of another history' | 'late';

interface Told {
  recovering: boolean;
  /** Bytes of the primary's log; null where nothing was replayed. */
  replayed: number | null;
  cluster: string;
}

/** What any role may ask of a server: bytes of the log, and which cluster it is. */
const position = (lsn: string) => `pg_wal_lsn_diff(${lsn}, '0/0')::float8`;
const cluster = '(select system_identifier::text from pg_control_system()) as cluster';
export const askReplica = `select pg_is_in_recovery() as recovering, ${position('pg_last_wal_replay_lsn()')} as replayed, ${cluster}`;
export const askPrimary = `select ${position('pg_current_wal_lsn()')} as bytes, ${cluster}`;

/** A connection of its own, for what must be heard when all others are taken. */
export const watchingPool = (url: string) => ignoringLost(new pg.Pool({ ...limits(url), max: 1, application_name: 'prepa replicas' }));

const limits = (url: string) => ({
  connectionString: url,
  connectionTimeoutMillis: withinMs,
  // The server ends it, and we do when not even that is heard.
  statement_timeout: withinMs,
  query_timeout: withinMs,
  keepAlive: true,
});

/** A connection that breaks while nobody uses it is replaced when somebody does. */
function ignoringLost(pool: pg.Pool): pg.Pool {
  pool.on('error', () => {});
  return pool;
}

/** A value that the statement refuses says nothing against the server. */
const isRefusedValue = (error: unknown): boolean => /^2[23]/.test(String((error as { code?: unknown } | null)?.code ?? ''));

/** One replica as this process sees it. */
export class Replica {
  /** Host and port, for log and metrics: nothing of who signs in. */
  readonly name: string;
  readonly #pool: pg.Pool;
  readonly #watching: pg.Pool;
  readonly #breaker = circuitBreaker(
    handleWhen((error) => !isRefusedValue(error)),
    { halfOpenAfter: new ExponentialBackoff(pauseMs), breaker: new ConsecutiveBreaker(1) },
  );
  /** It has everything that was committed by then, in ms of this process; never: -Infinity. */
  #knownUntil = Number.NEGATIVE_INFINITY;
  #fault: ReplicaFault | null = 'unreachable';
  /** Where it has stopped, with what the primary never wrote. */
  #strayedAt: number | null = null;

  constructor(url: string, { poolSize, namedStatements }: PoolOptions) {
    this.name = new URL(url).host;
    this.#pool = ignoringLost(
      new pg.Pool({ ...limits(url), max: poolSize, application_name: 'prepa', ...(!namedStatements && { Client: UnnamedStatements }) }),
    );
    this.#watching = watchingPool(url);
  }

  get knownUntil(): number {
    return this.#knownUntil;
  }

  /** Why it cannot be read whatever the delay; null: it can. */
  get fault(): ReplicaFault | null {
    return this.#fault;
  }

  /** What it says of itself; null when it cannot be asked. */
  async told(): Promise<Told | null> {
    const answer = await this.#watching.query<Told>(askReplica).catch(() => null);
    return answer?.rows[0] ?? null;
  }

  /** @param written with a sample that was taken after the replica was asked  @param cluster the primary's; null when it has never answered */
  judge(told: Told | null, written: WrittenSoFar, cluster: string | null): void {
    const until = told?.replayed == null ? null : written.knownUntil(told.replayed);
    this.#fault = this.#faultOf(told, written, cluster);
    this.#knownUntil = this.#fault === null && until !== null ? until : Number.NEGATIVE_INFINITY;
  }

  #faultOf(told: Told | null, written: WrittenSoFar, cluster: string | null): ReplicaFault | null {
    if (told === null) return 'unreachable';
    if (!told.recovering || told.replayed === null) return 'no replica';
    if (told.cluster !== cluster) return 'of another cluster';
    if (written.isBeyond(told.replayed)) this.#strayedAt = told.replayed;
    // It goes on from there only when it was made anew: until then the primary's log passes it, and it must not look like one that is a little late.
    if (told.replayed === this.#strayedAt) return 'of another history';
    this.#strayedAt = null;
    return null;
  }

  /** Null when it did not answer: the primary is to be asked. While it is tried again by one request, the others do without. */
  async ask<Answer>(read: (pool: pg.Pool) => Promise<Answer>): Promise<Answer | null> {
    if (this.#breaker.state === CircuitState.HalfOpen) return null;
    try {
      return await this.#breaker.execute(() => read(this.#pool));
    } catch {
      // The primary says the same of what is wrong with the statement itself.
      return null;
    }
  }

  async close(): Promise<void> {
    await Promise.all([this.#pool.end(), this.#watching.end()]);
  }
}
