const CONCURRENT_DELIVERIES = 32;

/** What came back from a merchant's server; `error` is the name of what went wrong. */
export interface DeliveryOutcome {
  httpStatus: number | null;
  error: string | null;
}

export interface Courier {
  /** POSTs once the others leave room, and gives up after the time-out. Never rejects. */
  post(url: string, body: RequestInit['body'], headers?: Record<string, string>): Promise<DeliveryOutcome>;
  /** Aborted by {@link cancel}: who sends several copies stops there. */
  stopping(): AbortSignal;
  /** Gives up what is under way. */
  cancel(): void;
}

/** Lets at most `limit` tasks run together; the others wait their turn. */
function createGate(limit: number) {
  let free = limit;
  const waiting: (() => void)[] = [];
  return async <T>(task: () => Promise<T>): Promise<T> => {
    if (free === 0) await new Promise<void>((resolve) => waiting.push(resolve));
    else free -= 1;
    try {
      return await task();
    } finally {
      const next = waiting.shift();
      if (next) next();
      else free += 1;
    }
  };
}

/** Server-to-server notifications, 32 together at most, each given up after `timeoutMs`. */
export function createCourier(timeoutMs: number): Courier {
  const gate = createGate(CONCURRENT_DELIVERIES);
  let shutdown = new AbortController();

  async function deliver(url: string, init: RequestInit, stop: AbortSignal): Promise<DeliveryOutcome> {
    try {
      const signal = AbortSignal.any([AbortSignal.timeout(timeoutMs), stop]);
      const response = await fetch(url, { ...init, method: 'POST', redirect: 'manual', signal });
      await response.body?.cancel();
      return { httpStatus: response.status, error: null };
    } catch (error) {
      return { httpStatus: null, error: error instanceof Error ? error.name : String(error) };
    }
  }

  return {
    post(url, body, headers) {
      const stop = shutdown.signal;
      return gate(() => deliver(url, { body, headers }, stop));
    },
    stopping: () => shutdown.signal,
    cancel() {
      shutdown.abort();
      shutdown = new AbortController();
    },
  };
}
