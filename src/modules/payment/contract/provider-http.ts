import {
  BrokenCircuitError,
  CircuitState,
  ConsecutiveBreaker,
  circuitBreaker,
  ExponentialBackoff,
  handleWhenResult,
  retry,
} from 'cockatiel';
import { type Clock, systemClock } from '../../../platform/use-cases/clock.ts';
import type { UseCaseContext } from '../../../platform/use-cases/events.ts';
import { type JsonObject, readBoundedJson } from './bounded-json.ts';
import type { ProviderHealth, Verification } from './provider.ts';

type Unknown = Extract<Verification, { kind: 'unknown' }>;

/** A provider's response to one call: 200 and 201 with JSON, other 2xx and 4xx with or without JSON. Everything else is `unknown`. */
export type ProviderAnswer = { kind: 'answer'; status: number; json: JsonObject | null } | Unknown;

/** The environment of an adapter. */
export interface ProviderSurroundings {
  clock: Clock;
  log: Pick<UseCaseContext['log'], 'info' | 'warn'>;
  /** Consecutive failed calls after which the provider is paused. */
  failuresBeforePause: number;
  /** Length of the pause, in ms; after it one call tests the provider. */
  pauseMs: number;
  /** Approximate wait before the first retry, in ms. */
  firstRepeatMs: number;
  /** Called on each change of the circuit breaker. */
  onStateChange?: ((health: ProviderHealth) => void) | undefined;
}

/** Retries of a GET: at most three requests. */
const repeats = 2;
/** Longest wait between retries, in ms. */
const maxRepeatMs = 500;
/** Pause after a 429 without Retry-After, and the longest pause, in seconds. */
const defaultRetryAfter = 30;
const maxRetryAfter = 3_600;

const breakerNames = {
  [CircuitState.Closed]: 'closed',
  [CircuitState.Open]: 'open',
  [CircuitState.Isolated]: 'open',
  [CircuitState.HalfOpen]: 'half-open',
} as const;

const ordinary: ProviderSurroundings = {
  clock: systemClock,
  log: { info() {}, warn() {} },
  failuresBeforePause: 10,
  pauseMs: 30_000,
  firstRepeatMs: 200,
};

/** The result of one call, and whether it shows that the provider is failing. */
interface Exchange {
  answer: ProviderAnswer;
  failing: boolean;
}

const isFailing = (result: unknown): boolean => (result as Exchange).failing;

/** Returns whether an immediate retry makes sense: the provider failed, but did not ask us to wait. */
const isPassing = (result: unknown): boolean => {
  const { answer, failing } = result as Exchange;
  return failing && answer.kind === 'unknown' && answer.retryAfterSeconds === undefined;
};

/**
 * Creates the HTTP client of one provider, shared by all its calls in this process.
 * It has a timeout and a size limit, follows no redirects, retries GETs with jitter, has a circuit breaker, and makes all calls
 * respect the wait of a 429.
 */
export function providerHttp(slug: string, timeoutMs: number, surroundings: Partial<ProviderSurroundings> = {}) {
  const { clock, log, failuresBeforePause, pauseMs, firstRepeatMs, onStateChange } = { ...ordinary, ...surroundings };
  const failuresInARow = new ConsecutiveBreaker(failuresBeforePause);
  const breaker = circuitBreaker(handleWhenResult(isFailing), { halfOpenAfter: pauseMs, breaker: failuresInARow });
  const backoff = new ExponentialBackoff({ initialDelay: firstRepeatMs, maxDelay: maxRepeatMs });
  const repeating = retry(handleWhenResult(isPassing), { maxAttempts: repeats, backoff });
  let since = clock.now();
  let lastFailure: string | null = null;
  let waitsUntil: Date | null = null;
  /** When the breaker opened, by the machine's clock, in ms since 1970. The breaker measures its pause by this clock. */
  let openedAt = 0;

  const health = (): ProviderHealth => ({
    slug,
    // The breaker itself becomes half-open only at the next call, and reconciliation makes no call while this reports 'open'.
    breaker: breaker.state === CircuitState.Open && Date.now() >= openedAt + pauseMs ? 'half-open' : breakerNames[breaker.state],
    failures: failuresInARow.state,
    since,
    lastFailure,
    waitsUntil: secondsToWait() > 0 ? waitsUntil : null,
  });

  breaker.onStateChange((state) => {
    since = clock.now();
    if (state === CircuitState.Open) openedAt = Date.now();
    if (state === CircuitState.Open)
      log.warn({ alert: 'provider-failing', provider: slug, cause: lastFailure, pauseMs }, 'payment provider failing');
    if (state === CircuitState.Closed) log.info({ alert: 'provider-failing', provider: slug, count: 0 }, 'payment provider answers again');
    onStateChange?.({ ...health(), breaker: breakerNames[state] });
  });

  /** Returns the seconds left of the provider's requested pause; 0 when there is none. */
  function secondsToWait(): number {
    const left = waitsUntil === null ? 0 : Math.ceil((waitsUntil.getTime() - clock.now().getTime()) / 1000);
    // A clock set back must not prolong the pause.
    return left <= maxRetryAfter ? Math.max(0, left) : 0;
  }

  /** Pauses all calls to the provider, since its limit applies to our account and not to one payment. */
  function wait(asked: number | null): Unknown {
    const seconds = Math.min(Math.max(1, asked ?? defaultRetryAfter), maxRetryAfter);
    waitsUntil = new Date(clock.now().getTime() + Math.max(seconds, secondsToWait()) * 1000);
    log.warn({ provider: slug, seconds }, 'payment provider asks for a pause');
    return { kind: 'unknown', cause: 'HTTP 429', retryAfterSeconds: seconds };
  }

  async function exchange(url: URL, init: RequestInit): Promise<Exchange> {
    const failed = (cause: string, retryAfterSeconds?: number | null): Exchange => {
      lastFailure = cause;
      return { answer: { kind: 'unknown', cause, ...(retryAfterSeconds ? { retryAfterSeconds } : {}) }, failing: true };
    };
    try {
      const response = await fetch(url, { ...init, redirect: 'manual' });
      const { status } = response;
      const isAnswer = response.ok || (status >= 400 && status < 500 && status !== 429);
      if (!isAnswer) {
        const asked = readRetryAfter(response, clock.now());
        await response.body?.cancel();
        return status === 429 ? { answer: wait(asked), failing: false } : failed(`HTTP ${status}`, asked);
      }
      const body = await readBoundedJson(response);
      // A refusal needs no JSON, nor does a 202. An unreadable 200 or 201 is a failure.
      if (body.kind === 'unreadable' && (status === 200 || status === 201)) return failed(body.cause);
      return { answer: { kind: 'answer', status, json: body.kind === 'json' ? body.value : null }, failing: false };
    } catch (error) {
      return failed(describeFailure(error));
    }
  }

  function failing(): Exchange {
    const left = Math.ceil((openedAt + pauseMs - Date.now()) / 1000);
    return { answer: { kind: 'unknown', cause: 'provider failing', retryAfterSeconds: Math.max(1, left) }, failing: false };
  }

  async function once(url: URL, init: RequestInit): Promise<Exchange> {
    const seconds = secondsToWait();
    if (seconds > 0) return { answer: { kind: 'unknown', cause: 'asked to wait', retryAfterSeconds: seconds }, failing: false };
    // One call tests the provider. Others fail at once: they would have to wait for its result, and then for their own.
    if (breaker.state === CircuitState.HalfOpen) return failing();
    try {
      return await breaker.execute(() => exchange(url, init));
    } catch (error) {
      if (error instanceof BrokenCircuitError) return failing();
      throw error;
    }
  }

  return {
    /** Returns a signal that aborts when one operation on the provider has taken its total time, over all its calls. */
    timeout: () => AbortSignal.timeout(timeoutMs),
    /** Sends a GET, with retries while the provider fails. Never throws. */
    async get(url: URL, headers: Record<string, string>, signal: AbortSignal) {
      const init = { headers: { accept: 'application/json', ...headers }, signal };
      return (await repeating.execute(() => once(url, init), signal)).answer;
    },
    /** Sends a POST once: after a call without response, its effect is unknown. Never throws. */
    async post(url: URL, body: JsonObject, headers: Record<string, string>, signal: AbortSignal) {
      const json = { accept: 'application/json', 'content-type': 'application/json' };
      return (await once(url, { method: 'POST', headers: { ...json, ...headers }, body: JSON.stringify(body), signal })).answer;
    },
    health,
  };
}

/** Returns the seconds of a Retry-After header, given as a number or as a date; null when it is missing or invalid. */
function readRetryAfter(response: Response, now: Date): number | null {
  const value = response.headers.get('retry-after') ?? '';
  if (/^\d{1,6}$/.test(value)) return Number(value);
  const at = Date.parse(value);
  return Number.isNaN(at) ? null : Math.max(0, Math.ceil((at - now.getTime()) / 1000));
}

/** Returns the kind of failure for the payment's history. Never the address or headers, which contain the receiver and the key. */
function describeFailure(error: unknown): string {
  if (!(error instanceof Error)) return 'failed';
  if (error.name === 'TimeoutError') return 'time-out';
  const cause = error.cause as { code?: unknown } | undefined;
  return typeof cause?.code === 'string' ? cause.code : error.name;
}
