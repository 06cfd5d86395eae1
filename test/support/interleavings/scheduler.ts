import { AsyncLocalStorage } from 'node:async_hooks';
import { setImmediate as turn } from 'node:timers/promises';
import type { Hold } from './holding.ts';
import { type Backend, cancelBackend, type Observer, waitsFor } from './observer.ts';
import type { Strategy } from './strategies.ts';

/** Somebody who acts at the same time as others: one settlement, one refund, one run of a command. */
export interface Actor {
  name: string;
  work: () => Promise<unknown>;
}

/** What became of an actor. */
export interface Outcome {
  name: string;
  value?: unknown;
  error?: unknown;
}

/** Where an actor stands still until it is its turn: before a statement, a question to a provider, or that provider's answer. */
interface Parked {
  who: string;
  what: string;
  go: () => void;
  statement: Statement | null;
}

/** On its way to PostgreSQL, or waiting there for a lock. */
interface Statement {
  who: string;
  backend: Backend;
  answer: { value: unknown } | { error: unknown } | null;
  /** Hands the answer to whoever sent the statement. */
  deliver: () => void;
  /** Its end has let go of locks: of a transaction, or of a statement outside any. */
  freesLocks: () => boolean;
}

/** What the scheduler asks of PostgreSQL, and how it holds backends there. */
interface Server {
  observer: Observer;
  hold: Hold;
}

/** A statement that has not been answered so soon, in ms, may be waiting for a lock. */
const quickMs = 1;

/**
 * Lets one thing happen at a time. Whoever would send a statement or ask a provider stands still; a strategy says who goes on; its statement runs until it is
 * answered or waits for a lock that another actor holds, which PostgreSQL is asked about; only then is the next one chosen. Who waits is held there until the lock is
 * its own and nobody else goes on. So the strategy's choices alone say
 * in what order everything happens, and the same choices repeat it.
 */
export class Scheduler {
  /** What happened, in order. */
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

  /** @param onStep called before each step, for the time that passes meanwhile; its words go into the trace */
  constructor(strategy: Strategy, { observer, hold }: Server, onStep: () => string) {
    this.#strategy = strategy;
    this.#observer = observer;
    this.#hold = hold;
    this.#onStep = onStep;
  }

  /** Runs all of them to their ends. @throws Error when nobody can go on, which no choice of a strategy may lead to */
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

  /** Stands still until it is the turn of whoever calls. @param what as the trace says it */
  point(what: string): Promise<void> {
    const who = this.#actor.getStore();
    if (who === undefined) return Promise.resolve();
    return new Promise((go) => this.#parked.push({ who, what, go, statement: null }));
  }

  /** Sends a statement when it is its turn, and answers when the scheduler has seen the answer. */
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
        // A statement that fails ends its transaction.
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
      if (this.#underWay.length === 0) throw new Error('nobody can go on, and nobody waits for a lock');
      await this.#endDeadlock();
      return;
    }
    // By the actors' order, whoever came first here.
    this.#parked.sort((a, b) => this.#names.indexOf(a.who) - this.#names.indexOf(b.who));
    const chosen = this.#strategy.choose(this.#parked.map(({ who }) => who));
    const [next] = this.#parked.splice(chosen, 1) as [Parked];
    this.trace.push(`${this.#onStep()} ${next.who}: ${next.what}`);
    next.go();
    if (next.statement) await this.#answers(next.statement);
    else await quiet();
  }

  /** Waits until each statement under way is answered or waits for a lock, then hands the answers out. */
  async #answers(latest: Statement): Promise<void> {
    await this.#answeredOrStopped(latest);
    // What waited before still does, until locks are let go of.
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

  /** Nobody else does anything meanwhile, so what is seen to wait goes on waiting: it is stopped there, until it is its turn. */
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
   * Lets those go on that have got their locks, one at a time, whoever came first. Left alone, PostgreSQL wakes several at the same instant: of those that wait for a
   * row, each lets go of its place in the queue before it locks the row's new version, and the next one may overtake it there.
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
   * PostgreSQL ends a deadlock after `deadlock_timeout`, and whom it ends depends on whose time is up first. Here that is a choice like any other: its statement
   * is cancelled, and what the driver reports is what it reports of a deadlock.
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

  /** Whether an answer came within so many ms. */
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

/** Until everybody who was given something stands still again: nobody here waits for anything but the scheduler. */
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
