const CONCURRENT_DELIVERIES = 32;

/** The merchant's response. `error` is the name of the error if there was no response. */
export interface DeliveryOutcome {
  httpStatus: number | null;
  error: string | null;
}

export interface Courier {
  /** Sends a POST once fewer than the maximum are in progress. Aborts it after the timeout. Never rejects. */
  post(url: string, body: RequestInit['body'], headers?: Record<string, string>): Promise<DeliveryOutcome>;
  /** Returns a signal aborted by {@link cancel}: check it before sending another copy. */
  stopping(): AbortSignal;
  /** Aborts the calls in progress. */
  cancel(): void;
}

/** Returns a function that runs at most `limit` tasks at a time and queues the others. */
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

/** Sends server-to-server notifications: at most 32 at a time, each with a timeout of `timeoutMs`. */
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
