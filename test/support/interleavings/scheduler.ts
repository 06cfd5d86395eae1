import { AsyncLocalStorage } from 'node:async_hooks';
import { setImmediate as turn } from 'node:timers/promises';
import type { Hold } from './holding.ts';
import { type Backend, cancelBackend, type Observer, waitsFor } from './observer.ts';
import type { Strategy } from './strategies.ts';

/** A concurrent actor: one settlement, one refund, one run of a command. */
export interface Actor {
  name: string;
  work: () => Promise<unknown>;
}

/** Result of an actor. */
export interface Outcome {
  name: string;
  value?: unknown;
  error?: unknown;
}

/** A point where an actor waits for its turn: before a statement, before a request to a provider, or before the provider's response. */
interface Parked {
  who: string;
  what: string;
  go: () => void;
  statement: Statement | null;
}

/** A statement sent to PostgreSQL that is running or waits for a lock. */
interface Statement {
  who: string;
  backend: Backend;
  answer: { value: unknown } | { error: unknown } | null;
  /** Delivers the result to the caller of the statement. */
  deliver: () => void;
  /** Whether the end of the statement released locks: at the end of a transaction, or outside of one. */
  freesLocks: () => boolean;
}

/** Access to PostgreSQL: observes locks and pauses backends. */
interface Server {
  observer: Observer;
  hold: Hold;
}

/** Time in ms after which an unfinished statement may be waiting for a lock. */
const quickMs = 1;

/**
 * Runs one thing at a time. Each actor stops before it sends a statement or a request to a provider, and the strategy chooses the actor
 * that continues. Its statement runs until it ends or waits for another actor's lock, according to PostgreSQL; only then is the next actor
 * chosen. A waiting backend is paused until it can get its lock and no other actor runs. The strategy's choices alone therefore determine
 * the order of events, and the same choices reproduce it.
 */
export class Scheduler {
  /** Events in their order. */
  readonly trace: string[] = [];
  steps = 0;
  readonly #strategy: Strategy;
  readonly #observer: Observer;
  readonly #hold: Hold;
  readonly #onStep: () => string;
  readonly #actor = new AsyncLocalStorage<string>();
  #names: string[] = [];
  #parked: Parked[] = [];
  #underWay: Statement[] = [];
  #wake: () => void = () => {};

  /** @param onStep called before each step to advance the clock; its result is added to the trace */
  constructor(strategy: Strategy, { observer, hold }: Server, onStep: () => string) {
    this.#strategy = strategy;
    this.#observer = observer;
    this.#hold = hold;
    this.#onStep = onStep;
  }

  /** Runs all actors to their ends. @throws Error when no actor can continue, which must not happen with any strategy */
  async run(actors: readonly Actor[]): Promise<Outcome[]> {
    this.#names = actors.map(({ name }) => name);
    let running = actors.length;
    const outcomes = actors.map(async ({ name, work }): Promise<Outcome> => {
      try {
        return { name, value: await this.#actor.run(name, work) };
      } catch (error) {
        return { name, error };
      } finally {
        running -= 1;
        this.trace.push(`${name} ends`);
      }
    });
    await quiet();
    try {
      while (running > 0) await this.#step();
    } finally {
      for (const { backend } of this.#underWay) this.#hold.goOn(backend.pid);
    }
    return Promise.all(outcomes);
  }

  /** Waits for the calling actor's turn. @param what the description in the trace */
  point(what: string): Promise<void> {
    const who = this.#actor.getStore();
    if (who === undefined) return Promise.resolve();
    return new Promise((go) => this.#parked.push({ who, what, go, statement: null }));
  }

  /** Sends a statement at the actor's turn; resolves after the scheduler has recorded its result. */
  statement(who: string, backend: Backend, text: string, send: () => Promise<unknown>): Promise<unknown> {
    return new Promise((resolve, reject) => {
      const endsTransaction = /^(commit|rollback)/i.test(text);
      const statement: Statement = {
        who,
        backend,
        answer: null,
        deliver() {
          if (this.answer && 'error' in this.answer) reject(this.answer.error);
          else resolve(this.answer?.value);
        },
        // A failed statement ends its transaction.
        freesLocks: () => !backend.inTransaction || endsTransaction || (statement.answer !== null && 'error' in statement.answer),
      };
      const go = () => {
        if (/^(begin|start transaction)/i.test(text)) backend.inTransaction = true;
        else if (endsTransaction && !/^rollback to/i.test(text)) backend.inTransaction = false;
        this.#underWay.push(statement);
        const answered = (answer: Statement['answer']) => {
          statement.answer = answer;
          this.#wake();
        };
        send().then(
          (value) => answered({ value }),
          (error: unknown) => answered({ error }),
        );
      };
      this.#parked.push({ who, what: text, go, statement });
    });
  }

  async #step(): Promise<void> {
    this.steps += 1;
    if (this.#parked.length === 0) {
      if (this.#underWay.length === 0) throw new Error('no actor can continue, and none waits for a lock');
      await this.#endDeadlock();
      return;
    }
    // Sorts by the order of the actors, because the order of arrival differs between runs.
    this.#parked.sort((a, b) => this.#names.indexOf(a.who) - this.#names.indexOf(b.who));
    const chosen = this.#strategy.choose(this.#parked.map(({ who }) => who));
    const [next] = this.#parked.splice(chosen, 1) as [Parked];
    this.trace.push(`${this.#onStep()} ${next.who}: ${next.what}`);
    next.go();
    if (next.statement) await this.#answers(next.statement);
    else await quiet();
  }

  /** Waits until each running statement has ended or waits for a lock, then delivers the results. */
  async #answers(latest: Statement): Promise<void> {
    await this.#answeredOrStopped(latest);
    // Waiting statements keep waiting until locks are released.
    if (this.#underWay.some(({ answer, freesLocks }) => answer !== null && freesLocks())) await this.#wakeWaiting();
    const answered = this.#underWay.filter(({ answer }) => answer !== null);
    this.#underWay = this.#underWay.filter(({ answer }) => answer === null);
    for (const { who } of this.#underWay) this.trace.push(`  ${who} waits`);
    for (const statement of answered) {
      this.trace.push(`  ${statement.who} ${describe(statement.answer)}`);
      statement.deliver();
      await quiet();
    }
  }

  /** Waits until the statement ends or waits for a lock. Nothing else runs meanwhile, so a waiting backend is paused until its turn. */
  async #answeredOrStopped(statement: Statement): Promise<void> {
    const { pid } = statement.backend;
    for (;;) {
      if (statement.answer !== null || (await this.#answeredWithin(quickMs))) return;
      const blockers = await waitsFor(this.#observer, [pid]);
      if (statement.answer !== null) return;
      if (!blockers.get(pid)?.length) continue;
      this.#hold.stop(pid);
      return;
    }
  }

  /**
   * Resumes the statements that can get their locks, one at a time, in the order of their arrival. PostgreSQL alone would wake several at
   * the same instant: each waiter for a row leaves the queue before it locks the row's new version, and the next one could overtake it.
   */
  async #wakeWaiting(): Promise<void> {
    for (;;) {
      const waiting = this.#underWay.filter(({ answer }) => answer === null);
      if (waiting.length === 0) return;
      const blockers = await waitsFor(
        this.#observer,
        waiting.map(({ backend }) => backend.pid),
      );
      const next = waiting.find(({ backend }) => !blockers.get(backend.pid)?.length);
      if (!next) return;
      this.#hold.goOn(next.backend.pid);
      await this.#answeredOrStopped(next);
    }
  }

  /**
   * Ends a deadlock. PostgreSQL ends it after `deadlock_timeout`, and the victim depends on timing. Here the strategy chooses the victim,
   * its statement is cancelled, and the error is replaced by the driver's deadlock error.
   */
  async #endDeadlock(): Promise<void> {
    const chosen = this.#strategy.choose(this.#underWay.map(({ who }) => who));
    const victim = this.#underWay[chosen] as Statement;
    this.trace.push(`${victim.who} is ended by the deadlock`);
    await cancelBackend(this.#observer, victim.backend.pid);
    this.#hold.goOn(victim.backend.pid);
    while (victim.answer === null) await this.#answeredWithin(quickMs);
    if ('error' in victim.answer) Object.assign(victim.answer.error as Error, { code: '40P01', message: 'deadlock detected' });
    await this.#answers(victim);
  }

  /** Returns whether a result came within `ms`. */
  #answeredWithin(ms: number): Promise<boolean> {
    return new Promise((resolve) => {
      const timer = setTimeout(() => resolve(false), ms);
      this.#wake = () => {
        clearTimeout(timer);
        resolve(true);
      };
    });
  }
}

/** Waits until all actors have stopped again: they wait only for the scheduler. */
async function quiet(): Promise<void> {
  await turn();
  await turn();
}

function describe(answer: Statement['answer']): string {
  if (answer === null) return 'waits';
  if ('error' in answer) return `fails: ${(answer.error as { code?: string }).code} ${(answer.error as Error).message}`;
  const { rowCount } = answer.value as { rowCount?: number | null };
  return `gets ${rowCount ?? 0}`;
}
