/** Time after which the average rate of a body is checked, in ms. */
const graceMs = 10_000;
/** Slowest average rate of a body, in bytes per second. A phone with a weak 2G signal sends several times as fast. */
const slowestRate = 500;
/** Longest time without a further byte of a body, in ms. */
const silentMs = 20_000;
/**
 * Maximum number of bodies that one network may send at once. Mobile carriers put thousands of people behind one address; each of their
 * bodies takes a second at most.
 */
const mostPerNetwork = 64;

/** A request whose body is still being sent. */
export interface HalfSent {
  /** The client's network (networkOf), for which bodies are counted together. */
  network: string;
  /** When its headers were complete, in ms of the same clock as `now`. */
  startedAt: number;
  /** Returns how many bytes of it have been received so far. */
  receivedBytes(): number;
}

/** Holds the requests of one process whose bodies are still being received, and finds those to give up. */
export class HalfSentRequests<T extends HalfSent> {
  readonly #networks = new Map<string, Set<T>>();
  readonly #progress = new WeakMap<T, { bytes: number; at: number }>();

  /**
   * Adds a request. Above `mostPerNetwork`, removes and returns the request of the same network that has the least time left; else returns
   * null.
   */
  add(request: T): T | null {
    const requests = this.#networks.get(request.network) ?? new Set();
    this.#networks.set(request.network, requests);
    let displaced: T | null = null;
    if (requests.size >= mostPerNetwork) {
      displaced = [...requests].reduce((first, other) => (deadline(other) < deadline(first) ? other : first));
      requests.delete(displaced);
    }
    requests.add(request);
    return displaced;
  }

  /** Removes a request whose body is complete, or whose client has disconnected. */
  remove(request: T): void {
    const requests = this.#networks.get(request.network);
    if (requests?.delete(request) && requests.size === 0) this.#networks.delete(request.network);
  }

  /** Removes and returns the requests whose bodies arrive too slowly. To be called about once a second. */
  overdue(now: number): T[] {
    const found = [...this.#networks.values()].flatMap((requests) =>
      [...requests].filter((request) => deadline(request) < now || this.#silentSince(request, now) + silentMs < now),
    );
    for (const request of found) this.remove(request);
    return found;
  }

  /** Returns when the last byte was seen, in ms. Exact to the interval between two calls. */
  #silentSince(request: T, now: number): number {
    const bytes = request.receivedBytes();
    const last = this.#progress.get(request);
    if (last && last.bytes === bytes) return last.at;
    this.#progress.set(request, { bytes, at: now });
    return now;
  }
}

/** Returns the time, in ms, at which a request is given up unless more bytes come. Every byte moves it further. */
const deadline = (request: HalfSent): number => request.startedAt + graceMs + (request.receivedBytes() / slowestRate) * 1_000;
