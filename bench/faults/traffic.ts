/** Requests at an even pace, whatever becomes of them: pages, calls, and payments that are begun, each of whose references must be in the database afterwards. */
import { setTimeout as sleep } from 'node:timers/promises';
import type { TestLearner } from '../../test/support/factories.ts';
import { sql } from '../../test/support/sql.ts';

/** Requests a second: so few that a busy machine does them all, since what is looked for is what the fault does. */
const pace = 10;
const timeoutMs = 20_000;
/** So long without a bad answer, and it is good again, in ms. */
const calmMs = 1_500;
/** It has not become good again, in ms. */
const hopelessMs = 60_000;

interface Ended {
  at: number;
  result: 'good' | 'refused' | 'failed';
  status: number | string;
}

export interface Tally {
  sent: number;
  good: number;
  /** 503: nothing was done, come back. */
  refused: number;
  /** Anything else: another status, or no answer at all. */
  failed: number;
  /** What failed, and how often. */
  failures: Record<string, number>;
  /** Payments that were acknowledged and are not in the database. */
  lost: number;
  acknowledged: number;
  /** From the end of the fault to the last answer that was not good, in ms; null: it never got well. */
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

  /** Until a server that has just started answers everything. */
  async warmUp(): Promise<void> {
    for (let tries = 0; tries < 5; tries += 1) {
      const { good, sent } = await this.during(() => sleep(calmMs));
      if (good === sent) return;
    }
    throw new Error('the site does not answer everything although nothing is broken');
  }

  /** What comes to pass while `fault` is done and until all is good again. */
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

  /** Each learner and prepa once, so that each is a new payment. */
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
