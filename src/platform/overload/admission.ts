/**
 * Order in which requests are refused under overload: first work that can wait (`deferrable`), then pages that only read (`page`).
 * Admission never refuses `essential` requests: they continue something already begun, or come from elsewhere only once. Sign-ins, which
 * are `essential` too, are refused elsewhere while the queue of the password workers is full.
 */
export type LoadClass = 'deferrable' | 'page' | 'essential';

export interface Load {
  /** Deferrable and page requests that have been received completely and have no response yet. */
  underWay: number;
  /** Statements waiting for a connection of the database pool. */
  waiting: number;
  /** How long new events wait for the event loop, in ms. */
  delayMs: number;
}

interface Limits {
  /** Load that may be exceeded for `burstMs`, so that a short burst of requests is served. */
  steady: Load;
  /** A load above `steady` that lasts longer than this is sustained overload, not a burst, in ms. */
  burstMs: number;
  /** Load that is never exceeded. */
  max: Load;
}

/**
 * All limits of admission. A response takes about as long as all requests under way together, so `steady` keeps response times within a few
 * times those of an idle server. The connection pool has ten connections.
 */
const limits: Record<Exclude<LoadClass, 'essential'>, Limits> = {
  // At half of full load two requests often overlap without slowing others; a real overload exceeds `max` at once.
  deferrable: { steady: { underWay: 2, waiting: 3, delayMs: 20 }, burstMs: 1_000, max: { underWay: 40, waiting: 8, delayMs: 60 } },
  page: { steady: { underWay: 6, waiting: 16, delayMs: 25 }, burstMs: 300, max: { underWay: 250, waiting: 200, delayMs: 500 } },
};

/** After a refusal, no burst is accepted for this time, in ms. */
const calmMs = 1_000;

/** Below this delay, in ms, and while no statement waits for the pool, requests under way do not slow each other. */
const noticeableDelayMs = 10;

/** Returns the first figure that reaches its limit, or null. */
const exceeded = (load: Load, limit: Load): keyof Load | null =>
  (['delayMs', 'waiting', 'underWay'] as const).find((figure) => load[figure] >= limit[figure]) ?? null;

/** Decides for each request of one process whether it is accepted. */
export class Admission {
  readonly #crowds = {
    deferrable: { since: null as number | null, refusedAt: Number.NEGATIVE_INFINITY },
    page: { since: null as number | null, refusedAt: Number.NEGATIVE_INFINITY },
  };

  /**
   * Returns the figure because of which a request is refused, or null if it is accepted.
   * @param now in ms, of a monotonic clock
   */
  refusal(loadClass: LoadClass, load: Load, now: number): keyof Load | null {
    if (loadClass === 'essential') return null;
    const { steady, burstMs, max } = limits[loadClass];
    const crowd = this.#crowds[loadClass];
    // Requests under way may wait for something that slows no other request. Their number counts only while other work
    // waits, or within `calmMs` of a refusal.
    const othersWait = load.delayMs >= noticeableDelayMs || load.waiting > 0 || now - crowd.refusedAt < calmMs;
    const crowded = exceeded(othersWait ? load : { ...load, underWay: 0 }, steady);
    if (crowded === null) crowd.since = null;
    else crowd.since ??= now;
    const lasts = crowd.since !== null && (now - crowd.since >= burstMs || now - crowd.refusedAt < calmMs);
    const reason = lasts ? crowded : exceeded(load, max);
    if (reason !== null) crowd.refusedAt = now;
    return reason;
  }
}
