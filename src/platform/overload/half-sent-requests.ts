/** How long a body may take before its rate counts, in ms. */
const graceMs = 10_000;
/** The slowest average rate of a body after that, in bytes a second: a phone at the edge of a 2G cell sends several times as much. */
const slowestRate = 500;
/** How long a body may stay without a further byte, in ms. */
const silentMs = 20_000;
/** How many bodies of one network may be on their way at once. Mobile carriers put thousands of people behind one address, whose bodies take a second at most. */
const mostPerNetwork = 64;

/** A request whose body is still being sent. */
export interface HalfSent {
  /** Whose bodies count together (networkOf). */
  network: string;
  /** When its headers had come, in ms of the same clock as `now`. */
  startedAt: number;
  /** How much has been received of it until now, in bytes. */
  receivedBytes(): number;
}

/** Keeps the requests of one process whose bodies are still being sent, and says which must be given up. */
export class HalfSentRequests<T extends HalfSent> {
  readonly #networks = new Map<string, Set<T>>();
  readonly #progress = new WeakMap<T, { bytes: number; at: number }>();

  /** Adds a request. Returns the request of the same network that has the least time left, if there are too many; it is no longer kept. */
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

  /** Forgets a request whose body has come, or whose client has gone. */
  remove(request: T): void {
    const requests = this.#networks.get(request.network);
    if (requests?.delete(request) && requests.size === 0) this.#networks.delete(request.network);
  }

  /** Removes and returns the requests whose bodies come too slowly. Expects to be asked every second or so. */
  overdue(now: number): T[] {
    const found = [...this.#networks.values()].flatMap((requests) =>
      [...requests].filter((request) => deadline(request) < now || this.#silentSince(request, now) + silentMs < now),
    );
    for (const request of found) this.remove(request);
    return found;
  }

  /** Returns when the last byte was seen, in ms. */
  #silentSince(request: T, now: number): number {
    const bytes = request.receivedBytes();
    const last = this.#progress.get(request);
    if (last && last.bytes === bytes) return last.at;
    this.#progress.set(request, { bytes, at: now });
    return now;
  }
}

/** Returns the time, in ms, at which a request is given up if no further byte comes. Each byte moves it. */
const deadline = (request: HalfSent): number => request.startedAt + graceMs + (request.receivedBytes() / slowestRate) * 1_000;
