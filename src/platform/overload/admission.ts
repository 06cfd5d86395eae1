/**
 * Whose requests are refused first when more come than can be answered in time: what can wait (`deferrable`), then pages that only read (`page`);
 * never what is under way or comes from elsewhere only once (`essential`).
 */
export type LoadClass = 'deferrable' | 'page' | 'essential';

/** How much there is to do at this moment. */
export interface Load {
  /** Requests of the first two classes that have arrived whole and have no answer yet. */
  underWay: number;
  /** Statements that wait for one of the database's connections. */
  waiting: number;
  /** How long what arrives waits until this process looks at it, in ms. */
  delayMs: number;
}

interface Limits {
  /** May be exceeded for `burstMs`: many who tap at once are served one after the other. */
  steady: Load;
  /** A crowd for so long is no burst, in ms. */
  burstMs: number;
  /** Never exceeded. */
  max: Load;
}

/**
 * The one place that decides. Answers take about as long as all that is under way takes together, so that the steady numbers hold what is accepted to a few
 * times of an idle server's time; the pool has ten connections.
 */
const limits: Record<Exclude<LoadClass, 'essential'>, Limits> = {
  // At half of what can be done two are often under way for a moment, and nothing needs to wait; of a real crowd the greatest numbers are exceeded at once.
  deferrable: { steady: { underWay: 2, waiting: 3, delayMs: 20 }, burstMs: 1_000, max: { underWay: 40, waiting: 8, delayMs: 60 } },
  page: { steady: { underWay: 3, waiting: 16, delayMs: 25 }, burstMs: 300, max: { underWay: 250, waiting: 200, delayMs: 500 } },
};

/** After a refusal no burst is let in for so long, in ms: each would be one more crowd. */
const calmMs = 1_000;

/** Below this delay, in ms, and with no statement waiting for the pool, requests under way hold up nobody. */
const noticeableDelayMs = 4;

/** Returns the first figure that is too high, or null. */
const exceeded = (load: Load, limit: Load): keyof Load | null =>
  (['delayMs', 'waiting', 'underWay'] as const).find((figure) => load[figure] >= limit[figure]) ?? null;

/** Decides request by request, for one process. */
export class Admission {
  readonly #crowds = {
    deferrable: { since: null as number | null, refusedAt: Number.NEGATIVE_INFINITY },
    page: { since: null as number | null, refusedAt: Number.NEGATIVE_INFINITY },
  };

  /**
   * Why a request is refused, or null when it is accepted.
   * @param now in ms, of a clock that never goes back
   */
  refusal(loadClass: LoadClass, load: Load, now: number): keyof Load | null {
    if (loadClass === 'essential') return null;
    const { steady, burstMs, max } = limits[loadClass];
    const crowd = this.#crowds[loadClass];
    // Requests may wait for something that holds up nobody else: their number counts once others wait, and until a second has passed without a refusal.
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
