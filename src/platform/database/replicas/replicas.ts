import type { EntityManager } from '@mikro-orm/postgresql';
import type pg from 'pg';
import type { Logger } from 'pino';
import { askPrimary, type PoolOptions, Replica, type ReplicaFault, watchingPool } from './replica.ts';
import { WrittenSoFar } from './written-so-far.ts';

interface ReplicasOptions extends PoolOptions {
  urls: readonly string[];
  primaryUrl: string;
  /** What a read may be behind the primary, in ms. */
  maxLagMs: number;
  log: Pick<Logger, 'info' | 'warn'>;
}

/** What became of a read that a replica may answer. */
export type ReadOutcome = 'replica' | 'older' | 'failed' | 'none';

/**
 * The replicas that answer what may be some seconds old (docs/decisions/075-read-replicas.md). Each is asked again and again how much of the primary's log it has
 * replayed; one of which it is not known that it has everything from before `maxLagMs` is not read, nor is one that fails.
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
  /** Replicas are read when they have what was committed by then. */
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

  /** Looks at all once, for some seconds at most, and from then on. */
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

  /** Something that they answer has just been changed here: they are read again when they have it. */
  mustHaveAllOfNow(): void {
    this.#mustKnow = performance.now();
  }

  /** @returns null when the primary is to be asked  @param isCurrent whether what a replica has answered is new enough */
  async read<Row>(ask: (pool: pg.Pool) => Promise<Row[]>, isCurrent: (rows: Row[]) => boolean): Promise<Row[] | null> {
    const replica = this.#next();
    const rows = (await replica?.ask(ask)) ?? null;
    const outcome = replica === undefined ? 'none' : rows === null ? 'failed' : isCurrent(rows) ? 'replica' : 'older';
    this.reads[outcome] += 1;
    return outcome === 'replica' ? rows : null;
  }

  /** Each with its delay in ms, at most; null: unknown. */
  state(): { name: string; fault: ReplicaFault | null; lagMs: number | null }[] {
    const now = performance.now();
    return this.#replicas.map((replica) => {
      const lagMs = Number.isFinite(replica.knownUntil) ? now - replica.knownUntil : null;
      return { name: replica.name, fault: this.#faultOf(replica, now), lagMs };
    });
  }

  /** One after the other, of those that can be read. */
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
    // Once more: what a replica has must not be more than this.
    await this.#sample();
    this.#replicas.forEach((replica, index) => {
      replica.judge(told[index] ?? null, this.#written, this.#cluster);
      this.#report(replica);
    });
  }

  /** A primary that does not answer leaves it unknown how late they are: after `maxLagMs` none is read. */
  async #sample(): Promise<void> {
    const at = performance.now();
    const answer = await this.#primary.query<{ bytes: number; cluster: string }>(askPrimary).catch(() => null);
    const [row] = answer?.rows ?? [];
    if (!row) return;
    this.#written.add(at, row.bytes);
    this.#cluster = row.cluster;
  }

  /** A line for each change. */
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

/** From now on the statements of this entity manager that a replica may answer are sent to one; in transactions, which have entity managers of their own, none is. */
export const readFromReplicas = (em: EntityManager, replicas: Replicas): unknown => serving.set(em, replicas);

/** The same entity manager reads from the primary alone. */
export const readFromPrimary = (em: EntityManager): unknown => serving.delete(em);

/** Those that this entity manager may read; undefined: the primary alone. */
export const replicasOf = (em: EntityManager): Replicas | undefined => serving.get(em);
