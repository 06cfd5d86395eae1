import Tinypool from 'tinypool';
import { worksAtOnce } from '../processes/share.ts';
import { Turns, WorkError } from './turns.ts';
import type { Answer, Question } from './worker-questions.ts';

interface WorkerPoolOptions {
  /** The worker's module; its default export takes a task and answers its result. */
  file: URL;
  /** A worker whose heap takes more dies, in MB. */
  memoryMb: number;
  /** Tasks that wait, at most. */
  queue: number;
  /** Processes at the same time, at most: without it, as many as leave a core to the rest. */
  workers?: number;
  /** How long a process without work is kept, in ms: each takes some 100 MB, and starting one takes half a second. */
  idleMs?: number;
}

/** How long a task may take, in ms: until its turn comes, and from then on. */
export interface TaskLimits {
  readonly waitMs: number;
  readonly workMs: number;
}

/** What a task may ask while it is done (see worker-questions.ts). A rejection reaches it as an error without details. */
type Answerer = (question: unknown) => Promise<unknown>;

/**
 * Processes for work that must not hold up or take down this one, whatever it is given: a thread out of memory may end the process that it is
 * in. They are started when they are first needed, and know nothing of this one's environment.
 */
export class WorkerPool {
  readonly #options: WorkerPoolOptions;
  readonly #workers: number;
  readonly #turns: Turns;
  #pool: Tinypool | undefined;

  constructor(options: WorkerPoolOptions) {
    this.#options = options;
    this.#workers = options.workers ?? worksAtOnce();
    this.#turns = new Turns(this.#workers, options.queue);
  }

  /** @throws WorkError, and whatever the worker throws: its name, message and own properties */
  run<Result>(task: unknown, { waitMs, workMs }: TaskLimits, answer?: Answerer): Promise<Result> {
    return this.#turns.run(waitMs, () => this.#work(task, workMs, answer));
  }

  async #work<Result>(task: unknown, limitMs: number, answer?: Answerer): Promise<Result> {
    this.#pool ??= this.#open();
    const pool = this.#pool;
    const signal = AbortSignal.timeout(limitMs);
    const channel = answer && new QuestionChannel(answer);
    try {
      return (await pool.run(task, { signal, ...(channel && { channel }) })) as Result;
    } catch (error) {
      // Closed meanwhile: it says nothing about the work.
      if (this.#pool !== pool) throw new WorkError('busy', error);
      if (signal.aborted) throw new WorkError('time', error);
      if (error instanceof Error && /exited unexpectedly/.test(error.message)) throw new WorkError('death', error);
      throw error;
    } finally {
      channel?.close();
    }
  }

  /** Ends the processes; what is worked on, or waits, is told that nobody will do it. Another task starts others. */
  async close(): Promise<void> {
    this.#turns.dismiss();
    const pool = this.#pool;
    this.#pool = undefined;
    await pool?.destroy();
  }

  #open(): Tinypool {
    const { file, memoryMb, idleMs = 5 * 60_000 } = this.#options;
    const { NODE_COMPILE_CACHE } = process.env;
    const pool = new Tinypool({
      runtime: 'child_process',
      serialization: 'advanced',
      filename: file.href,
      minThreads: 0,
      maxThreads: this.#workers,
      idleTimeout: idleMs,
      // Hooks and secrets of this process are none of theirs.
      execArgv: [`--max-old-space-size=${memoryMb}`],
      env: NODE_COMPILE_CACHE ? { NODE_COMPILE_CACHE } : {},
    });
    // One that dies without work is replaced by the next task; the task that it was started for would wait for that one.
    pool.on('error', () => {
      if (this.#pool !== pool || pool.queueSize === 0 || pool.threads.length > 0) return;
      this.#pool = undefined;
      void pool.destroy();
    });
    return pool;
  }
}

/** Carries a task's questions to this process and the answers back, until the task has ended. */
class QuestionChannel {
  readonly #answer: Answerer;
  #send: ((answer: Answer) => void) | undefined;

  constructor(answer: Answerer) {
    this.#answer = answer;
  }

  onMessage(send: (answer: Answer) => void): void {
    this.#send = send;
  }

  postMessage({ number, question }: Question): void {
    this.#answer(question).then(
      (answer) => this.#send?.({ number, answer }),
      () => this.#send?.({ number, failed: true }),
    );
  }

  close(): void {
    this.#send = undefined;
  }
}
