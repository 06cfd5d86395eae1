import { setTimeout as sleep } from 'node:timers/promises';
import { AwsV4Signer } from 'aws4fetch';
import { BrokenCircuitError, CircuitState, ConsecutiveBreaker, circuitBreaker, handleWhen } from 'cockatiel';
import type { FastifyBaseLogger } from 'fastify';
import { within } from '../work/within.ts';
import { errorCodeOf } from './s3-answers.ts';
import { StoreFault } from './store-fault.ts';
import type { S3Settings } from './store-settings.ts';

/** After this many failed calls in a row, calls fail at once for `pauseMs` (in ms) without reaching the store. */
const failuresBeforePause = 5;
const pauseMs = 5_000;
/** A failed call is repeated, up to three calls in total; first pause in ms, about. All calls may be repeated safely. */
const attempts = 3;
const firstRepeatMs = 100;
/** Slowest upload rate, in bytes per ms; the time for a file's bytes is added to the timeout. */
const slowestSending = 1_000;

export interface S3Call {
  method: 'GET' | 'HEAD' | 'PUT' | 'POST' | 'DELETE';
  /** Key without the prefix; undefined for the bucket itself. */
  name?: string;
  query?: Record<string, string>;
  headers?: Record<string, string>;
  body?: Buffer;
  /** SHA-256 of the body, in hexadecimal. */
  digest?: string;
}

const emptyDigest = 'e3b0c44298fc1c149afbf4c8996fb92427ae41e4649b934ca495991b7852b855';
const full = new Set([
  'QuotaExceeded',
  'XMinioStorageFull',
  'XMinioAdminBucketQuotaExceeded',
  'InsufficientStorage',
  'InsufficientCapacity',
]);

/**
 * Calls to a bucket, with signatures, timeouts, retries and a circuit breaker. Signatures use this machine's clock, which the store
 * compares with its own.
 */
export class S3Client {
  readonly settings: S3Settings;
  readonly #log: Pick<FastifyBaseLogger, 'info' | 'error'>;
  #lastFailure = '';
  readonly #signingKeys = new Map<string, ArrayBuffer>();
  // A refusal is a response, so the store is reachable.
  readonly #breaker = circuitBreaker(
    handleWhen((error) => error instanceof StoreFault && error.passes),
    { halfOpenAfter: pauseMs, breaker: new ConsecutiveBreaker(failuresBeforePause) },
  );

  constructor(settings: S3Settings, log: Pick<FastifyBaseLogger, 'info' | 'error'>) {
    this.settings = settings;
    this.#log = log;
    const { bucket } = settings;
    this.#breaker.onBreak(() => this.#log.error({ alert: 'files-away', bucket, pauseMs }, 'the store of files does not answer'));
    this.#breaker.onReset(() => this.#log.info({ alert: 'files-away', bucket, count: 0 }, 'the store of files answers again'));
  }

  /**
   * Returns the response of a successful call, whose body is not read yet; null if the file does not exist. Without a response within
   * `timeoutMs` the store counts as unreachable.
   * @throws StoreFault
   */
  async send(call: S3Call): Promise<Response | null> {
    for (let attempt = 1; ; attempt += 1) {
      try {
        // One call tests the store after a pause; others would wait for its result and then for their own.
        if (this.#breaker.state === CircuitState.HalfOpen) throw new BrokenCircuitError();
        return await this.#breaker.execute(() => this.#once(call));
      } catch (error) {
        if (error instanceof BrokenCircuitError) throw new StoreFault(`${describe(call)}: left alone after ${this.#lastFailure}`);
        this.#lastFailure = (error as Error).message;
        if (attempt === attempts || !(error instanceof StoreFault) || !error.passes || error.code === 'TIMEOUT') throw error;
      }
      await sleep(firstRepeatMs * 2 ** (attempt - 1) * (0.5 + Math.random()));
    }
  }

  /** Returns the response's body as text. @throws StoreFault */
  async ask(call: S3Call): Promise<string> {
    const answer = await this.send(call);
    if (!answer) throw new StoreFault(`${describe(call)}: not there`);
    return within(answer.text(), this.settings.timeoutMs, timedOut).catch((cause) => {
      throw new StoreFault(`${describe(call)}: broken off`, { passes: true, cause });
    });
  }

  /** Returns an address that gives the file to anybody who has it, for `seconds`; the store's response then has these headers. */
  async sign(name: string, seconds: number, headers: { type: string; disposition: string }): Promise<string> {
    const url = this.#address(this.settings.publicEndpoint, name, {
      'X-Amz-Expires': String(seconds),
      'response-content-type': headers.type,
      'response-content-disposition': headers.disposition,
    });
    const signed = await this.#signer({ method: 'GET', url: url.href, signQuery: true }).sign();
    // Every store understands %20 as a space, but not every one a plus. A literal plus is already encoded as %2B.
    return signed.url.href.replaceAll('+', '%20');
  }

  /** Makes a request without a signature, as a stranger would. Returns the response's status. */
  async askUnsigned(name: string | undefined, query: Record<string, string> = {}): Promise<number> {
    const { endpoint, timeoutMs } = this.settings;
    const answer = await fetch(this.#address(endpoint, name, query), { signal: AbortSignal.timeout(timeoutMs), redirect: 'manual' });
    await answer.body?.cancel();
    return answer.status;
  }

  async #once(call: S3Call): Promise<Response | null> {
    const { method, name, query, body, digest = emptyDigest } = call;
    const url = this.#address(this.settings.endpoint, name, query).href;
    const signed = await this.#signer({ method, url, headers: { ...call.headers, 'x-amz-content-sha256': digest } }).sign();
    const aborting = new AbortController();
    const late = setTimeout(() => aborting.abort(), this.settings.timeoutMs + (body?.length ?? 0) / slowestSending);
    try {
      const answer = await fetch(signed.url, {
        method,
        headers: signed.headers,
        ...(body && { body: new Uint8Array(body) }),
        redirect: 'manual',
        signal: aborting.signal,
      });
      if (answer.ok) return answer;
      return await this.#refused(call, answer);
    } catch (error) {
      if (error instanceof StoreFault) throw error;
      if (aborting.signal.aborted) throw new StoreFault(`${describe(call)}: time-out`, { code: 'TIMEOUT', passes: true });
      const { code } = ((error as Error).cause ?? {}) as { code?: unknown };
      throw new StoreFault(`${describe(call)}: ${typeof code === 'string' ? code : 'no answer'}`, { passes: true });
    } finally {
      clearTimeout(late);
    }
  }

  /** Returns null if the file does not exist. @throws StoreFault for any other status */
  async #refused(call: S3Call, answer: Response): Promise<null> {
    const { status } = answer;
    const code = errorCodeOf(await answer.text());
    // A missing bucket is a fault, not a missing file.
    if (status === 404 && call.name !== undefined && code !== 'NoSuchBucket') return null;
    const what = `${describe(call)}: ${status} ${code ?? ''}`.trim();
    if (status === 507 || full.has(code ?? '')) throw new StoreFault(what, { code: 'ENOSPC' });
    if (status === 416) throw new StoreFault(what, { code: 'RANGE' });
    throw new StoreFault(what, { passes: status === 429 || status >= 500 });
  }

  #signer(call: { method: string; url: string; headers?: Record<string, string>; signQuery?: true }): AwsV4Signer {
    const { accessKeyId, secretAccessKey, region } = this.settings;
    // The signing key changes every day.
    if (this.#signingKeys.size > 1) this.#signingKeys.clear();
    return new AwsV4Signer({ ...call, accessKeyId, secretAccessKey, region, service: 's3', cache: this.#signingKeys });
  }

  #address(origin: string, name: string | undefined, query: Record<string, string> = {}): URL {
    const { bucket, prefix, pathStyle } = this.settings;
    const url = new URL(origin);
    if (!pathStyle) url.hostname = `${bucket}.${url.hostname}`;
    const key = name === undefined ? '' : `${prefix}${name}`;
    url.pathname = pathStyle ? `/${bucket}${key && `/${key}`}` : `/${key}`;
    for (const [field, value] of Object.entries(query)) url.searchParams.set(field, value);
    return url;
  }
}

const describe = ({ method, name, query = {} }: S3Call): string => [method, name ?? (Object.keys(query)[0] || 'the bucket')].join(' ');

export function timedOut(): never {
  throw new Error('time-out');
}
