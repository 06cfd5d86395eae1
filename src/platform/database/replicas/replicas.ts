import type { EntityManager } from '@mikro-orm/postgresql';
import type pg from 'pg';
import type { Logger } from 'pino';
import { askPrimary, type PoolOptions, Replica, type ReplicaFault, watchingPool } from './replica.ts';
import { WrittenSoFar } from './written-so-far.ts';

interface ReplicasOptions extends PoolOptions {
  urls: readonly string[];
  primaryUrl: string;
  /** Maximum delay of a read behind the primary, in ms. */
  maxLagMs: number;
  log: Pick<Logger, 'info' | 'warn'>;
}

/** Outcome of a read that may go to a replica. */
export type ReadOutcome = 'replica' | 'older' | 'failed' | 'none';

/**
 * Read replicas for data that may be some seconds old (docs/decisions/075-read-replicas.md). Each replica is polled for its position in the
 * primary's log. A replica is not read if it may lack commits older than `maxLagMs`, or if it fails.
 */
export class Replicas {
  readonly maxLagMs: number;
  readonly #replicas: Replica[];
  readonly #primary: pg.Pool;
  readonly #log: ReplicasOptions['log'];
  readonly #written = new WrittenSoFar();
  readonly #faults = new Map<Replica, ReplicaFault | null>();
  readonly reads: Record<ReadOutcome, number> = { replica: 0, older: 0, failed: 0, none: 0 };
  #cluster: string | null = null;
  /** Replicas are used only if they have all commits before this time, in ms. */
  #mustKnow = Number.NEGATIVE_INFINITY;
  #turn = 0;
  #timer: NodeJS.Timeout | undefined;
  #looking: Promise<void> | null = null;
  #closed = false;

  constructor({ urls, primaryUrl, maxLagMs, log, ...pool }: ReplicasOptions) {
    this.maxLagMs = maxLagMs;
    this.#replicas = urls.map((url) => new Replica(url, pool));
    this.#primary = watchingPool(primaryUrl);
    this.#log = log;
  }

  /** Starts polling the replicas. Resolves after the first round, which takes a few seconds at most. */
  start(): Promise<void> {
    this.#looking ??= this.#lookOn();
    return this.#looking;
  }

  async #lookOn(): Promise<void> {
    await this.#look();
    const again = () => {
      this.#looking = this.#lookOn();
    };
    if (!this.#closed) this.#timer = setTimeout(again, Math.min(1_000, Math.ceil(this.maxLagMs / 10))).unref();
  }

  async close(): Promise<void> {
    this.#closed = true;
    clearTimeout(this.#timer);
    await this.#looking;
    await Promise.all([this.#primary.end(), ...this.#replicas.map((replica) => replica.close())]);
  }

  /** Called after a change here to data that replicas serve: they are used again once they have this change. */
  mustHaveAllOfNow(): void {
    this.#mustKnow = performance.now();
  }

  /** @returns null if the primary must be read  @param isCurrent returns whether a replica's rows are recent enough */
  async read<Row>(ask: (pool: pg.Pool) => Promise<Row[]>, isCurrent: (rows: Row[]) => boolean): Promise<Row[] | null> {
    const replica = this.#next();
    const rows = (await replica?.ask(ask)) ?? null;
    const outcome = replica === undefined ? 'none' : rows === null ? 'failed' : isCurrent(rows) ? 'replica' : 'older';
    this.reads[outcome] += 1;
    return outcome === 'replica' ? rows : null;
  }

  /** Returns each replica with its greatest possible delay in ms; null: unknown. */
  state(): { name: string; fault: ReplicaFault | null; lagMs: number | null }[] {
    const now = performance.now();
    return this.#replicas.map((replica) => {
      const lagMs = Number.isFinite(replica.knownUntil) ? now - replica.knownUntil : null;
      return { name: replica.name, fault: this.#faultOf(replica, now), lagMs };
    });
  }

  /** Returns the usable replicas in turn; undefined if there is none. */
  #next(): Replica | undefined {
    const now = performance.now();
    for (let tries = 0; tries < this.#replicas.length; tries += 1) {
      this.#turn = (this.#turn + 1) % this.#replicas.length;
      const replica = this.#replicas[this.#turn];
      if (replica && this.#faultOf(replica, now) === null && replica.knownUntil >= this.#mustKnow) return replica;
    }
    return undefined;
  }

  #faultOf(replica: Replica, now: number): ReplicaFault | null {
    return replica.fault ?? (now - replica.knownUntil > this.maxLagMs ? 'late' : null);
  }

  async #look(): Promise<void> {
    await this.#sample();
    const told = await Promise.all(this.#replicas.map((replica) => replica.told()));
    // A second sample, so that no replica can be ahead of the latest one.
    await this.#sample();
    this.#replicas.forEach((replica, index) => {
      replica.judge(told[index] ?? null, this.#written, this.#cluster);
      this.#report(replica);
    });
  }

  /**
   * Samples the primary's log position. If the primary does not respond, the delays become unknown, and after `maxLagMs` no replica is
   * used.
   */
  async #sample(): Promise<void> {
    const at = performance.now();
    const answer = await this.#primary.query<{ bytes: number; cluster: string }>(askPrimary).catch(() => null);
    const [row] = answer?.rows ?? [];
    if (!row) return;
    this.#written.add(at, row.bytes);
    this.#cluster = row.cluster;
  }

  /** Logs each change of state. */
  #report(replica: Replica): void {
    const fault = this.#faultOf(replica, performance.now());
    const before = this.#faults.get(replica);
    this.#faults.set(replica, fault);
    if (fault === before) return;
    if (fault === null) this.#log.info({ replica: replica.name }, 'a read replica is read');
    else this.#log.warn({ replica: replica.name, fault }, 'a read replica is left out');
  }
}

const serving = new WeakMap<EntityManager, Replicas>();

/**
 * Lets this entity manager's 'replica' statements read from replicas. Transactions have their own entity managers, so they always use the
 * primary.
 */
export const readFromReplicas = (em: EntityManager, replicas: Replicas): unknown => serving.set(em, replicas);

/** Makes this entity manager read from the primary only. */
export const readFromPrimary = (em: EntityManager): unknown => serving.delete(em);

/** Returns the replicas that this entity manager may read; undefined: the primary only. */
export const replicasOf = (em: EntityManager): Replicas | undefined => serving.get(em);
