import Tinypool from 'tinypool';
import { worksAtOnce } from '../processes/share.ts';
import { Turns, WorkError } from './turns.ts';
import type { Answer, Question } from './worker-questions.ts';

interface WorkerPoolOptions {
  /** The worker's module; its default export receives a task and returns its result. */
  file: URL;
  /** Heap limit of a worker, in MB; a worker that exceeds it dies. */
  memoryMb: number;
  queue: number;
  /** Maximum number of worker processes; default: leaves one core free. */
  workers?: number;
  /** Time after which an idle process is ended, in ms. A process takes about 100 MB, and starting one takes half a second. */
  idleMs?: number;
}

/** Timeouts of a task, in ms: for its turn, and for the work itself. */
export interface TaskLimits {
  readonly waitMs: number;
  readonly workMs: number;
}

/** Answers a task's questions (see worker-questions.ts). A rejection reaches the task as an error without details. */
type Answerer = (question: unknown) => Promise<unknown>;

/**
 * Runs work in separate processes, so that no input can block or crash this process: a thread that runs out of memory may end its whole
 * process. The processes are started when first needed and get none of this process's environment variables except NODE_COMPILE_CACHE.
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

  /** @throws WorkError, and any error of the worker, with its name, message and own properties */
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
      // The pool was closed meanwhile; this does not depend on the task.
      if (this.#pool !== pool) throw new WorkError('busy', error);
      if (signal.aborted) throw new WorkError('time', error);
      if (error instanceof Error && /exited unexpectedly/.test(error.message)) throw new WorkError('death', error);
      throw error;
    } finally {
      channel?.close();
    }
  }

  /** Ends the processes. Running and waiting tasks are rejected; a later task starts new processes. */
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
      // Workers must not inherit this process's hooks and secrets.
      execArgv: [`--max-old-space-size=${memoryMb}`],
      env: NODE_COMPILE_CACHE ? { NODE_COMPILE_CACHE } : {},
    });
    // A worker that dies before it gets its task would leave that task waiting until the next one is submitted.
    pool.on('error', () => {
      if (this.#pool !== pool || pool.queueSize === 0 || pool.threads.length > 0) return;
      this.#pool = undefined;
      void pool.destroy();
    });
    return pool;
  }
}

/** Carries a task's questions to this process and the answers back, until the task ends. */
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
