/**
 * Sends requests at an even pace, whatever their responses: pages, API calls, and payments. The reference of each acknowledged payment must
 * be in the database afterwards.
 */
import { setTimeout as sleep } from 'node:timers/promises';
import type { TestLearner } from '../../test/support/factories.ts';
import { sql } from '../../test/support/sql.ts';

/** Requests per second. The rate is low, so that requests do not fail because the test machine is slow. */
const pace = 10;
const timeoutMs = 20_000;
/** Time without a bad response after which the site counts as recovered, in ms. */
const calmMs = 1_500;
/** Longest time to wait for the recovery, in ms. */
const hopelessMs = 60_000;

interface Ended {
  at: number;
  result: 'good' | 'refused' | 'failed';
  status: number | string;
}

export interface Tally {
  sent: number;
  good: number;
  /** 503 responses: the server did not process the request and asks for a retry. */
  refused: number;
  /** All other bad responses: another status, or no response at all. */
  failed: number;
  /** Number of failures by status or error. */
  failures: Record<string, number>;
  /** Payments that were acknowledged but are not in the database. */
  lost: number;
  acknowledged: number;
  /** Time from the end of the fault to the last bad response, in ms; null when the site did not recover. */
  goodAfterMs: number | null;
}

export class Traffic {
  readonly #url: () => string;
  readonly #databaseUrl: () => string;
  readonly #learners: readonly TestLearner[];
  readonly #prepas: readonly number[];
  #started = 0;
  #ended: Ended[] = [];
  #pending = new Set<Promise<void>>();
  #references: string[] = [];
  #running = true;

  constructor(url: () => string, databaseUrl: () => string, learners: readonly TestLearner[], prepas: readonly number[]) {
    this.#url = url;
    this.#databaseUrl = databaseUrl;
    this.#learners = learners;
    this.#prepas = prepas;
  }

  /** Sends traffic until a newly started server responds to every request. */
  async warmUp(): Promise<void> {
    for (let tries = 0; tries < 5; tries += 1) {
      const { good, sent } = await this.during(() => sleep(calmMs));
      if (good === sent) return;
    }
    throw new Error('the site does not answer everything although nothing is broken');
  }

  /** Runs `fault` under traffic and returns the counts from its start until the site has recovered. */
  async during(fault: () => Promise<void | (() => Promise<void>)>): Promise<Tally> {
    [this.#ended, this.#references, this.#running] = [[], [], true];
    const first = this.#started;
    const sending = this.#send();
    await sleep(500);
    const afterwards = await fault();
    const overAt = performance.now();
    const well = await this.#untilGood(overAt);
    await afterwards?.();
    this.#running = false;
    await sending;
    await Promise.all(this.#pending);
    return this.#tally(this.#started - first, overAt, well);
  }

  async #send(): Promise<void> {
    for (const began = performance.now(), first = this.#started; this.#running; ) {
      const due = first + Math.floor(((performance.now() - began) / 1000) * pace);
      while (this.#started < due) {
        const request = this.#one(this.#started).finally(() => this.#pending.delete(request));
        this.#pending.add(request);
        this.#started += 1;
      }
      await sleep(10);
    }
  }

  async #one(number: number): Promise<void> {
    const learner = this.#learners[number % this.#learners.length] as TestLearner;
    const status = await (number % 2 === 0 ? this.#begin(number, learner) : this.#read(number, learner)).catch(
      (error: Error & { cause?: { code?: string } }) => `${number % 2 === 0 ? 'payment' : 'page'} ${error.cause?.code ?? error.name}`,
    );
    const result = status === 200 ? 'good' : status === 503 ? 'refused' : 'failed';
    this.#ended.push({ at: performance.now(), result, status });
  }

  async #read(number: number, { session }: TestLearner): Promise<number> {
    const [path, accept] = number % 4 === 1 ? ['/user/dashboard', 'text/html'] : ['/api/prepas/published', 'application/json'];
    const answer = await fetch(`${this.#url()}${path}`, { headers: { cookie: session, accept }, signal: AbortSignal.timeout(timeoutMs) });
    await answer.arrayBuffer();
    return answer.status;
  }

  /** Starts a payment. Each call uses another pair of learner and prepa, so that every payment is new. */
  async #begin(number: number, { token }: TestLearner): Promise<number> {
    const prepaId = this.#prepas[Math.floor(number / this.#learners.length) % this.#prepas.length];
    const answer = await fetch(`${this.#url()}/api/payment/start`, {
      method: 'POST',
      headers: { 'content-type': 'application/json', accept: 'application/json', authorization: `Bearer ${token}` },
      body: JSON.stringify({ prepaId }),
      signal: AbortSignal.timeout(timeoutMs),
    });
    const { reference } = (await answer.json()) as { reference?: string };
    if (reference) this.#references.push(reference);
    return answer.status;
  }

  async #untilGood(overAt: number): Promise<boolean> {
    while (performance.now() - overAt < hopelessMs) {
      await sleep(100);
      const lastBad = this.#lastBad() ?? 0;
      if (performance.now() - Math.max(lastBad, overAt) > calmMs && this.#pending.size < pace) return true;
    }
    return false;
  }

  #lastBad(): number | undefined {
    return this.#ended.findLast(({ result }) => result !== 'good')?.at;
  }

  async #tally(sent: number, overAt: number, well: boolean): Promise<Tally> {
    const count = (wanted: Ended['result']) => this.#ended.filter(({ result }) => result === wanted).length;
    const failures: Tally['failures'] = {};
    for (const { result, status } of this.#ended) if (result === 'failed') failures[status] = (failures[status] ?? 0) + 1;
    const [row] = await sql<{ lost: number }>(
      this.#databaseUrl(),
      'select count(*)::int as lost from unnest($1::text[]) asked where not exists (select from payment where reference = asked)',
      [this.#references],
    );
    return {
      sent,
      good: count('good'),
      refused: count('refused'),
      failed: count('failed'),
      failures,
      lost: row?.lost ?? -1,
      acknowledged: this.#references.length,
      goodAfterMs: well ? Math.max(0, (this.#lastBad() ?? overAt) - overAt) : null,
    };
  }
}
