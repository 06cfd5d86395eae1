import { CircuitState, ConsecutiveBreaker, circuitBreaker, ExponentialBackoff, handleWhen } from 'cockatiel';
import pg from 'pg';
import { UnnamedStatements } from '../connections/unnamed-statements.ts';
import type { WrittenSoFar } from './written-so-far.ts';

/** Timeout for connecting and for a statement, in ms; the read then goes to the primary. */
const withinMs = 1_000;
/** Pause after a failed read before the replica is tried again: first and longest, in ms. */
const pauseMs = { initialDelay: 1_000, maxDelay: 30_000 };

/** Options of each replica's pool; the primary's pool has the same ones. */
export interface PoolOptions {
  /** Maximum number of connections to one replica. */
  poolSize: number;
  namedStatements: boolean;
}

/** Reason, for the log, why a replica is not used. */
export type ReplicaFault = 'unreachable' | 'no replica' | 'of another cluster' | 'of another history' | 'late';

interface Told {
  recovering: boolean;
  /** Replayed position in the primary's log, in bytes; null if nothing was replayed. */
  replayed: number | null;
  cluster: string;
}

/** Queries that any role may run: the log position in bytes, and the cluster's id. */
const position = (lsn: string) => `pg_wal_lsn_diff(${lsn}, '0/0')::float8`;
const cluster = '(select system_identifier::text from pg_control_system()) as cluster';
export const askReplica = `select pg_is_in_recovery() as recovering, ${position('pg_last_wal_replay_lsn()')} as replayed, ${cluster}`;
export const askPrimary = `select ${position('pg_current_wal_lsn()')} as bytes, ${cluster}`;

/** Returns a pool of one connection for monitoring, which works even when all other connections are busy. */
export const watchingPool = (url: string) => ignoringLost(new pg.Pool({ ...limits(url), max: 1, application_name: 'prepa replicas' }));

const limits = (url: string) => ({
  connectionString: url,
  connectionTimeoutMillis: withinMs,
  // The server cancels the statement; `query_timeout` covers a server that does not respond at all.
  statement_timeout: withinMs,
  query_timeout: withinMs,
  keepAlive: true,
});

/** Ignores lost idle connections: the pool replaces them at the next use. */
function ignoringLost(pool: pg.Pool): pg.Pool {
  pool.on('error', () => {});
  return pool;
}

/** Returns whether a statement refused a value, which does not mean that the server has failed. */
const isRefusedValue = (error: unknown): boolean => /^2[23]/.test(String((error as { code?: unknown } | null)?.code ?? ''));

export class Replica {
  /** Host and port, for log and metrics; without role and password. */
  readonly name: string;
  readonly #pool: pg.Pool;
  readonly #watching: pg.Pool;
  readonly #breaker = circuitBreaker(
    handleWhen((error) => !isRefusedValue(error)),
    { halfOpenAfter: new ExponentialBackoff(pauseMs), breaker: new ConsecutiveBreaker(1) },
  );
  /** The replica has every commit before this time, in ms of this process's clock; -Infinity: unknown. */
  #knownUntil = Number.NEGATIVE_INFINITY;
  #fault: ReplicaFault | null = 'unreachable';
  /** Log position at which the replica stopped with data that the primary never wrote; null otherwise. */
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

  /** Reason why the replica cannot be used, apart from its delay; null if it can. */
  get fault(): ReplicaFault | null {
    return this.#fault;
  }

  /** Queries the replica's state; null if it does not respond. */
  async told(): Promise<Told | null> {
    const answer = await this.#watching.query<Told>(askReplica).catch(() => null);
    return answer?.rows[0] ?? null;
  }

  /** @param written must include a sample taken after the replica's state was read  @param cluster the primary's id; null if never read */
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
    // Such a replica advances only once it is rebuilt. When the primary's log passes its position, it must not be taken for a replica that
    // is slightly late.
    if (told.replayed === this.#strayedAt) return 'of another history';
    this.#strayedAt = null;
    return null;
  }

  /** Returns null if the replica failed: read from the primary. While one request tests it again after a failure, all others skip it. */
  async ask<Answer>(read: (pool: pg.Pool) => Promise<Answer>): Promise<Answer | null> {
    if (this.#breaker.state === CircuitState.HalfOpen) return null;
    try {
      return await this.#breaker.execute(() => read(this.#pool));
    } catch {
      // If the statement itself is wrong, the primary reports the same error.
      return null;
    }
  }

  async close(): Promise<void> {
    await Promise.all([this.#pool.end(), this.#watching.end()]);
  }
}
