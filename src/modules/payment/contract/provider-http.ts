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

/** What a provider answered to one call: 200 and 201 with their JSON, other 2xx and 4xx with or without; whatever else came is `unknown`. */
export type ProviderAnswer = { kind: 'answer'; status: number; json: JsonObject | null } | Unknown;

/** What every adapter stands in. */
export interface ProviderSurroundings {
  clock: Clock;
  log: Pick<UseCaseContext['log'], 'info' | 'warn'>;
  /** Calls in a row that fail before the provider is left alone. */
  failuresBeforePause: number;
  /** For how long it is left alone; then one call tries it again. In ms. */
  pauseMs: number;
  /** Waited before a question is repeated the first time, about; in ms. */
  firstRepeatMs: number;
  /** Told of each change of the circuit breaker. */
  onStateChange?: ((health: ProviderHealth) => void) | undefined;
}

/** A question is asked three times at most. */
const repeats = 2;
/** The longest pause between them, in ms. */
const maxRepeatMs = 500;
/** How long a provider is left alone that answers 429 without saying for how long, and how long any is at most; in seconds. */
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

/** One call, and whether it shows that the provider is not well. */
interface Exchange {
  answer: ProviderAnswer;
  failing: boolean;
}

const isFailing = (result: unknown): boolean => (result as Exchange).failing;

/** Another question at once may be answered: not when the provider has asked to wait. */
const isPassing = (result: unknown): boolean => {
  const { answer, failing } = result as Exchange;
  return failing && answer.kind === 'unknown' && answer.retryAfterSeconds === undefined;
};

/**
 * The way to one provider, for all its calls in this process: time-out, size limit, no redirect followed, questions repeated with jitter, a
 * circuit breaker, and the wait that a 429 asks for, kept by every call.
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
  /** The breaker's own time, which is the machine's, in ms. */
  let openedAt = 0;

  const health = (): ProviderHealth => ({
    slug,
    // The breaker itself becomes half-open at the next call only, and reconciliation makes none while this says that it is open.
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

  /** 0 when nobody has asked us to wait any more. */
  function secondsToWait(): number {
    const left = waitsUntil === null ? 0 : Math.ceil((waitsUntil.getTime() - clock.now().getTime()) / 1000);
    // A clock that went back must not prolong it.
    return left <= maxRetryAfter ? Math.max(0, left) : 0;
  }

  /** The whole provider is left in peace for as long, since the limit is on us and not on one payment. */
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
      // A refusal counts without JSON, and so does 202; a 200 or 201 that cannot be read is a failure.
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
    // One call tries the provider again; those beside it would wait for the outcome, and then take their own time.
    if (breaker.state === CircuitState.HalfOpen) return failing();
    try {
      return await breaker.execute(() => exchange(url, init));
    } catch (error) {
      if (error instanceof BrokenCircuitError) return failing();
      throw error;
    }
  }

  return {
    /** Aborts when one use of the provider has taken its whole time, whatever number of calls it makes. */
    timeout: () => AbortSignal.timeout(timeoutMs),
    /** A question: repeated a few times while the provider fails. Never throws. */
    async get(url: URL, headers: Record<string, string>, signal: AbortSignal) {
      const init = { headers: { accept: 'application/json', ...headers }, signal };
      return (await repeating.execute(() => once(url, init), signal)).answer;
    },
    /** Something to be done: sent once, since nobody knows what became of a call without an answer. Never throws. */
    async post(url: URL, body: JsonObject, headers: Record<string, string>, signal: AbortSignal) {
      const json = { accept: 'application/json', 'content-type': 'application/json' };
      return (await once(url, { method: 'POST', headers: { ...json, ...headers }, body: JSON.stringify(body), signal })).answer;
    },
    health,
  };
}

/** In seconds: a number of them, or a date. */
function readRetryAfter(response: Response, now: Date): number | null {
  const value = response.headers.get('retry-after') ?? '';
  if (/^\d{1,6}$/.test(value)) return Number(value);
  const at = Date.parse(value);
  return Number.isNaN(at) ? null : Math.max(0, Math.ceil((at - now.getTime()) / 1000));
}

/** A word for the history, never the address nor a header: they name the receiver and the key. */
function describeFailure(error: unknown): string {
  if (!(error instanceof Error)) return 'failed';
  if (error.name === 'TimeoutError') return 'time-out';
  const cause = error.cause as { code?: unknown } | undefined;
  return typeof cause?.code === 'string' ? cause.code : error.name;
}
